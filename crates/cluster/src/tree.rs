//! A proof-number tree whose leaves are jobs for other machines.
//!
//! The algorithm is that of PNS-PDFPN (Čížek, Balko, Schmid 2026): a tree of proof numbers (Allis
//! 1994) at the top, and depth-first provers on other machines below its leaves. If a job ends
//! without an answer, the proof numbers that it has found are given to its leaf and to the children
//! added later. A running job adds *virtual* counts to its leaf, which make it look harder, so that
//! the next job goes elsewhere. Each position has at most one job.
//!
//! **Transpositions.** A position reached by several paths of the same length is one node with
//! several parents. Since the lengths are equal, there are no cycles, and a verdict holds on every
//! path to its node. A position that repeats an earlier one on its path has a node of its own.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The proof number for "impossible".
const INFINITE: u64 = u64::MAX;

/// The greatest finite proof number.
const MOST: u64 = 1 << 40;

/// The answer to the question that a tree poses: whether the claimant can force a win.
pub type Verdict = bool;

/// A child to be created.
#[derive(Clone, Debug)]
pub struct NewChild {
    /// The move that leads to the child.
    pub mv: String,
    /// Whether the claimant is to move in the child.
    pub claims: bool,
    /// The key of its position, if it has one.
    pub key: Option<u64>,
    /// The verdict, if the rules or a job have given one. A negative verdict may hold only under
    /// this parent, because play after the move may lead back to it.
    pub verdict: Option<Verdict>,
    /// Estimates of its proof and disproof number.
    pub numbers: (u64, u64),
}

#[derive(Clone, Debug)]
struct Node {
    parents: Vec<usize>,
    depth: usize,
    claims: bool,
    /// Each move with its node; `None` if the claimant fails after the move.
    children: Vec<(String, Option<usize>)>,
    numbers: Numbers,
    /// The numbers including the virtual counts of running jobs.
    seen: Numbers,
    /// Whether this is an open leaf without a job, or has such a leaf below it.
    is_free: bool,
}

/// A proof and a disproof number. If the node is solved, one of them is 0 and the other infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u64,
    disproof: u64,
}

impl Numbers {
    fn of((proof, disproof): (u64, u64)) -> Numbers {
        Numbers { proof: proof.clamp(1, MOST), disproof: disproof.clamp(1, MOST) }
    }

    fn solved(verdict: Verdict) -> Numbers {
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

    /// Returns the numbers of a leaf while it has a job, which are about twice as large.
    fn burdened(self) -> Numbers {
        let more = |number: u64| (2 * number + 1).min(MOST);
        Numbers { proof: more(self.proof), disproof: more(self.disproof) }
    }

    /// Computes a node's numbers from its children's; `claims` is true if the claimant is to move.
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

/// A proof-number tree with jobs at its leaves.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The nodes whose positions have keys, by key and depth.
    by_key: HashMap<(u64, usize), usize>,
}

impl Tree {
    /// Creates a tree of one position, in which the claimant is to move if `claims` is true. The
    /// game must not be over.
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

    /// Returns the verdict of the root, if it is solved.
    pub fn verdict(&self) -> Option<Verdict> {
        self.nodes[0].numbers.verdict()
    }

    /// Returns the root's proof and disproof number.
    pub fn numbers(&self) -> (u64, u64) {
        (self.nodes[0].numbers.proof, self.nodes[0].numbers.disproof)
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the first parent of a node; `None` for the root.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].parents.first().copied()
    }

    /// Returns the moves from the root to a node, by the path found first.
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

    /// Returns the most-proving leaf without a job.
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

    /// Begins a job at a leaf.
    pub fn begin(&mut self, leaf: usize) {
        self.set_job(leaf, true);
    }

    /// Cancels the job at a leaf.
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

    /// Ends the job at a leaf without an answer; `numbers` are the proof numbers that it has found.
    pub fn unfinished(&mut self, leaf: usize, numbers: Option<(u64, u64)>) {
        let node = &mut self.nodes[leaf];
        if let (Some(numbers), None, true) =
            (numbers, node.numbers.verdict(), node.children.is_empty())
        {
            node.numbers = Numbers::of(numbers);
        }
        self.set_job(leaf, false);
    }

    /// Settles a node, and updates the nodes above it.
    pub fn settle(&mut self, node: usize, verdict: Verdict) {
        let solved = &mut self.nodes[node];
        if solved.numbers.verdict().is_none() {
            solved.numbers = Numbers::solved(verdict);
            (solved.seen, solved.is_free) = (solved.numbers, false);
            self.follow(node);
        }
    }

    /// Adds children to a leaf. There must be at least one.
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

    /// Returns the node of a child; creates it unless the position has one already.
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
        // The parent is added last, because its list of moves is still incomplete.
        if let Some(verdict) = verdict {
            self.settle(node, verdict);
        }
        self.nodes[node].parents.push(parent);
        node
    }

    /// Returns whether a node is irrelevant because every path to it contains a solved node.
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

    /// Returns the moves that prove a solved node's verdict, with their nodes: one move if the
    /// favoured side is to move, else all.
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

    /// Returns whether at least `many` relevant leaves have no job.
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

    /// Returns a lower bound on a node's remaining work: the smaller of its numbers.
    pub fn size(&self, node: usize) -> u64 {
        let Numbers { proof, disproof } = self.nodes[node].numbers;
        proof.min(disproof)
    }

    /// Returns whether a node has no children.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// Returns whether the side that the verdict favours is to move at a node.
    pub fn is_favoured(&self, node: usize) -> bool {
        self.nodes[node].numbers.verdict() == Some(self.nodes[node].claims)
    }

    /// Updates all ancestors of a node, the deepest first, so that each is updated once.
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

    /// Recomputes a node from its children; returns whether it has changed.
    fn update(&mut self, node: usize) -> bool {
        let Node { claims, children, numbers, seen, is_free, .. } = &self.nodes[node];
        if numbers.verdict().is_some() {
            return false;
        }
        let of = |numbers: fn(&Node) -> Numbers| {
            let of_child = |&(_, child): &(String, Option<usize>)| {
                child.map_or(Numbers::solved(false), |child| numbers(&self.nodes[child]))
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

    /// A random game of two sides. The value and the moves of a position depend on its depth and a
    /// number below `width`, so that many paths lead to each.
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

        /// Returns the key of a position, which determines the position's value.
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
        /// With jobs that end in any order, answered or not, and some verdicts known in advance,
        /// the root gets the game's verdict, and the moves that prove it lead to leaves with
        /// correct verdicts. No position has two jobs.
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

    /// A position reached by two paths is one node with one job, and stays relevant while one of
    /// the paths is open.
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
        // A repetition of an earlier position is another node.
        tree = Tree::new(true);
        tree.expand(0, vec![child("a", false, Some(2))]);
        tree.expand(1, vec![child("b", true, Some(1))]);
        tree.expand(2, vec![child("c", false, Some(2))]);
        assert_eq!((tree.node_count(), tree.moves(3)), (4, vec!["a", "b", "c"]));
    }

    /// A move that is known to fail gets no node, but counts in its parent's verdict.
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
