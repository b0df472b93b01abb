//! Moves that are tried at leaves before these have children.
//!
//! A leaf is evaluated at its first visit. Of the leaves with a second visit, two in five never get
//! a third, and their children would waste memory. So if nothing but visits and values depends on
//! the children, the second visit tries one of the moves without creating a node for it, and the
//! leaf stores the move and its value. The third visit creates the children, and the child of the
//! tried move starts with that visit. Selection then sees the same statistics as if the children
//! had existed since the second visit.
//!
//! A try is stored in the leaf's word, in place of the children's index, by an exchange that
//! succeeds only while the node is a leaf. If another thread has created the children meanwhile,
//! the visit is added to the child; if a thread is still creating them, the try is discarded, which
//! only costs the child a visit. A thread that claims the leaf takes the try with the claim. No
//! other data is read because of a try.

use super::arena::Reservation;
use super::growth::{SeenChild, Tree};
use super::node::{Node, NodeClaim, Stage, Word};
use crate::sync::{Fault, Ordering, Writers, broken, exchange};

/// A move that was tried once, with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    pub(crate) number: u16,
    /// The playout's value for the player who moves, in units of 1 / `VALUE_ONE`.
    pub(crate) value: i16,
}

/// The bit position of the move's number plus 1; the value is in the bits below.
const NUMBER_SHIFT: u32 = 16;

impl Tried {
    /// The number of moves that a stored try can tell apart.
    pub(crate) const MOVES: usize = u16::MAX as usize;
}

impl Word {
    /// The move that was tried at a leaf, if one was.
    #[inline]
    pub(crate) fn tried(self) -> Option<Tried> {
        let number = (self.0 as u32 >> NUMBER_SHIFT).checked_sub(1);
        let number = number.filter(|_| self.stage() == Stage::Leaf)?;
        Some(Tried { number: number as u16, value: self.0 as u16 as i16 })
    }

    fn with_tried(self, tried: Tried) -> Word {
        debug_assert_eq!((self.stage(), self.0 as u32), (Stage::Leaf, 0));
        let number = (u64::from(tried.number) + 1) << NUMBER_SHIFT;
        Word(self.0 | number | u64::from(tried.value as u16))
    }
}

impl Node {
    /// Stores a try in a node that is a leaf without one; returns the node's word.
    ///
    /// The write is relaxed, since no data depends on it. An exchange continues the release
    /// sequence of the word that made the node a leaf; with a single writer, `exchange` releases.
    /// The read is Acquire, for the children that may exist by now.
    fn remember_tried(&self, tried: Tried, writers: Writers) -> Word {
        let mut word = self.load();
        while word.stage() == Stage::Leaf && word.tried().is_none() {
            let new = word.with_tried(tried);
            if broken(Fault::StoredTry) {
                self.word.store(new.0, Ordering::Release);
                return new;
            }
            match exchange(&self.word, writers, word.0, new.0, Ordering::Relaxed) {
                Ok(_) => return new,
                Err(_) => word = self.load(),
            }
        }
        word
    }
}

impl NodeClaim<'_> {
    /// The move that was tried at the leaf, if one was. A claim that is given back discards it.
    #[inline]
    pub(crate) fn tried(&self) -> Option<Tried> {
        self.before.tried()
    }
}

impl Tree {
    /// Stores a try in the leaf with this index. If another thread has created its children
    /// meanwhile, the visit is added to the child.
    pub(crate) fn remember_tried(&self, index: u32, tried: Tried) {
        let word = self.node(index).remember_tried(tried, self.writers);
        if word.is_expanded() {
            let (children, number) = (self.arena.children(word), usize::from(tried.number));
            children.nodes()[number].add(self.writers, 1, tried.value.into(), false);
            self.move_evaluation(index, children.evaluations().get(number));
        }
    }

    /// Records the visit at the child whose move was tried, before the children of the node with
    /// this index are published. Returns `false` if the claim took another try, or none.
    pub(crate) fn prepare_tried(
        &self,
        claim: &NodeClaim<'_>,
        index: u32,
        reservation: &Reservation,
        (tried, seen): &(Tried, SeenChild),
    ) -> bool {
        if claim.tried() != Some(*tried) {
            return false;
        }
        let (fresh, number) = (self.arena.fresh(reservation), usize::from(tried.number));
        self.prepare(fresh, number, seen);
        fresh.nodes()[number].set_statistics(1, i64::from(tried.value));
        self.move_evaluation(index, fresh.evaluations().get(number));
        true
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::tree::VALUE_ONE;
    use proptest::prelude::*;

    #[test]
    fn every_value_of_a_playout_can_be_remembered() {
        assert!(i16::try_from(VALUE_ONE).is_ok() && i16::try_from(-VALUE_ONE).is_ok());
    }

    proptest! {
        #[test]
        fn a_leaf_says_what_it_remembers(
            number in 0..Tried::MOVES as u16,
            value in any::<i16>(),
            flags in 0u64..512,
        ) {
            let tried = Tried { number, value };
            let leaf = Word(flags << 55).with_stage(Stage::Leaf);
            prop_assert_eq!(leaf.tried(), None);
            let word = leaf.with_tried(tried);
            prop_assert_eq!(word.tried(), Some(tried));
            prop_assert_eq!((word.num_children(), word.stage()), (0, Stage::Leaf));
            prop_assert_eq!(word.without_tried(), leaf);
            for stage in [Stage::Expanding, Stage::Known, Stage::Expanded] {
                prop_assert_eq!(word.with_stage(stage).tried(), None);
            }
        }
    }
}
