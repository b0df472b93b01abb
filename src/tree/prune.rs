//! Pruning, which makes room by dropping the children of solved or rarely visited nodes.
//!
//! When no block is left, the workers pause between two playouts, and the coordinator has exclusive
//! access to the tree (`&mut`): nothing here is concurrent. It drops the children of
//! - solved nodes, because nothing is left to find out there, and, if that is not enough, of
//! - the nodes with the fewest visits. A node has at least as many visits as any node below it, so
//!   whole subtrees are dropped, and the remaining nodes do not need their statistics.
//!
//! A node that loses its children keeps what is proven about it: its interval and the proof numbers
//! that are 0 or ∞. Its other numbers become those of a leaf again. It is marked KEPT: from now on
//! its facts are those that its children imply *and* the ones it kept ([`Tree::deduce`]). So a
//! proven result is not lost, although the moves that prove it are.

use super::free::Live;
use super::node::{COUNT_SHIFT, KEPT, SKIP, STALE, Stage, Word};
use super::{ROOT, Tree};
use crate::game::MAX_CHILDREN;
use crate::sync::Ordering;
use std::collections::TryReserveError;

/// The number of expanded nodes, and the numbers of their children, in classes by the visits of the
/// expanded node. There is one class for each number of visits up to 63, and then 32 classes for
/// each doubling.
struct Census {
    /// The number of children of all nodes in each class.
    children: Vec<u64>,
    nodes: usize,
}

fn class(visits: u64) -> usize {
    let shift = (64 - visits.leading_zeros()).saturating_sub(6);
    (shift as usize) << 6 | (visits >> shift) as usize
}

/// The lowest threshold at which nothing is kept.
const ABOVE_ALL: usize = 60 << 6;

impl Census {
    fn total(&self) -> u64 {
        self.children.iter().sum()
    }

    /// The lowest class for which it and all higher classes together have at most `most` children.
    fn threshold(&self, most: u64) -> usize {
        let mut kept = 0;
        let too_many = |&class: &usize| {
            kept += self.children[class];
            kept > most
        };
        (0..ABOVE_ALL).rev().find(too_many).map_or(0, |class| class + 1)
    }
}

/// A node that keeps its children.
struct Kept {
    index: u32,
    /// The parent's position in the list of kept nodes.
    parent: usize,
    changed: bool,
}

impl Word {
    /// The word of a node that lost its children; SKIP, which refers to them, is cleared.
    fn without_children(self) -> Word {
        let children = (MAX_CHILDREN as u64) << COUNT_SHIFT | u64::from(u32::MAX);
        Word(self.0 & !(children | SKIP))
    }
}

impl Tree {
    /// Makes room for a block of `size` nodes and for many others. No thread may be in the tree or
    /// hold a slab. Returns whether there is room now.
    ///
    /// The aim is to free half of the memory. If that leaves no gap for the block, half of the rest
    /// is dropped, and so on, unless the block itself takes a large part of the memory. If the
    /// system has no memory for the lists used here, nothing is dropped, and the result is `false`.
    pub(crate) fn make_room(&mut self, size: u32) -> bool {
        let cap = self.arena.cap();
        let root_block = self.node(ROOT).load().num_children() as u64;
        let modest = u64::from(size) <= cap / 8;
        let mut most = if modest { cap / 2 } else { cap };
        loop {
            let Ok(census) = self.census() else { return false };
            let threshold = census.threshold(most.saturating_sub(root_block));
            let Ok(live) = self.prune(threshold, census.nodes) else { return false };
            let largest = self.arena.rebuild(&live, size);
            let used = self.arena.len();
            let room = largest >= size && used <= cap - cap / 4;
            if room || !modest || census.total() == 0 {
                return room;
            }
            most = most.min(used) / 2;
        }
    }

