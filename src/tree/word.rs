//! The word that holds a node's structure and its ownership.

use crate::game::{CHANCE, MAX_CHILDREN};
use std::fmt;

/// How far a node has come. Stages only move forward, except that a claim
/// whose holder failed is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Stage {
    /// Never visited: one unknown leaf.
    New = 0,
    /// One thread is looking whether the game is over here.
    Evaluating = 1,
    /// Visited, not over, no children yet.
    Leaf = 2,
    /// One thread is making the children.
    Expanding = 3,
    /// Has children.
    Expanded = 4,
    /// The game is over here.
    Terminal = 5,
    /// The position was settled at another node.
    Known = 6,
}

impl Stage {
    fn from_bits(bits: u64) -> Stage {
        match bits & 7 {
            0 => Stage::New,
            1 => Stage::Evaluating,
            2 => Stage::Leaf,
            3 => Stage::Expanding,
            4 => Stage::Expanded,
            5 => Stage::Terminal,
            6 => Stage::Known,
            other => unreachable!("no stage has the bits {other}"),
        }
    }
}

/// A copy of a node's word.
///
/// ```text
///  bits   0..32   index of the first child; at a leaf the move that was tried (`tried.rs`)
///  bits  32..48   number of children
///  bits  48..52   mover: the player whose turn it is, or chance
///  bits  52..55   stage
///  bit   55       OWNED      a thread recomputes this node
///  bit   56       DIRTY      a child changed since the owner last looked
///  bit   57       STALE      cached ranks of the children are out of date
///  bit   58       SKIP       something is proven of some child, so that one may be left out
///  bit   59       SETTLED    nothing is left to find out below, for the question asked
///  bit   60       EXACT      the payoffs of all players are known whatever anybody does
///  bit   61       RANKING    a thread brings the cached ranks of the children up to date
///  bit   63       KEPT       its children were pruned once: bounds and visits may exceed theirs
/// ```
///
/// Fields are only ever changed by read-modify-writes of the whole word, so
/// every change continues the release sequence of the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(pub(super) u64);

pub(super) const COUNT_SHIFT: u32 = 32;
pub(super) const MOVER_SHIFT: u32 = 48;
pub(super) const STAGE_SHIFT: u32 = 52;
pub(super) const STAGE_MASK: u64 = 7 << STAGE_SHIFT;
pub(super) const OWNED: u64 = 1 << 55;
pub(super) const DIRTY: u64 = 1 << 56;
pub(super) const STALE: u64 = 1 << 57;
pub(super) const SKIP: u64 = 1 << 58;
pub(super) const SETTLED: u64 = 1 << 59;
pub(super) const EXACT: u64 = 1 << 60;
pub(super) const RANKING: u64 = 1 << 61;
pub(super) const KEPT: u64 = 1 << 63;

impl Word {
    #[inline]
    pub(crate) fn stage(self) -> Stage {
        Stage::from_bits(self.0 >> STAGE_SHIFT)
    }

    /// Whether the stage is [`Stage::Expanded`].
    #[inline]
    pub(crate) fn is_expanded(self) -> bool {
        self.0 & STAGE_MASK == (Stage::Expanded as u64) << STAGE_SHIFT
    }

    /// The index of the first child; meaningful once expanded.
    #[inline]
    pub(crate) fn first_child(self) -> u32 {
        self.0 as u32
    }

    /// The number of children; 0 until expanded.
    #[inline]
    pub(crate) fn num_children(self) -> usize {
        (self.0 >> COUNT_SHIFT) as usize & MAX_CHILDREN
    }

    /// The player to move, or [`CHANCE`]; meaningful for leaves and expanded
    /// nodes.
    #[inline]
    pub(crate) fn mover(self) -> usize {
        (self.0 >> MOVER_SHIFT) as usize & 15
    }

    /// Whether chance decides here.
    #[inline]
    pub(crate) fn is_chance(self) -> bool {
        self.mover() == CHANCE
    }

    #[inline]
    pub(crate) fn is_owned(self) -> bool {
        self.0 & (OWNED | DIRTY) != 0
    }

    #[inline]
    pub(crate) fn is_stale(self) -> bool {
        self.0 & STALE != 0
    }

    pub(super) fn is_ranked_now(self) -> bool {
        self.0 & RANKING != 0
    }

    #[inline]
    pub(crate) fn may_skip(self) -> bool {
        self.0 & SKIP != 0
    }

    #[inline]
    pub(crate) fn is_settled(self) -> bool {
        self.0 & SETTLED != 0
    }

    #[inline]
    pub(crate) fn is_kept(self) -> bool {
        self.0 & KEPT != 0
    }

    #[inline]
    pub(crate) fn is_exact(self) -> bool {
        self.0 & EXACT != 0
    }

    /// The flags that belong to a node's facts.
    pub(super) fn facts(self) -> u64 {
        self.0 & (SKIP | SETTLED | EXACT)
    }

    /// The word of a node that lost its children: SKIP speaks of them.
    pub(super) fn without_children(self) -> Word {
        let children = (MAX_CHILDREN as u64) << COUNT_SHIFT | u64::from(u32::MAX);
        Word(self.0 & !(children | SKIP))
    }

    /// The word of a leaf that remembers no try.
    pub(super) fn without_tried(self) -> Word {
        Word(self.0 & !u64::from(u32::MAX))
    }

    pub(super) fn with_stage(self, stage: Stage) -> Word {
        Word(self.0 & !STAGE_MASK | (stage as u64) << STAGE_SHIFT)
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (OWNED, "owned"),
            (DIRTY, "dirty"),
            (STALE, "stale"),
            (SKIP, "skip"),
            (SETTLED, "settled"),
            (EXACT, "exact"),
            (RANKING, "ranking"),
            (KEPT, "kept"),
        ];
        write!(
            f,
            "{:?} mover {} children {}+{}",
            self.stage(),
            self.mover(),
            self.first_child(),
            self.num_children()
        )?;
        flags
            .iter()
            .filter(|(bit, _)| self.0 & bit != 0)
            .try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fields_do_not_overlap(
            first in any::<u32>(),
            count in 0..=MAX_CHILDREN,
            mover in 0usize..16,
            flags in 0u64..512,
        ) {
            let fields = u64::from(first) | (count as u64) << COUNT_SHIFT | (mover as u64) << MOVER_SHIFT;
            let word = Word(flags << 55 | fields).with_stage(Stage::Expanded);
            prop_assert_eq!(word.first_child(), first);
            prop_assert_eq!(word.num_children(), count);
            prop_assert_eq!(word.mover(), mover);
            prop_assert_eq!(word.stage(), Stage::Expanded);
            prop_assert_eq!(word.0 >> 55, flags);
            prop_assert_eq!(word.with_stage(Stage::Leaf).stage(), Stage::Leaf);
        }
    }
}
