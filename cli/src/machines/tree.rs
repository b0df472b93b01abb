//! A proof-number tree whose leaves are jobs for other machines.
//!
//! The shape of PNS-PDFPN (Čížek, Balko, Schmid 2026): a tree of proof numbers (Allis 1994)
//! on top, and a depth-first prover on other machines below each leaf. A leaf whose job ends
//! without an answer gets children. A leaf with a job under way looks worse than it is, by
//! *virtual* counts, so that the next job goes elsewhere; a leaf has one job at a time.
//!
//! A node is a way from the root and no position: what a repetition settles holds on its way
//! alone, and nothing is carried to another one.

/// A number that says that something is impossible.
const INFINITE: u64 = u64::MAX;

/// What a job under way adds to both numbers of its leaf.
const VIRTUAL: u64 = 2;

/// The question of a tree, answered for a position: whether the claimant makes sure of it.
pub(super) type Verdict = bool;

/// A child to be.
#[derive(Clone, Debug)]
pub(super) struct NewChild {
    pub(super) mv: String,
    /// The claimant is to move there.
    pub(super) claims: bool,
    /// Known by the rules.
    pub(super) verdict: Option<Verdict>,
    /// Legal moves there: how hard it looks.
    pub(super) moves: u64,
}

/// A node.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    mv: String,
    claims: bool,
    children: Vec<usize>,
    verdict: Option<Verdict>,
    /// What it takes to prove it, and to disprove it.
    proof: u64,
    disproof: u64,
    /// Leaves below, itself included, that are open and have no job.
    free: u64,
}

/// The tree.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of one position, whose game is not over.
    pub(super) fn new(claims: bool) -> Tree {
        let root = Node {
            parent: None,
            mv: String::new(),
            claims,
            children: Vec::new(),
            verdict: None,
            proof: 1,
            disproof: 1,
            free: 1,
        };
        Tree { nodes: vec![root] }
    }

    /// What is known of the root.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.nodes[0].verdict
    }

    /// The root's numbers, for people: what it takes to prove it and to disprove it.
    pub(super) fn numbers(&self) -> (u64, u64) {
        (self.nodes[0].proof, self.nodes[0].disproof)
    }

    /// Nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Open leaves without a job.
    pub(super) fn free(&self) -> u64 {
        self.nodes[0].free
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
        let mut node = 0;
        if self.nodes[0].free == 0 {
            return None;
        }
        while !self.nodes[node].children.is_empty() {
            let Node { claims, children, .. } = &self.nodes[node];
            let open = children.iter().filter(|&&child| self.nodes[child].free > 0);
            node = *open.min_by_key(|&&child| match claims {
                true => self.nodes[child].proof,
                false => self.nodes[child].disproof,
            })?;
        }
        Some(node)
    }

    /// A job begins at a leaf.
    pub(super) fn begin(&mut self, leaf: usize) {
        let node = &mut self.nodes[leaf];
        node.proof = node.proof.saturating_add(VIRTUAL);
        node.disproof = node.disproof.saturating_add(VIRTUAL);
        node.free = 0;
        self.climb(leaf);
    }

    /// A leaf is settled.
    pub(super) fn settle(&mut self, leaf: usize, verdict: Verdict) {
        self.nodes[leaf].verdict = Some(verdict);
        settled(&mut self.nodes[leaf], verdict);
        self.climb(leaf);
    }

    /// A leaf gets children, of which there is at least one.
    pub(super) fn expand(&mut self, leaf: usize, children: Vec<NewChild>) {
        for NewChild { mv, claims, verdict, moves } in children {
            let mut node = Node {
                parent: Some(leaf),
                mv,
                claims,
                children: Vec::new(),
                verdict,
                // One move is enough for who is to move, and all must be answered.
                proof: if claims { 1 } else { moves.max(1) },
                disproof: if claims { moves.max(1) } else { 1 },
                free: 1,
            };
            if let Some(verdict) = verdict {
                settled(&mut node, verdict);
            }
            self.nodes.push(node);
            let number = self.nodes.len() - 1;
            self.nodes[leaf].children.push(number);
        }
        self.update(leaf);
        self.climb(leaf);
    }

    /// Whether nobody needs to know about a node any more.
    pub(super) fn is_moot(&self, mut node: usize) -> bool {
        loop {
            match self.nodes[node] {
                Node { verdict: Some(_), .. } => return true,
                Node { parent: Some(parent), .. } => node = parent,
                Node { parent: None, .. } => return false,
            }
        }
    }

    /// The children that show a settled node's verdict: one where the side that is right is
    /// to move, else all.
    pub(super) fn shown_by(&self, node: usize) -> Vec<usize> {
        let Node { claims, children, verdict, .. } = &self.nodes[node];
        let same = |child: &&usize| self.nodes[**child].verdict == *verdict;
        match *verdict == Some(*claims) {
            true => children.iter().find(same).into_iter().copied().collect(),
            false => children.clone(),
        }
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

    /// Has everything above a node follow from it.
    fn climb(&mut self, mut node: usize) {
        while let Some(parent) = self.nodes[node].parent {
            self.update(parent);
            node = parent;
        }
    }

    /// Has a node follow from its children.
    fn update(&mut self, node: usize) {
        let Node { claims, verdict, .. } = self.nodes[node];
        if verdict.is_some() {
            return;
        }
        let children = || self.nodes[node].children.iter().map(|&child| &self.nodes[child]);
        let least = |number: fn(&Node) -> u64| children().map(number).min().unwrap_or(INFINITE);
        let sum = |number: fn(&Node) -> u64| {
            children().map(number).fold(0, |sum: u64, one| sum.saturating_add(one))
        };
        let (proof, disproof) = match claims {
            true => (least(|node| node.proof), sum(|node| node.disproof)),
            false => (sum(|node| node.proof), least(|node| node.disproof)),
        };
        let free = sum(|node| node.free);
        // One child with the verdict that the side to move wants is enough; else all.
        let wanted = children().any(|child| child.verdict == Some(claims));
        let all = children().all(|child| child.verdict.is_some());
        let node = &mut self.nodes[node];
        (node.proof, node.disproof, node.free) = (proof, disproof, free);
        if wanted || all {
            let verdict = if wanted { claims } else { !claims };
            node.verdict = Some(verdict);
            settled(node, verdict);
        }
    }
}

