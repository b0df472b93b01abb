//! A proof-number tree whose leaves are jobs for other machines.
//!
//! The shape of PNS-PDFPN (Čížek, Balko, Schmid 2026): a tree of proof numbers (Allis 1994)
//! on top, and a depth-first prover on other machines below each leaf. A leaf whose job ends
//! without an answer takes the numbers that the job has come to, and gets children, with
//! theirs. A leaf with a job under way looks worse than it is, by *virtual* counts, so that
//! the next job goes elsewhere; a position has one job at a time.
//!
//! **Transpositions.** A position that several ways of the same length lead to is one node with
//! several parents. So no way leads round in a circle, and a verdict holds on every way to its
//! node. A position that repeats an earlier one on its way has a node of its own.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A number that says that something is impossible.
const INFINITE: u64 = u64::MAX;

/// The greatest number that is not infinite.
const MOST: u64 = 1 << 40;

/// The question of a tree, answered for a position: whether the claimant makes sure of it.
pub type Verdict = bool;

/// A child to be.
#[derive(Clone, Debug)]
pub struct NewChild {
    /// The move that leads there.
    pub mv: String,
    /// The claimant is to move there.
    pub claims: bool,
    /// What tells its position from others, where something does.
    pub key: Option<u64>,
    /// Known by the rules, or from a job. A move that fails for the claimant may do so because it
    /// leads back to the position that it is played in.
    pub verdict: Option<Verdict>,
    /// What it takes to prove it, and to disprove it, for all that is known.
    pub numbers: (u64, u64),
}

/// A node.
#[derive(Clone, Debug)]
struct Node {
    /// Nodes with a move to this one.
    parents: Vec<usize>,
    /// Moves from the root.
    depth: usize,
    claims: bool,
    /// Each move, and the node that it leads to; none where the claimant fails after it.
    children: Vec<(String, Option<usize>)>,
    /// What it takes to prove it, and to disprove it.
    numbers: Numbers,
    /// The same with virtual counts.
    seen: Numbers,
    /// There is a leaf below, or it is one, that is open and has no job.
    is_free: bool,
}

/// What it takes to prove a node, and to disprove it. One of them is 0 where it is settled, and
/// the other one infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u64,
    disproof: u64,
}

impl Numbers {
    fn of((proof, disproof): (u64, u64)) -> Numbers {
        Numbers { proof: proof.clamp(1, MOST), disproof: disproof.clamp(1, MOST) }
    }

    fn settled(verdict: Verdict) -> Numbers {
        let (proof, disproof) = if verdict { (0, INFINITE) } else { (INFINITE, 0) };
        Numbers { proof, disproof }
    }

    fn verdict(self) -> Option<Verdict> {
        match self {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Those of a leaf with a job: both as if it took twice as much.
    fn burdened(self) -> Numbers {
        let more = |number: u64| (2 * number + 1).min(MOST);
        Numbers { proof: more(self.proof), disproof: more(self.disproof) }
    }

    /// Those of a node by its children's, where the claimant is to move or the other side is.
    fn from_children(claims: bool, children: impl Iterator<Item = Numbers>) -> Numbers {
        let sum = |sum: u64, number: u64| match sum == INFINITE || number == INFINITE {
            true => INFINITE,
            false => (sum + number).min(MOST),
        };
        let first = if claims { (INFINITE, 0) } else { (0, INFINITE) };
        let (proof, disproof) = children.fold(first, |(proof, disproof), child| match claims {
            true => (proof.min(child.proof), sum(disproof, child.disproof)),
            false => (sum(proof, child.proof), disproof.min(child.disproof)),
        });
        Numbers { proof, disproof }
    }
}

/// The tree.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Nodes by the keys of their positions and their depths.
    by_key: HashMap<(u64, usize), usize>,
}

impl Tree {
    /// A tree of one position, whose game is not over.
    pub fn new(claims: bool) -> Tree {
        let numbers = Numbers::of((1, 1));
        let root = Node {
            parents: Vec::new(),
            depth: 0,
            claims,
            children: Vec::new(),
            numbers,
            seen: numbers,
            is_free: true,
        };
        Tree { nodes: vec![root], by_key: HashMap::new() }
    }