    /// Counts the nodes that are not below a solved one.
    fn census(&self) -> Result<Census, TryReserveError> {
        let mut census = Census { children: vec![0; ABOVE_ALL], nodes: 1 };
        let mut open = vec![self.node(ROOT).load()];
        while let Some(word) = open.pop() {
            for node in self.arena.children(word).nodes() {
                let word = node.load();
                if word.stage() == Stage::Expanded && !word.is_solved() {
                    census.children[class(node.statistics().visits)] += word.num_children() as u64;
                    census.nodes += 1;
                    open.try_reserve(1)?;
                    open.push(word);
                }
            }
        }
        Ok(census)
    }

    /// Drops the children of solved nodes and of those below the threshold, and recomputes the
    /// numbers above them; returns the nodes that are left. At most `nodes` nodes keep their
    /// children, as the census has counted.
    fn prune(&mut self, threshold: usize, nodes: usize) -> Result<Live, TryReserveError> {
        let mut live = Live::new(self.arena.handed_out())?;
        let mut kept = Vec::new();
        kept.try_reserve_exact(nodes)?;
        kept.push(Kept { index: ROOT, parent: 0, changed: false });
        let mut next = 0;
        while next < kept.len() {
            let word = self.node(kept[next].index).load();
            if word.stage() == Stage::Expanded {
                live.keep(word);
                for number in 0..word.num_children() {
                    let index = word.first_child() + number as u32;
                    let node = self.node(index);
                    let child = node.load();
                    if child.stage() != Stage::Expanded {
                        continue;
                    }
                    if child.is_solved() || class(node.statistics().visits) < threshold {
                        kept[next].changed |= self.strip(index, child);
                    } else {
                        kept.push(Kept { index, parent: next, changed: false });
                    }
                }
            }
            next += 1;
        }
        // Children come after their parents in the list.
        for place in (1..kept.len()).rev() {
            let Kept { index, parent, changed } = kept[place];
            kept[parent].changed |= changed && self.recompute(index);
        }
        if kept[0].changed {
            self.recompute(ROOT);
        }
        Ok(live)
    }

    /// Drops a node's children; returns whether its numbers changed.
    fn strip(&self, index: u32, word: Word) -> bool {
        let leaf = self.logic.leaf(word.mover(), word.num_children());
        let facts = self.logic.join(&leaf, &self.facts(index));
        let stage = if word.is_solved() { Stage::Known } else { Stage::Leaf };
        let stripped = word.without_children().0 & !STALE | KEPT;
        // Relaxed: the threads that will read it have yet to be started.
        self.node(index).word.store(Word(stripped).with_stage(stage).0, Ordering::Relaxed);
        self.write_facts(self.arena.single(index), 0, &facts)
    }

    /// Recomputes a node's facts from its children; no other thread may use the node. A node
    /// without children, such as a root whose moves did not fit, stays unchanged.
    pub(super) fn recompute(&self, index: u32) -> bool {
        let node = self.node(index);
        let word = node.load();
        if !word.is_expanded() {
            return false;
        }
        let facts = self.deduce(index, word);
        node.word.fetch_or(facts.flags | STALE, Ordering::Relaxed);
        self.write_facts(self.arena.single(index), 0, &facts)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn classes_are_in_order(a in any::<u64>(), b in any::<u64>(), shift in 0u32..48) {
            let (a, b) = ((a << 16) >> 16 >> shift, (b << 16) >> 16 >> shift);
            prop_assert_eq!(a < b && class(a) != class(b), class(a) < class(b));
            prop_assert!(class(a) < ABOVE_ALL);
        }

        #[test]
        fn a_threshold_keeps_as_much_as_it_may(
            children in prop::collection::vec(0u64..100, 1..80),
            most in 0u64..3000,
        ) {
            let mut census = Census { children: vec![0; ABOVE_ALL], nodes: 0 };
            census.children[..children.len()].copy_from_slice(&children);
            let threshold = census.threshold(most);
            prop_assert!(census.children[threshold..].iter().sum::<u64>() <= most);
            if threshold > 0 {
                prop_assert!(census.children[threshold - 1..].iter().sum::<u64>() > most);
            }
        }
    }
}
