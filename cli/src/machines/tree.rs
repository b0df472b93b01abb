//! A proof-number tree whose leaves are jobs for other machines.
//!
//! The shape of PNS-PDFPN (Čížek, Balko, Schmid 2026): a tree of proof numbers (Allis 1994)
//! on top, and a depth-first prover on other machines below each leaf. A leaf whose job ends
//! without an answer takes the numbers that the job has come to, and gets children, with
//! theirs. A leaf with a job under way looks worse than it is, by *virtual* counts, so that
//! the next job goes elsewhere; a position has one job at a time.
//!
//! **Transpositions.** A node is a way from the root. Nodes with the same key are *twins*: one
//! position, reached by several ways. A leaf with a twin that has children follows that one's
//! numbers, and its job is one below the twin. A verdict is carried to all twins, unless it
//! rests on a repetition, since what a repetition settles holds on its way alone.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A number that says that something is impossible.
const INFINITE: u64 = u64::MAX;

/// The greatest number that is not infinite.
const MOST: u64 = 1 << 40;

/// The question of a tree, answered for a position: whether the claimant makes sure of it.
pub(super) type Verdict = bool;

/// A child to be.
#[derive(Clone, Debug)]
pub(super) struct NewChild {
    pub(super) mv: String,
    /// The claimant is to move there.
    pub(super) claims: bool,
    /// What tells its position from others, where something does.
    pub(super) key: Option<u64>,
    /// Known by the rules, or from a job.
    pub(super) verdict: Option<Verdict>,
    /// The verdict rests on this way.
    pub(super) on_this_way: bool,
    /// What it takes to prove it, and to disprove it, for all that is known.
    pub(super) numbers: (u64, u64),
}

/// A node.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    /// Moves from the root.
    depth: usize,
    mv: String,
    claims: bool,
    key: Option<u64>,
    children: Vec<usize>,
    verdict: Option<Verdict>,
    /// The verdict holds on this way alone.
    on_this_way: bool,
    /// The twin that the verdict comes from.
    shown_by: Option<usize>,
    /// What it takes to prove it, and to disprove it.
    numbers: Numbers,
    /// The same with virtual counts.
    seen: Numbers,
    /// There is a job for it under way; of a leaf.
    has_job: bool,
    /// There is a leaf below, or it is one, that is open and has no job.
    is_free: bool,
}

/// What it takes to prove a node, and to disprove it.
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

    /// Those of a leaf with a job: both as if it took twice as much.
    fn burdened(self) -> Numbers {
        let more = |number: u64| (2 * number + 1).min(MOST);
        Numbers { proof: more(self.proof), disproof: more(self.disproof) }
    }
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes by the key of their positions.
    twins: HashMap<u64, Vec<usize>>,
    /// Nodes whose parents and twins are to follow from them, the deepest first: where twins
    /// are equally deep each node follows once.
    changed: BTreeSet<(Reverse<usize>, usize)>,
}

impl Tree {
    /// A tree of one position, whose game is not over.
    pub(super) fn new(claims: bool, key: Option<u64>) -> Tree {
        let mut tree = Tree { nodes: Vec::new(), twins: HashMap::new(), changed: BTreeSet::new() };
        let (verdict, on_this_way, numbers) = (None, false, (1, 1));
        let root = NewChild { mv: String::new(), claims, key, verdict, on_this_way, numbers };
        tree.push(None, root);
        tree
    }

