//! A node: its statistics, and a word for its structure and its ownership.
//!
//! | field | written by | rule |
//! |---|---|---|
//! | visits, value sum | every playout that passes; for nodes with many visits, each thread for several playouts at once (`playout/path_cache.rs`) | relaxed additions: no other data depends on them |
//! | in flight | every playout that passes, except at nodes with many visits | +1 on the way down, −1 on the way up or when the playout fails |
//! | word: stage, mover, children | the holder of the claim | forward only, published with Release |
//! | word: the try of a leaf | a thread that tried one of its moves | once, while it is a leaf (`tried.rs`) |
//! | word: OWNED, DIRTY | announcing threads; the owner | see `backup.rs` |
//! | word: SKIP, SOLVED, EXACT | the owner, or the claim's holder | only ever set |
//! | word: STALE, RANKING | announcements; a reader that ranks the children | see `ranks.rs` |
//!
//! A node's intervals and proof numbers are in separate columns of the arena; they too are written
//! only by the owner or the claim's holder.

use crate::game::{CHANCE, MAX_CHILDREN};
use crate::memory::zeroed;
use crate::sync::{
    AtomicI64, AtomicU64, Fault, Ordering, Writers, broken, exchange, unless_broken,
};
use crate::threads::Event;

/// The progress of a node. Stages only advance, unless a failing holder gives back its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Stage {
    /// Never visited; counts as one unknown leaf.
    New = 0,
    /// Claimed: one thread is finding out whether the game is over here.
    Evaluating = 1,
    /// Visited; the game is not over, and there are no children yet.
    Leaf = 2,
    /// Claimed: one thread is creating the children.
    Expanding = 3,
    Expanded = 4,
    /// The game is over here.
    Terminal = 5,
    /// The position was solved at another node.
    Known = 6,
}

/// A copy of a node's word.
///
/// ```text
///  bits   0..32   index of the first child; at a leaf the move that was tried (`tried.rs`)
///  bits  32..48   number of children
///  bits  48..52   mover: the player whose turn it is, or chance
///  bits  52..55   stage
///  bit   55       OWNED      a thread is recomputing this node
///  bit   56       DIRTY      a child changed since the owner began its last round
///  bit   57       STALE      cached ranks of the children are out of date
///  bit   58       SKIP       something is proven about a child, so some children may be skipped
///  bit   59       SOLVED     nothing is left to find out below, for the question asked
///  bit   60       EXACT      the payoffs of all players are known, however everybody plays
///  bit   61       RANKING    a thread is updating the cached ranks of the children
///  bit   63       KEPT       its children were pruned once: facts and visits may exceed theirs
/// ```
///
/// Every change is a read-modify-write of the whole word, and so continues the release sequence of
/// the previous change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word(pub(super) u64);

pub(super) const COUNT_SHIFT: u32 = 32;
pub(super) const MOVER_SHIFT: u32 = 48;
pub(super) const STAGE_SHIFT: u32 = 52;
const STAGE_MASK: u64 = 7 << STAGE_SHIFT;
pub(super) const OWNED: u64 = 1 << 55;
pub(super) const DIRTY: u64 = 1 << 56;
pub(super) const STALE: u64 = 1 << 57;
pub(super) const SKIP: u64 = 1 << 58;
pub(super) const SOLVED: u64 = 1 << 59;
pub(super) const EXACT: u64 = 1 << 60;
pub(super) const RANKING: u64 = 1 << 61;
pub(super) const KEPT: u64 = 1 << 63;

/// Defines methods that return whether a word has any of the given flags.
macro_rules! flags {
    ($($name:ident: $flags:expr;)*) => {
        $(#[inline]
        pub(crate) fn $name(self) -> bool {
            self.0 & ($flags) != 0
        })*
    };
}

impl Word {
    flags! {
        is_owned: OWNED | DIRTY;
        is_stale: STALE;
        is_ranked_now: RANKING;
        may_skip: SKIP;
        is_solved: SOLVED;
        is_exact: EXACT;
        is_kept: KEPT;
    }