    /// What is known of the root.
    pub fn verdict(&self) -> Option<Verdict> {
        self.nodes[0].numbers.verdict()
    }

    /// The root's numbers, for people: what it takes to prove it and to disprove it.
    pub fn numbers(&self) -> (u64, u64) {
        (self.nodes[0].numbers.proof, self.nodes[0].numbers.disproof)
    }

    /// Nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The node above a node.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].parents.first().copied()
    }

    /// The moves from the root to a node, on the way that was found first.
    pub fn moves(&self, mut node: usize) -> Vec<&str> {
        let mut moves = Vec::with_capacity(self.nodes[node].depth);
        while let Some(parent) = self.parent(node) {
            let edge = self.nodes[parent].children.iter().find(|(_, child)| *child == Some(node));
            moves.extend(edge.map(|(mv, _)| mv.as_str()));
            node = parent;
        }
        moves.reverse();
        moves
    }

    /// The leaf whose job is worth most, of those without one.
    pub fn most_proving(&self) -> Option<usize> {
        let mut best = self.nodes[0].is_free.then_some(0)?;
        loop {
            let Node { claims, children, .. } = &self.nodes[best];
            let free = children.iter().filter_map(|&(_, child)| child);
            let free = free.filter(|&child| self.nodes[child].is_free);
            let next = free.min_by_key(|&child| {
                let Numbers { proof, disproof } = self.nodes[child].seen;
                if *claims { (proof, INFINITE - disproof) } else { (disproof, INFINITE - proof) }
            });
            match next {
                Some(next) => best = next,
                None => return Some(best),
            }
        }
    }

    /// A job begins at a leaf.
    pub fn begin(&mut self, leaf: usize) {
        self.set_job(leaf, true);
    }

    /// The job of a leaf is called off.
    pub fn call_off(&mut self, leaf: usize) {
        self.set_job(leaf, false);
    }

    fn set_job(&mut self, leaf: usize, has_job: bool) {
        let node = &mut self.nodes[leaf];
        if node.numbers.verdict().is_none() && node.children.is_empty() {
            node.is_free = !has_job;
            node.seen = if has_job { node.numbers.burdened() } else { node.numbers };
            self.follow(leaf);
        }
    }

    /// The job of a leaf ends without an answer.
    pub fn unfinished(&mut self, leaf: usize, numbers: Option<(u64, u64)>) {
        let node = &mut self.nodes[leaf];
        if let (Some(numbers), None, true) =
            (numbers, node.numbers.verdict(), node.children.is_empty())
        {
            node.numbers = Numbers::of(numbers);
        }
        self.set_job(leaf, false);
    }

    /// A node is settled.
    pub fn settle(&mut self, node: usize, verdict: Verdict) {
        let settled = &mut self.nodes[node];
        if settled.numbers.verdict().is_none() {
            settled.numbers = Numbers::settled(verdict);
            (settled.seen, settled.is_free) = (settled.numbers, false);
            self.follow(node);
        }
    }

    /// A leaf gets children, of which there is at least one.
    pub fn expand(&mut self, leaf: usize, children: Vec<NewChild>) {
        if self.nodes[leaf].numbers.verdict().is_some() || !self.is_leaf(leaf) {
            return;
        }
        for mut child in children {
            let mv = std::mem::take(&mut child.mv);
            let node = (child.verdict != Some(false)).then(|| self.child(leaf, child));
            self.nodes[leaf].children.push((mv, node));
        }
        self.update(leaf);
        self.follow(leaf);
    }

    /// The node of a child: a new one, unless its position has one.
    fn child(&mut self, parent: usize, child: NewChild) -> usize {
        let NewChild { mv: _, claims, key, verdict, numbers } = child;
        let depth = self.nodes[parent].depth + 1;
        let number = self.nodes.len();
        let node = key.map_or(number, |key| *self.by_key.entry((key, depth)).or_insert(number));
        if node == number {
            let (parents, children, numbers) = (Vec::new(), Vec::new(), Numbers::of(numbers));
            let (seen, is_free) = (numbers, true);
            self.nodes.push(Node { parents, depth, claims, children, numbers, seen, is_free });
        }
        // Before it has this parent, which does not have all of its moves yet.
        if let Some(verdict) = verdict {
            self.settle(node, verdict);
        }
        self.nodes[node].parents.push(parent);
        node
    }