    /// What is known of the root.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.nodes[0].verdict
    }

    /// The root's numbers, for people: what it takes to prove it and to disprove it.
    pub(super) fn numbers(&self) -> (u64, u64) {
        (self.nodes[0].numbers.proof, self.nodes[0].numbers.disproof)
    }

    /// Nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The moves from the root to a node.
    pub(super) fn moves(&self, node: usize) -> Vec<&str> {
        let mut moves = Vec::new();
        let mut node = &self.nodes[node];
        while let Some(parent) = node.parent {
            moves.push(node.mv.as_str());
            node = &self.nodes[parent];
        }
        moves.reverse();
        moves
    }

    /// The leaf whose job is worth most, of those without one.
    pub(super) fn most_proving(&self) -> Option<usize> {
        /// Where positions repeat, twins may lead round in circles.
        const MOST_JUMPS: usize = 64;
        let (mut node, mut jumps) = (0, 0);
        if !self.nodes[0].is_free {
            return None;
        }
        loop {
            let Node { claims, children, .. } = &self.nodes[node];
            let open = children.iter().filter(|&&child| self.nodes[child].is_free);
            let best = open.min_by_key(|&&child| {
                let Numbers { proof, disproof } = self.nodes[child].seen;
                if *claims { (proof, INFINITE - disproof) } else { (disproof, INFINITE - proof) }
            });
            match (best, self.expanded_twin(node)) {
                (Some(&child), _) => node = child,
                (None, Some(twin)) if jumps < MOST_JUMPS => (node, jumps) = (twin, jumps + 1),
                // The circle has no way out: any leaf will do.
                (None, Some(_)) => return self.any_free(),
                (None, None) if children.is_empty() => return Some(node),
                (None, None) => return self.any_free(),
            }
        }
    }

    /// Some open leaf without a job.
    fn any_free(&self) -> Option<usize> {
        let is_leaf = |&node: &usize| {
            self.nodes[node].children.is_empty() && self.expanded_twin(node).is_none()
        };
        let is_open = |&node: &usize| {
            self.nodes[node].verdict.is_none() && !self.nodes[node].has_job && !self.is_moot(node)
        };
        (0..self.nodes.len()).filter(is_open).find(is_leaf)
    }

    /// For a leaf: the twin that has children.
    fn expanded_twin(&self, node: usize) -> Option<usize> {
        let Node { key: Some(key), children, .. } = &self.nodes[node] else { return None };
        if !children.is_empty() {
            return None;
        }
        let twins = self.twins.get(key)?;
        let is_open = |twin: &Node| twin.verdict.is_none() && !twin.children.is_empty();
        twins.iter().copied().find(|&twin| is_open(&self.nodes[twin]))
    }

    /// All nodes with a node's position, itself first.
    fn all_of(&self, node: usize) -> Vec<usize> {
        let twins = self.nodes[node].key.and_then(|key| self.twins.get(&key));
        let others = twins.into_iter().flatten().copied().filter(|&twin| twin != node);
        std::iter::once(node).chain(others).collect()
    }

    /// A job begins at a leaf.
    pub(super) fn begin(&mut self, leaf: usize) {
        self.set_job(leaf, true);
    }

    fn set_job(&mut self, leaf: usize, has_job: bool) {
        for twin in self.all_of(leaf) {
            let node = &mut self.nodes[twin];
            if node.verdict.is_some() || !node.children.is_empty() {
                continue;
            }
            (node.has_job, node.is_free) = (has_job, !has_job);
            node.seen = if has_job { node.numbers.burdened() } else { node.numbers };
            self.mark(twin);
        }
        self.follow();
    }

    /// A leaf is settled, on whatever way it is reached.
    pub(super) fn settle(&mut self, leaf: usize, verdict: Verdict) {
        self.decide(leaf, verdict, false);
        self.follow();
    }

    /// Gives a node its verdict, and its twins, where it is not for its way alone.
    fn decide(&mut self, first: usize, verdict: Verdict, on_this_way: bool) {
        let twins = if on_this_way { vec![first] } else { self.all_of(first) };
        for twin in twins {
            let node = &mut self.nodes[twin];
            if node.verdict.is_none() {
                node.verdict = Some(verdict);
                node.on_this_way = on_this_way;
                node.shown_by = (twin != first).then_some(first);
                (node.has_job, node.is_free) = (false, false);
                node.numbers = Numbers::settled(verdict);
                node.seen = node.numbers;
                self.mark(twin);
            }
        }
        if on_this_way {
            self.leave_alone(first);
        }
    }

    /// A node does not speak for its twins any more: leaves that followed it, and now follow
    /// none, are to have jobs of their own.
    fn leave_alone(&mut self, node: usize) {
        for twin in self.all_of(node).split_off(1) {
            let Node { verdict, children, .. } = &self.nodes[twin];
            let is_leaf = verdict.is_none() && children.is_empty();
            if is_leaf && !self.nodes[twin].has_job && self.expanded_twin(twin).is_none() {
                let node = &mut self.nodes[twin];
                (node.is_free, node.seen) = (true, node.numbers);
                self.mark(twin);
            }
        }
    }

    /// The job of a leaf is called off.
    pub(super) fn call_off(&mut self, leaf: usize) {
        self.set_job(leaf, false);
    }

    /// The job of a leaf ends without an answer.
    pub(super) fn unfinished(&mut self, leaf: usize, numbers: Option<(u64, u64)>) {
        if let Some(numbers) = numbers {
            for twin in self.all_of(leaf) {
                let node = &mut self.nodes[twin];
                if node.verdict.is_none() && node.children.is_empty() {
                    node.numbers = Numbers::of(numbers);
                }
            }
        }
        self.set_job(leaf, false);
    }

    /// A leaf gets children, of which there is at least one.
    pub(super) fn expand(&mut self, leaf: usize, children: Vec<NewChild>) {
        if self.nodes[leaf].verdict.is_some() || !self.is_leaf(leaf) {
            return;
        }
        for child in children {
            let number = self.push(Some(leaf), child);
            self.nodes[leaf].children.push(number);
        }
        self.nodes[leaf].has_job = false;
        self.update(leaf);
        self.mark(leaf);
        self.follow();
    }

    fn push(&mut self, parent: Option<usize>, child: NewChild) -> usize {
        let NewChild { mv, claims, key, verdict, on_this_way, numbers } = child;
        let number = self.nodes.len();
        let numbers = verdict.map_or_else(|| Numbers::of(numbers), Numbers::settled);
        let (children, shown_by) = (Vec::new(), None);
        let (has_job, is_free) = (false, verdict.is_none());
        let seen = numbers;
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        self.nodes.push(Node {
            parent,
            depth,
            mv,
            claims,
            key,
            children,
            verdict,
            on_this_way,
            shown_by,
            numbers,
            seen,
            has_job,
            is_free,
        });
        if let (Some(key), false) = (key, verdict.is_some() && on_this_way) {
            self.twins.entry(key).or_default().push(number);
            self.take_after_twins(number);
        }
        number
    }

    /// A new node is as its twins are.
    fn take_after_twins(&mut self, number: usize) {
        for twin in self.all_of(number).split_off(1) {
            let Node { verdict, on_this_way, has_job, numbers, seen, is_free, .. } =
                self.nodes[twin];
            let own = &mut self.nodes[number];
            match (own.verdict, verdict) {
                (None, Some(verdict)) if !on_this_way => {
                    (own.verdict, own.shown_by) = (Some(verdict), Some(twin));
                    (own.numbers, own.seen) = (numbers, seen);
                    (own.has_job, own.is_free) = (false, false);
                    return;
                }
                (None, None) => {
                    (own.numbers, own.seen) = (numbers, seen);
                    (own.has_job, own.is_free) = (has_job, is_free);
                }
                // What the rules say of one they say of all.
                (Some(verdict), None) if !own.on_this_way => {
                    self.decide(number, verdict, false);
                    return;
                }
                _ => {}
            }
        }
    }

    /// Whether nobody needs to know about a node any more: each of the ways to it is decided.
    /// A way to any twin of a node above it is one, because twins follow each other.
    pub(super) fn is_moot(&self, node: usize) -> bool {
        let (mut above, mut seen) = (vec![node], HashSet::new());
        while let Some(node) = above.pop() {
            for twin in self.all_of(node) {
                match self.nodes[twin] {
                    Node { verdict: Some(_), .. } => {}
                    Node { parent: Some(parent), .. } if seen.insert(parent) => above.push(parent),
                    Node { parent: Some(_), .. } => {}
                    Node { parent: None, .. } => return false,
                }
            }
        }
        true
    }

    /// The children that show a settled node's verdict: one where the side that is right is
    /// to move, else all.
    pub(super) fn shown_by(&self, node: usize) -> Vec<usize> {
        let Node { claims, children, verdict, on_this_way, .. } = &self.nodes[node];
        let same = |child: &&usize| {
            let child = &self.nodes[**child];
            child.verdict == *verdict && (*on_this_way || !child.on_this_way)
        };
        match *verdict == Some(*claims) {
            true => children.iter().find(same).into_iter().copied().collect(),
            false => children.clone(),
        }
    }

    /// The node whose job or children show a node's verdict: a twin, or itself.
    pub(super) fn source(&self, mut node: usize) -> usize {
        while let Some(twin) = self.nodes[node].shown_by {
            node = twin;
        }
        node
    }

    /// What tells a node's position from others, where something does.
    pub(super) fn key(&self, node: usize) -> Option<u64> {
        self.nodes[node].key
    }

    /// Whether at least so many positions wait for a job that somebody needs.
    pub(super) fn has_free_leaves(&self, many: usize) -> bool {
        let (mut ahead, mut seen, mut found) = (vec![0], HashSet::new(), 0);
        while found < many
            && let Some(node) = ahead.pop()
        {
            let Node { is_free, key, .. } = self.nodes[node];
            // Twins are one position, which is counted once.
            if !is_free || !seen.insert((key, key.map_or(node, |_| 0))) {
                continue;
            }
            let children = &self.nodes[self.expanded_twin(node).unwrap_or(node)].children;
            found += usize::from(children.is_empty());
            ahead.extend(children);
        }
        found >= many
    }

    /// What a node still takes at least, whichever way it comes out.
    pub(super) fn size(&self, node: usize) -> u64 {
        let Numbers { proof, disproof } = self.nodes[node].numbers;
        proof.min(disproof)
    }

    /// The node above a node.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.nodes[node].parent
    }

    /// Whether a node has children.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// The move that leads to a node.
    pub(super) fn mv(&self, node: usize) -> &str {
        &self.nodes[node].mv
    }

    /// Whether the side that the verdict favours is to move at a node.
    pub(super) fn is_favoured(&self, node: usize) -> bool {
        self.nodes[node].verdict == Some(self.nodes[node].claims)
    }

    /// Parents and twins are to follow from a node.
    fn mark(&mut self, node: usize) {
        self.changed.insert((Reverse(self.nodes[node].depth), node));
    }

    /// Has parents and twins follow from what has changed.
    fn follow(&mut self) {
        // Where positions repeat, numbers may chase each other round in a circle: they are
        // estimates, and left as they are. Verdicts change once.
        let mut left = 64 * self.nodes.len() + 4096;
        while let Some((_, node)) = self.changed.pop_first() {
            if let Some(parent) = self.nodes[node].parent
                && self.update(parent)
            {
                self.mark(parent);
            }
            if left == 0 || self.nodes[node].children.is_empty() {
                continue;
            }
            left -= 1;
            let Node { verdict: None, numbers, seen, is_free, .. } = self.nodes[node] else {
                continue;
            };
            // Leaves follow their twin with children.
            for twin in self.all_of(node).split_off(1) {
                let twin_node = &mut self.nodes[twin];
                let before = (twin_node.numbers, twin_node.seen, twin_node.is_free);
                let is_open = twin_node.verdict.is_none() && twin_node.children.is_empty();
                if is_open && before != (numbers, seen, is_free) {
                    twin_node.has_job = false;
                    (twin_node.numbers, twin_node.seen, twin_node.is_free) =
                        (numbers, seen, is_free);
                    self.mark(twin);
                }
            }
        }
    }

    /// Has a node follow from its children; whether it has changed.
    fn update(&mut self, node: usize) -> bool {
        let Node { claims, verdict, .. } = self.nodes[node];
        if verdict.is_some() {
            return false;
        }
        let children = || self.nodes[node].children.iter().map(|&child| &self.nodes[child]);
        // One child with the verdict that the side to move wants is enough; else all. One that
        // holds on every way is worth more.
        let wanted = children().filter(|child| child.verdict == Some(claims));
        let wanted = wanted.map(|child| child.on_this_way).min();
        let all = children().all(|child| child.verdict.is_some());
        let any_on_this_way = children().any(|child| child.on_this_way);
        if let Some(on_this_way) = wanted {
            self.decide(node, claims, on_this_way);
            return true;
        }
        if all {
            self.decide(node, !claims, any_on_this_way);
            return true;
        }
        let of = |numbers: fn(&Node) -> Numbers| {
            let least = |number: fn(Numbers) -> u64| {
                children().map(|child| number(numbers(child))).min().unwrap_or(INFINITE)
            };
            let sum = |number: fn(Numbers) -> u64| {
                let sum = |sum: u64, child: &Node| sum.saturating_add(number(numbers(child)));
                children().fold(0, sum).min(MOST)
            };
            match claims {
                true => Numbers { proof: least(|n| n.proof), disproof: sum(|n| n.disproof) },
                false => Numbers { proof: sum(|n| n.proof), disproof: least(|n| n.disproof) },
            }
        };
        let now = (of(|node| node.numbers), of(|node| node.seen));
        let is_free = children().any(|child| child.is_free);
        let node = &mut self.nodes[node];
        let is_new = (node.numbers, node.seen, node.is_free) != (now.0, now.1, is_free);
        ((node.numbers, node.seen), node.is_free) = (now, is_free);
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
            assert_eq!(node.numbers.proof == 0, node.verdict == Some(true), "{number}");
            assert_eq!(node.numbers.disproof == 0, node.verdict == Some(false), "{number}");
            if node.verdict.is_none() && !node.children.is_empty() {
                let is_free = node.children.iter().any(|&child| tree.nodes[child].is_free);
                assert_eq!(node.is_free, is_free, "{number}");
            }
        }
    }

    fn child(mv: &str, claims: bool, key: Option<u64>) -> NewChild {
        let (verdict, on_this_way, numbers) = (None, false, (1, 3));
        NewChild { mv: mv.into(), claims, key, verdict, on_this_way, numbers }
    }

    proptest! {
        /// Jobs end in any order, with the answer or without it: the root's answer is the
        /// game's, and what shows it are leaves with the answers that were given. No position
        /// has two jobs.
        #[test]
        fn the_answer_is_the_game_s(
            seed: u64, depth in 1..6_usize, width in 1..40_u64, keys: bool,
            order in prop::collection::vec(any::<u32>(), 2000),
        ) {
            let game = Random { seed, depth, width };
            let key = |way: &[&str]| keys.then(|| game.key(way));
            let mut tree = Tree::new(true, key(&[]));
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
                                let key = key(&[&way[..], &[&mv]].concat());
                                child(&mv, !claims, key)
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
            let mut shown = vec![0];
            while let Some(node) = shown.pop() {
                let node = tree.source(node);
                match tree.is_leaf(node) {
                    true => prop_assert_eq!(answered.get(&node).copied(), tree.verdict()),
                    false => shown.extend(tree.shown_by(node)),
                }
            }
        }
    }

    #[test]
    fn jobs_spread() {
        let mut tree = Tree::new(true, None);
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
        assert_eq!(tree.shown_by(0), [2]);
    }

    /// A leaf on a decided way is needed where a leaf on an open way follows a node above it.
    /// It was called off, chosen anew and called off again, for ever.
    #[test]
    fn what_a_twin_follows_is_needed() {
        let mut tree = Tree::new(true, Some(1));
        tree.expand(0, vec![child("a", false, Some(2)), child("b", false, Some(3))]);
        tree.expand(1, vec![child("c", true, Some(4)), child("d", true, Some(5))]);
        tree.expand(2, vec![child("e", true, Some(4))]);
        tree.expand(3, vec![child("f", false, Some(6)), child("g", false, Some(7))]);
        tree.settle(4, false);
        assert_eq!((tree.nodes[1].verdict, tree.verdict()), (Some(false), None));
        let leaf = tree.most_proving().unwrap();
        assert!([6, 7].contains(&leaf), "below the twin: {leaf}");
        assert!(!tree.is_moot(leaf));
        tree.begin(leaf);
        tree.settle(leaf, true);
        assert_eq!(tree.verdict(), Some(true));
        assert!(tree.is_moot(13 - leaf));
    }

    /// A leaf that followed a twin is on its own once that is decided for its way alone. It
    /// had no job then and got none, and a proof that needed it never ended.
    #[test]
    fn who_followed_a_twin_is_not_forgotten() {
        let mut tree = Tree::new(true, Some(1));
        tree.expand(0, vec![child("a", false, Some(2)), child("b", false, Some(3))]);
        tree.expand(1, vec![child("c", true, Some(4))]);
        tree.expand(2, vec![child("d", true, Some(4))]);
        tree.expand(3, vec![child("e", false, Some(5))]);
        tree.begin(5);
        assert_eq!(tree.most_proving(), None, "the twin's job is for both");
        let round = NewChild { verdict: Some(false), on_this_way: true, ..child("f", true, None) };
        tree.expand(5, vec![round]);
        assert_eq!((tree.nodes[1].verdict, tree.verdict()), (Some(false), None));
        assert_eq!(tree.most_proving(), Some(4));
        tree.begin(4);
        tree.settle(4, true);
        assert_eq!(tree.verdict(), Some(true));
    }

    /// One position by two ways: one job, one answer; but what rests on a repetition stays
    /// where it is.
    #[test]
    fn twins_are_one_position() {
        let mut tree = Tree::new(true, Some(1));
        tree.expand(0, vec![child("a", false, Some(2)), child("b", false, Some(3))]);
        tree.expand(1, vec![child("c", true, Some(4)), child("d", true, Some(5))]);
        tree.expand(2, vec![child("e", true, Some(4)), child("f", true, Some(6))]);
        tree.begin(3);
        assert!(tree.nodes[5].has_job);
        tree.settle(3, true);
        assert_eq!((tree.nodes[5].verdict, tree.source(5)), (Some(true), 3));
        assert_eq!(tree.nodes[1].verdict, None);

        let round = NewChild { verdict: Some(false), on_this_way: true, ..child("g", false, None) };
        tree.expand(4, vec![round]);
        assert_eq!((tree.nodes[4].verdict, tree.nodes[1].verdict), (Some(false), Some(false)));
        assert!(tree.nodes[1].on_this_way);
        let mut other = child("h", false, Some(2));
        other.numbers = (9, 9);
        tree.expand(6, vec![other]);
        let twin = tree.nodes.last().unwrap();
        assert_eq!(twin.verdict, None, "another way to it is open");
    }
}