/// Gives a node the numbers of its verdict.
fn settled(node: &mut Node, verdict: Verdict) {
    let (proof, disproof) = if verdict { (0, INFINITE) } else { (INFINITE, 0) };
    (node.proof, node.disproof, node.free) = (proof, disproof, 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    /// A random game of two sides: what a way through it is worth, and how many moves there
    /// are, follow from the way.
    #[derive(Clone, Debug)]
    struct Random {
        seed: u64,
        depth: usize,
    }

    impl Random {
        fn number(&self, way: &[&str]) -> u64 {
            let mixed = way.iter().fold(self.seed, |mixed, mv| {
                let number: u64 = mv.parse().unwrap();
                (mixed ^ (number + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
            });
            mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
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
            assert_eq!(node.proof == 0, node.verdict == Some(true), "{number}");
            assert_eq!(node.disproof == 0, node.verdict == Some(false), "{number}");
            if node.verdict.is_none() && !node.children.is_empty() {
                let free: u64 = node.children.iter().map(|&child| tree.nodes[child].free).sum();
                assert_eq!(node.free, free, "{number}");
            }
        }
    }

    proptest! {
        /// Jobs end in any order, with the answer or without it: the root's answer is the
        /// game's, and what shows it are leaves with the answers that were given.
        #[test]
        fn the_answer_is_the_game_s(
            seed: u64, depth in 1..6_usize, order in prop::collection::vec(any::<u32>(), 2000),
        ) {
            let game = Random { seed, depth };
            let mut tree = Tree::new(true);
            let mut under_way: Vec<usize> = Vec::new();
            let mut answered: HashMap<usize, Verdict> = HashMap::new();
            let mut order = order.into_iter().cycle();
            while tree.verdict().is_none() {
                let chance = order.next().unwrap();
                match tree.most_proving() {
                    Some(leaf) if under_way.is_empty() || chance.is_multiple_of(2) => {
                        prop_assert!(!under_way.contains(&leaf));
                        tree.begin(leaf);
                        under_way.push(leaf);
                    }
                    _ => {
                        let leaf = under_way.swap_remove(chance as usize % under_way.len());
                        if tree.is_moot(leaf) {
                            continue;
                        }
                        let way = tree.moves(leaf);
                        if chance.is_multiple_of(3) || way.len() >= depth {
                            let verdict = game.verdict(&way);
                            answered.insert(leaf, verdict);
                            tree.settle(leaf, verdict);
                        } else {
                            let claims = way.len().is_multiple_of(2);
                            let children = game.children(&way).into_iter().map(|mv| NewChild {
                                mv, claims: !claims, verdict: None, moves: 3,
                            });
                            let children = children.collect();
                            tree.expand(leaf, children);
                        }
                    }
                }
                check(&tree);
            }
            prop_assert_eq!(tree.verdict(), Some(game.verdict(&[])));
            let mut shown = vec![0];
            while let Some(node) = shown.pop() {
                match tree.is_leaf(node) {
                    true => prop_assert_eq!(answered.get(&node).copied(), tree.verdict()),
                    false => shown.extend(tree.shown_by(node)),
                }
            }
        }
    }

    #[test]
    fn jobs_spread() {
        let child = |mv: &str| NewChild { mv: mv.into(), claims: false, verdict: None, moves: 2 };
        let mut tree = Tree::new(true);
        tree.begin(0);
        assert_eq!(tree.most_proving(), None, "one job at a time");
        tree.expand(0, vec![child("a"), child("b"), child("c")]);
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
}