    /// Whether nobody needs to know about a node any more: each of the ways to it is decided.
    pub fn is_moot(&self, node: usize) -> bool {
        let (mut above, mut seen) = (vec![node], HashSet::new());
        while let Some(node) = above.pop() {
            let Node { parents, numbers, .. } = &self.nodes[node];
            if numbers.verdict().is_some() {
                continue;
            }
            if parents.is_empty() {
                return false;
            }
            above.extend(parents.iter().copied().filter(|&parent| seen.insert(parent)));
        }
        true
    }

    /// The moves that show a settled node's verdict: one where the side that is right is to move,
    /// else all. Each comes with the node that it leads to, where there is one.
    pub fn shown_by(&self, node: usize) -> Vec<(&str, Option<usize>)> {
        let Node { claims, children, numbers, .. } = &self.nodes[node];
        let verdict = numbers.verdict();
        let moves = children.iter().map(|(mv, child)| (mv.as_str(), *child));
        let shows = |&(_, child): &(&str, Option<usize>)| {
            child.map_or(Some(false), |child| self.nodes[child].numbers.verdict()) == verdict
        };
        match verdict == Some(*claims) {
            true => moves.filter(shows).take(1).collect(),
            false => moves.collect(),
        }
    }

    /// Whether at least so many positions wait for a job that somebody needs.
    pub fn has_free_leaves(&self, many: usize) -> bool {
        let (mut ahead, mut seen, mut found) = (vec![0], HashSet::new(), 0);
        while found < many
            && let Some(node) = ahead.pop()
        {
            let Node { is_free, children, .. } = &self.nodes[node];
            if *is_free && seen.insert(node) {
                found += usize::from(children.is_empty());
                ahead.extend(children.iter().filter_map(|&(_, child)| child));
            }
        }
        found >= many
    }

    /// What a node still takes at least, whichever way it comes out.
    pub fn size(&self, node: usize) -> u64 {
        let Numbers { proof, disproof } = self.nodes[node].numbers;
        proof.min(disproof)
    }

    /// Whether a node has no children.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// Whether the side that the verdict favours is to move at a node.
    pub fn is_favoured(&self, node: usize) -> bool {
        self.nodes[node].numbers.verdict() == Some(self.nodes[node].claims)
    }

    /// Has all nodes above a node follow from it, the deepest first, so that each follows once.
    fn follow(&mut self, node: usize) {
        let mut above = BTreeSet::new();
        let mut node = Some(node);
        while let Some(changed) = node {
            let parents = self.nodes[changed].parents.iter();
            above.extend(parents.map(|&parent| (Reverse(self.nodes[parent].depth), parent)));
            node = std::iter::from_fn(|| above.pop_first())
                .map(|(_, parent)| parent)
                .find(|&parent| self.update(parent));
        }
    }