    #[inline]
    pub(crate) fn stage(self) -> Stage {
        match self.0 >> STAGE_SHIFT & 7 {
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

    #[inline]
    pub(crate) fn is_expanded(self) -> bool {
        self.0 & STAGE_MASK == (Stage::Expanded as u64) << STAGE_SHIFT
    }

    /// The index of the first child; valid only for expanded nodes.
    #[inline]
    pub(crate) fn first_child(self) -> u32 {
        self.0 as u32
    }

    /// The number of children; 0 until expanded.
    #[inline]
    pub(crate) fn num_children(self) -> usize {
        (self.0 >> COUNT_SHIFT) as usize & MAX_CHILDREN
    }

    /// The player to move, or [`CHANCE`]; valid only for leaves and expanded nodes.
    #[inline]
    pub(crate) fn mover(self) -> usize {
        (self.0 >> MOVER_SHIFT) as usize & 15
    }

    #[inline]
    pub(crate) fn is_chance(self) -> bool {
        self.mover() == CHANCE
    }

    /// The word of a leaf without the move that was tried there.
    pub(super) fn without_tried(self) -> Word {
        Word(self.0 & !u64::from(u32::MAX))
    }

    pub(super) fn with_stage(self, stage: Stage) -> Word {
        Word(self.0 & !STAGE_MASK | (stage as u64) << STAGE_SHIFT)
    }
}

/// A value of 1 in the fixed-point numbers in which playout values are summed, so that sums do not
/// depend on the order of the additions.
pub(crate) const VALUE_ONE: i64 = 1 << 14;

const IN_FLIGHT_SHIFT: u32 = 46;
const ONE_IN_FLIGHT: u64 = 1 << IN_FLIGHT_SHIFT;
pub(crate) const VISITS_MASK: u64 = ONE_IN_FLIGHT - 1;

/// The bits for playouts in flight are enough to count one playout for each thread.
const _: () = assert!(1 << (u64::BITS - IN_FLIGHT_SHIFT) > *crate::settings::Config::THREADS.end());

/// A node of the tree. Zeroed memory is a valid node that was never visited.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Node {
    /// The number of finished playouts in the low 46 bits, that of unfinished ones above.
    pub(super) visits: AtomicU64,
    /// The sum of the playouts' values for the player who moved here.
    value_sum: AtomicI64,
    pub(super) word: AtomicU64,
}

zeroed!(Node, Node::new());

const _: () = assert!(cfg!(loom) || size_of::<Node>() == 24);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Statistics {
    pub(crate) visits: u64,
    pub(crate) in_flight: u64,
    pub(crate) value_sum: i64,
}

impl Node {
    #[cfg(loom)]
    pub(crate) fn new() -> Node {
        Node { visits: AtomicU64::new(0), value_sum: AtomicI64::new(0), word: AtomicU64::new(0) }
    }

    /// Loads the word.
    ///
    /// Acquire: dependent data (children, moves, leaf numbers) is read next; pairs with the Release
    /// in `publish_children` and `publish_evaluation`.
    #[inline]
    pub(crate) fn load(&self) -> Word {
        Word(self.word.load(unless_broken(Fault::RelaxedPublish, Ordering::Acquire)))
    }

    #[inline]
    pub(crate) fn statistics(&self) -> Statistics {
        let (word, value_sum) = self.visits_and_sum();
        Statistics { visits: word & VISITS_MASK, in_flight: word >> IN_FLIGHT_SHIFT, value_sum }
    }

    /// The visits, together with the playouts in flight, and the sum of the values.
    #[inline]
    pub(crate) fn visits_and_sum(&self) -> (u64, i64) {
        (self.visits.load(Ordering::Relaxed), self.value_sum.load(Ordering::Relaxed))
    }

    /// Counts a playout in flight below this node.
    #[inline]
    pub(crate) fn enter(&self) {
        self.visits.fetch_add(ONE_IN_FLIGHT, Ordering::Relaxed);
    }

    /// Reverts [`enter`](Node::enter) for a playout that was abandoned.
    pub(crate) fn leave(&self) {
        self.visits.fetch_sub(ONE_IN_FLIGHT, Ordering::Relaxed);
    }

    /// Adds finished playouts, and the sum of their values for the player who moved here; if
    /// `in_flight`, one playout ceases to be in flight. With many writers, this takes atomic
    /// read-modify-writes, because other threads may add visits and playouts at any time.
    #[inline(always)]
    pub(crate) fn add(&self, writers: Writers, playouts: u64, value_sum: i64, in_flight: bool) {
        let counts = playouts.wrapping_sub(if in_flight { ONE_IN_FLIGHT } else { 0 });
        match writers {
            Writers::One => {
                let (visits, sum) = self.visits_and_sum();
                self.set_statistics(visits.wrapping_add(counts), sum + value_sum);
            }
            Writers::Many => {
                self.value_sum.fetch_add(value_sum, Ordering::Relaxed);
                self.visits.fetch_add(counts, Ordering::Relaxed);
            }
        }
    }

    /// Replaces the statistics, while no other thread changes them.
    #[inline]
    pub(super) fn set_statistics(&self, visits: u64, value_sum: i64) {
        self.visits.store(visits, Ordering::Relaxed);
        self.value_sum.store(value_sum, Ordering::Relaxed);
    }