    /// Has a node follow from its children; whether it has changed.
    fn update(&mut self, node: usize) -> bool {
        let Node { claims, children, numbers, seen, is_free, .. } = &self.nodes[node];
        if numbers.verdict().is_some() {
            return false;
        }
        let of = |numbers: fn(&Node) -> Numbers| {
            let of_child = |&(_, child): &(String, Option<usize>)| {
                child.map_or(Numbers::settled(false), |child| numbers(&self.nodes[child]))
            };
            Numbers::from_children(*claims, children.iter().map(of_child))
        };
        let now = (of(|node| node.numbers), of(|node| node.seen));
        let mut nodes = children.iter().filter_map(|&(_, child)| child);
        let now_free = now.0.verdict().is_none() && nodes.any(|child| self.nodes[child].is_free);
        let is_new = (*numbers, *seen, *is_free) != (now.0, now.1, now_free);
        let node = &mut self.nodes[node];
        ((node.numbers, node.seen), node.is_free) = (now, now_free);
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A random game of two sides: what a position is worth, and how many moves there are,
    /// follow from its depth and a number below `width`, so that many ways lead to each.
    #[derive(Clone, Debug)]
    struct Random {
        seed: u64,
        depth: usize,
        width: u64,
    }

    impl Random {
        fn number(&self, way: &[&str]) -> u64 {
            let mixed = way.iter().fold(self.seed % self.width, |at, mv| {
                let number: u64 = mv.parse().unwrap();
                let mixed =
                    (at ^ (number + 1) << 32 ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed.rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) % self.width
            });
            (mixed + way.len() as u64).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32
        }

        /// Tells a position from others, as its worth follows from it.
        fn key(&self, way: &[&str]) -> u64 {
            self.number(way) << 8 | way.len() as u64
        }

        fn children(&self, way: &[&str]) -> Vec<String> {
            (0..1 + self.number(way) % 3).map(|number| number.to_string()).collect()
        }

        fn verdict(&self, way: &[&str]) -> Verdict {
            if way.len() >= self.depth {
                return self.number(way).is_multiple_of(2);
            }
            let claims = way.len().is_multiple_of(2);
            let children = self.children(way);
            let mut verdicts = children.iter().map(|mv| self.verdict(&[way, &[mv]].concat()));
            if claims { verdicts.any(|verdict| verdict) } else { verdicts.all(|verdict| verdict) }
        }
    }

    fn check(tree: &Tree) {
        for (number, node) in tree.nodes.iter().enumerate() {
            let Numbers { proof, disproof } = node.numbers;
            assert_eq!(proof == 0, disproof == INFINITE, "{number}");
            assert_eq!(disproof == 0, proof == INFINITE, "{number}");
            if node.numbers.verdict().is_none() && !node.children.is_empty() {
                let mut children = node.children.iter().filter_map(|(_, child)| *child);
                assert_eq!(node.is_free, children.any(|c| tree.nodes[c].is_free), "{number}");
            }
        }
    }

    fn child(mv: &str, claims: bool, key: Option<u64>) -> NewChild {
        NewChild { mv: mv.into(), claims, key, verdict: None, numbers: (1, 3) }
    }

    proptest! {
        /// Jobs end in any order, with the answer or without it, and some moves are known before:
        /// the root's answer is the game's, and what shows it are leaves with the answers that
        /// were given, and moves that were known to fail. No position has two jobs.
        #[test]
        fn the_answer_is_the_game_s(
            seed: u64, depth in 1..6_usize, width in 1..40_u64, keys: bool,
            order in prop::collection::vec(any::<u32>(), 2000),
        ) {
            let game = Random { seed, depth, width };
            let key = |way: &[&str]| keys.then(|| game.key(way));
            let mut tree = Tree::new(true);
            let mut under_way: Vec<usize> = Vec::new();
            let mut answered: HashMap<usize, Verdict> = HashMap::new();
            let mut order = order.into_iter().cycle();
            while tree.verdict().is_none() {
                let chance = order.next().unwrap();
                match tree.most_proving() {
                    Some(leaf) if under_way.is_empty() || chance.is_multiple_of(2) => {
                        prop_assert!(!under_way.contains(&leaf));
                        let own = key(&tree.moves(leaf));
                        let same = |&&job: &&usize| own.is_some() && key(&tree.moves(job)) == own;
                        prop_assert_eq!(under_way.iter().find(same), None);
                        tree.begin(leaf);
                        under_way.push(leaf);
                    }
                    _ => {
                        let leaf = under_way.swap_remove(chance as usize % under_way.len());
                        if tree.is_moot(leaf) {
                            tree.call_off(leaf);
                            continue;
                        }
                        let way = tree.moves(leaf);
                        if chance.is_multiple_of(3) || way.len() >= depth {
                            let verdict = game.verdict(&way);
                            answered.insert(leaf, verdict);
                            tree.settle(leaf, verdict);
                        } else {
                            let claims = way.len().is_multiple_of(2);
                            let children = game.children(&way).into_iter().map(|mv| {
                                let way = [&way[..], &[&mv]].concat();
                                let verdict = chance.is_multiple_of(5).then(|| game.verdict(&way));
                                NewChild { verdict, ..child(&mv, !claims, key(&way)) }
                            });
                            let children = children.collect();
                            tree.unfinished(leaf, Some((chance.into(), 7)));
                            tree.expand(leaf, children);
                        }
                    }
                }
                check(&tree);
                let mut free = Vec::new();
                while let Some(leaf) = tree.most_proving() {
                    tree.begin(leaf);
                    free.push(leaf);
                }
                free.iter().for_each(|&leaf| tree.call_off(leaf));
                prop_assert!(tree.has_free_leaves(free.len()));
                prop_assert!(!tree.has_free_leaves(free.len() + 1));
            }
            prop_assert_eq!(tree.verdict(), Some(game.verdict(&[])));
            let mut shown = vec![(Vec::new(), Some(0))];
            while let Some((way, node)) = shown.pop() {
                let Some(node) = node else {
                    prop_assert!(!game.verdict(&way));
                    continue;
                };
                prop_assert_eq!(tree.nodes[node].numbers.verdict(), tree.verdict());
                match tree.is_leaf(node) {
                    true => prop_assert_eq!(game.verdict(&way), tree.verdict().unwrap()),
                    false => shown.extend(
                        tree.shown_by(node)
                            .into_iter()
                            .map(|(mv, child)| ([&way[..], &[mv]].concat(), child)),
                    ),
                }
            }
        }
    }

    #[test]
    fn jobs_spread() {
        let mut tree = Tree::new(true);
        tree.begin(0);
        assert_eq!(tree.most_proving(), None, "one job at a time");
        tree.expand(0, ["a", "b", "c"].map(|mv| child(mv, false, None)).into());
        let mut leaves = Vec::new();
        while let Some(leaf) = tree.most_proving() {
            tree.begin(leaf);
            leaves.push(leaf);
        }
        assert_eq!(leaves, [1, 2, 3]);
        tree.settle(2, true);
        assert_eq!(tree.verdict(), Some(true));
        assert!(tree.is_moot(1) && tree.is_moot(3));
        assert_eq!(tree.shown_by(0), [("b", Some(2))]);
    }

    /// One position by two ways: one node with one job, which is needed as long as one of the ways
    /// is open.
    #[test]
    fn two_ways_lead_to_one_position() {
        let mut tree = Tree::new(true);
        tree.expand(0, vec![child("a", false, Some(2)), child("b", false, Some(3))]);
        tree.expand(1, vec![child("c", true, Some(4)), child("d", true, Some(5))]);
        tree.expand(2, vec![child("e", true, Some(4)), child("f", true, Some(6))]);
        assert_eq!(tree.node_count(), 6);
        tree.begin(3);
        tree.settle(4, false);
        assert_eq!((tree.nodes[1].numbers.verdict(), tree.verdict()), (Some(false), None));
        assert!(!tree.is_moot(3), "the other way is open");
        tree.settle(3, true);
        assert_eq!(tree.verdict(), None);
        tree.settle(5, true);
        assert_eq!(tree.verdict(), Some(true));
        assert_eq!(tree.shown_by(0), [("b", Some(2))]);
        assert_eq!(tree.shown_by(2), [("e", Some(3)), ("f", Some(5))]);
        // A way back to an earlier position is another node.
        tree = Tree::new(true);
        tree.expand(0, vec![child("a", false, Some(2))]);
        tree.expand(1, vec![child("b", true, Some(1))]);
        tree.expand(2, vec![child("c", false, Some(2))]);
        assert_eq!((tree.node_count(), tree.moves(3)), (4, vec!["a", "b", "c"]));
    }

    /// A move that is known to fail needs no node, and may be the last one.
    #[test]
    fn moves_that_fail_have_no_node() {
        let mut tree = Tree::new(true);
        let fails = |mv: &str| NewChild { verdict: Some(false), ..child(mv, false, None) };
        tree.expand(0, vec![fails("a"), child("b", false, None)]);
        assert_eq!((tree.node_count(), tree.verdict()), (2, None));
        tree.settle(1, false);
        assert_eq!(tree.verdict(), Some(false));
        assert_eq!(tree.shown_by(0), [("a", None), ("b", Some(1))]);
    }
}