    /// Sets the word of a node that no other thread can see yet. The store is relaxed, because
    /// publishing the node's block releases it.
    pub(super) fn prepare(&self, stage: Stage, mover: usize, flags: u64) {
        let word = (stage as u64) << STAGE_SHIFT | (mover as u64) << MOVER_SHIFT;
        self.word.store(word | flags, Ordering::Relaxed);
    }

    /// Claims the node for the calling thread, by advancing it from stage `from` to `claimed`;
    /// returns `None` if another thread was faster. Dropping an unused claim, even in a panic of
    /// the game's code, gives it back.
    ///
    /// No two threads hold a claim on the same node at once: of many writers, only one succeeds
    /// with its exchange, and a single writer has no competitor. Memory safety depends on this: see
    /// fact 4 in `arena.rs`.
    pub(super) fn claim(
        &self,
        from: Stage,
        claimed: Stage,
        writers: Writers,
    ) -> Option<NodeClaim<'_>> {
        let claim = |before| NodeClaim { node: self, before, open: true, writers };
        let mut current = self.word.load(Ordering::Relaxed);
        loop {
            let word = Word(current);
            if word.stage() != from {
                let lost_race_ignored = broken(Fault::UnclaimedExpansion)
                    && from == Stage::Leaf
                    && word.stage() == claimed;
                crate::sync::claimed(false);
                crate::threads::count(Event::ClaimLost);
                return lost_race_ignored.then(|| claim(word.with_stage(from)));
            }
            // Acquire: the holder reads what the previous claim published (a leaf's numbers); pairs
            // with the Release of `publish`.
            let new = word.without_tried().with_stage(claimed).0;
            match exchange(&self.word, writers, current, new, Ordering::Acquire) {
                Ok(_) => {
                    crate::sync::claimed(true);
                    return Some(claim(word));
                }
                Err(seen) => current = seen,
            }
        }
    }
}

/// One thread's right to advance a node to its next stage.
#[derive(Debug)]
pub(crate) struct NodeClaim<'t> {
    node: &'t Node,
    pub(super) before: Word,
    open: bool,
    writers: Writers,
}

impl NodeClaim<'_> {
    /// Publishes a node's evaluation: `Leaf` with its mover, `Terminal` or `Known`.
    ///
    /// Release: a thread that sees the stage must also see the numbers and intervals written under
    /// the claim; pairs with the Acquire in [`Node::load`] and in [`Node::claim`].
    pub(super) fn publish_evaluation(mut self, stage: Stage, mover: usize, flags: u64) {
        self.open = false;
        let change = (stage as u64 ^ Stage::Evaluating as u64) << STAGE_SHIFT
            | (mover as u64) << MOVER_SHIFT
            | flags;
        self.publish(change, Ordering::Release);
    }

    /// Publishes the children and sets `flags` with them; returns the word.
    ///
    /// Release the children's fields and moves; pairs with the Acquire in [`Node::load`].
    pub(super) fn publish_children(mut self, first: u32, count: usize, flags: u64) -> Word {
        self.open = false;
        crate::threads::count(Event::Expansion);
        let change = (Stage::Expanded as u64 ^ Stage::Expanding as u64) << STAGE_SHIFT
            | u64::from(first)
            | (count as u64) << COUNT_SHIFT
            | flags;
        // No other thread writes a claimed node's word, except to clear STALE, which no leaf has
        // set, so the bits to be flipped are as expected.
        let order = unless_broken(Fault::RelaxedPublish, Ordering::AcqRel);
        self.publish(change, order)
    }

    /// Flips the bits `change` of the word; returns the new word. Only the claim's holder writes
    /// here, so with a single writer a plain store suffices.
    #[inline]
    fn publish(&self, change: u64, order: Ordering) -> Word {
        let word = &self.node.word;
        Word(if self.writers == Writers::One {
            // Release: threads that only read acquire the word.
            let order = unless_broken(Fault::RelaxedPublish, Ordering::Release);
            let new = word.load(Ordering::Relaxed) ^ change;
            word.store(new, order);
            new
        } else {
            word.fetch_xor(change, order) ^ change
        })
    }
}

impl Drop for NodeClaim<'_> {
    fn drop(&mut self) {
        if self.open && !broken(Fault::ForgottenGuard) {
            // Release: the next holder's claim acquires what was written.
            let mut current = self.node.word.load(Ordering::Relaxed);
            while let Err(seen) = self.node.word.compare_exchange_weak(
                current,
                Word(current).with_stage(self.before.stage()).0,
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                current = seen;
            }
        }
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
