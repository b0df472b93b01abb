//! One node: what is common to games with any number of players.
//!
//! Who may write what, and when:
//!
//! | field | written by | rule |
//! |---|---|---|
//! | visits, value sum | every playout that passes; for nodes with many visits, each thread now and then (`playout/path_cache.rs`) | additions, relaxed: nothing is read because of them |
//! | in flight | every playout that passes, but for nodes with many visits | +1 on the way down, −1 on the way up or when the playout fails |
//! | word: stage, mover, children | the holder of the claim | forward only, published with Release |
//! | word: the try of a leaf | who tried one of its moves | once, while it is a leaf (`tried.rs`) |
//! | word: OWNED, DIRTY | whoever announces; the owner | see `backup.rs` |
//! | word: SKIP, SETTLED, EXACT | the owner, or the claim's holder | only ever set |
//! | word: STALE | set with an announcement, cleared by a ranker | cleared *before* the children are read |
//! | word: RANKING | a reader that found STALE, if no other is at it | held while the cached ranks are written |
//!
//! A node's intervals and proof numbers stand beside it in columns of the
//! arena; they too are written only by the owner or the claim's holder.

use super::word::{COUNT_SHIFT, KEPT, MOVER_SHIFT, RANKING, STALE, Stage, Word};
use crate::memory::zeroed;
use crate::sync::{
    AtomicI64, AtomicU64, Fault, Ordering, Writers, broken, exchange, unless_broken,
};
use crate::threads::Event;

/// Playout values are summed in this fixed-point unit, so that sums do not
/// depend on the order in which threads add.
pub(crate) const VALUE_ONE: i64 = 1 << 14;

/// The mean of values that were summed over `visits`; `None` before the first.
pub(crate) fn mean(sum: i64, visits: u64) -> Option<f64> {
    (visits > 0).then(|| sum as f64 / visits as f64 / VALUE_ONE as f64)
}

const IN_FLIGHT_SHIFT: u32 = 46;
const ONE_IN_FLIGHT: u64 = 1 << IN_FLIGHT_SHIFT;
pub(crate) const VISITS_MASK: u64 = ONE_IN_FLIGHT - 1;

/// A word of visits holds as many playouts under way as there are threads.
const _: () = assert!(1 << (u64::BITS - IN_FLIGHT_SHIFT) > *crate::settings::Config::THREADS.end());

/// A move that was tried once, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tried {
    /// The number of the move.
    pub(crate) number: u16,
    /// What the playout was worth to the player who moves, in parts of `VALUE_ONE`.
    pub(crate) value: i16,
}

/// What is written of a node beside what is proven of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Never one that is claimed.
    pub(crate) stage: Stage,
    /// It lost its children once, and may know more than those that it has.
    pub(crate) is_kept: bool,
    pub(crate) visits: u64,
    pub(crate) value_sum: i64,
    /// What a leaf remembers.
    pub(crate) tried: Option<Tried>,
}

/// A node of the tree. Zeroed memory is a valid node that was never visited.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Node {
    /// Finished playouts in the low 46 bits, unfinished ones in the others.
    visits: AtomicU64,
    /// Sum of the playouts' values for the player who moved here.
    value_sum: AtomicI64,
    pub(super) word: AtomicU64,
}

zeroed!(Node, Node::new());

const _: () = assert!(cfg!(loom) || size_of::<Node>() == 24);

/// A node's statistics at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statistics {
    pub(crate) visits: u64,
    pub(crate) in_flight: u64,
    pub(crate) value_sum: i64,
}

impl Statistics {
    #[inline]
    fn of(word: u64, value_sum: i64) -> Statistics {
        Statistics { visits: word & VISITS_MASK, in_flight: word >> IN_FLIGHT_SHIFT, value_sum }
    }
}

impl Node {
    #[cfg(loom)]
    pub(crate) fn new() -> Node {
        Node { visits: AtomicU64::new(0), value_sum: AtomicI64::new(0), word: AtomicU64::new(0) }
    }

    /// The word.
    ///
    /// Acquire: what hangs on it (children, moves, leaf numbers) is read next;
    /// pairs with the Release in `publish_children` and `publish_evaluation`.
    #[inline]
    pub(crate) fn load(&self) -> Word {
        Word(self.word.load(unless_broken(Fault::RelaxedPublish, Ordering::Acquire)))
    }

    #[inline]
    pub(crate) fn statistics(&self) -> Statistics {
        let word = self.visits.load(Ordering::Relaxed);
        Statistics::of(word, self.value_sum.load(Ordering::Relaxed))
    }

    /// A word that is the number of visits while no playout is under way, and the sum
    /// of values.
    #[inline]
    pub(crate) fn visits_and_sum(&self) -> (u64, i64) {
        (self.visits.load(Ordering::Relaxed), self.value_sum.load(Ordering::Relaxed))
    }

    /// Counts a playout that is under way below this node.
    #[inline]
    pub(crate) fn enter(&self) {
        self.visits.fetch_add(ONE_IN_FLIGHT, Ordering::Relaxed);
    }

    /// Adds finished playouts, and the sum of their values for the player who moved here. One that
    /// was `in_flight` is under way no more. Among several writers by read-modify-writes, because
    /// others add theirs, and their playouts under way, at any moment.
    #[inline(always)]
    pub(crate) fn add(&self, writers: Writers, playouts: u64, value_sum: i64, in_flight: bool) {
        let counts = playouts.wrapping_sub(if in_flight { ONE_IN_FLIGHT } else { 0 });
        match writers {
            Writers::One => {
                let visits = self.visits.load(Ordering::Relaxed);
                self.visits.store(visits.wrapping_add(counts), Ordering::Relaxed);
                let sum = self.value_sum.load(Ordering::Relaxed);
                self.value_sum.store(sum + value_sum, Ordering::Relaxed);
            }
            Writers::Many => {
                self.value_sum.fetch_add(value_sum, Ordering::Relaxed);
                self.visits.fetch_add(counts, Ordering::Relaxed);
            }
        }
    }

    /// Takes back [`enter`](Node::enter) for a playout that came to nothing.
    pub(crate) fn leave(&self) {
        self.visits.fetch_sub(ONE_IN_FLIGHT, Ordering::Relaxed);
    }

    /// Where a span of free memory begins: the next one's index and the number
    /// of nodes in this one. Relaxed: see `free.rs`.
    pub(super) fn set_link(&self, next: u32, count: u32) {
        self.visits.store(u64::from(count) << 32 | u64::from(next), Ordering::Relaxed);
    }

    /// As [`set_link`](Node::set_link) left it; without meaning for a node in use.
    pub(super) fn link(&self) -> (u32, u32) {
        let link = self.visits.load(Ordering::Relaxed);
        (link as u32, (link >> 32) as u32)
    }

    /// Makes the node as if it was never visited. Only for one that nobody else
    /// can reach.
    pub(super) fn zero(&self) {
        self.set_statistics(0, 0);
        self.word.store(0, Ordering::Relaxed);
    }

    /// Takes on what a file says, while nobody else can reach the node. Its facts and its
    /// stage are there already.
    pub(super) fn restore(&self, record: &Record) {
        self.set_statistics(record.visits & VISITS_MASK, record.value_sum);
        if record.is_kept {
            self.word.fetch_or(KEPT, Ordering::Relaxed);
        }
    }

    /// Replaces the statistics, while no thread is in the tree.
    pub(super) fn set_statistics(&self, visits: u64, value_sum: i64) {
        self.visits.store(visits, Ordering::Relaxed);
        self.value_sum.store(value_sum, Ordering::Relaxed);
    }

    /// Claims the step from `from` to `claimed` for the calling thread; `None`
    /// when another thread was faster. The claim is given back when it is
    /// dropped unused, also by a panic in the game's code.
    ///
    /// No two threads hold a claim of one node at once. Of many writers one succeeds
    /// with its exchange; one writer has nobody to compete with. Memory safety hangs on
    /// it: see fact 4 in `arena.rs`.
    pub(super) fn claim(
        &self,
        from: Stage,
        claimed: Stage,
        writers: Writers,
    ) -> Option<NodeClaim<'_>> {
        let mut current = self.word.load(Ordering::Relaxed);
        loop {
            let word = Word(current);
            if word.stage() != from {
                let lost_race_ignored = broken(Fault::UnclaimedExpansion)
                    && from == Stage::Leaf
                    && word.stage() == claimed;
                crate::sync::claimed(false);
                crate::threads::count(Event::ClaimLost);
                let before = word.with_stage(from);
                return lost_race_ignored.then(|| NodeClaim {
                    node: self,
                    before,
                    open: true,
                    writers,
                });
            }
            // Acquire: the holder reads what the claim before it published
            // (a leaf's numbers); pairs with the Release of `publish`.
            let new = word.without_tried().with_stage(claimed).0;
            match exchange(&self.word, writers, current, new, Ordering::Acquire) {
                Ok(_) => {
                    crate::sync::claimed(true);
                    return Some(NodeClaim { node: self, before: word, open: true, writers });
                }
                Err(seen) => current = seen,
            }
        }
    }

    /// Sets the word of a node that no other thread can see yet: relaxed, for
    /// the publication of its block releases it.
    pub(super) fn prepare(&self, stage: Stage, mover: usize, flags: u64) {
        let word = (stage as u64) << super::word::STAGE_SHIFT | (mover as u64) << MOVER_SHIFT;
        self.word.store(word | flags, Ordering::Relaxed);
    }

    /// Takes the right to bring the children's cached ranks up to date, and
    /// clears the mark that they are not; returns `false` when there is nothing
    /// to do or another thread is at it. The taker reads the children, stores
    /// ranks and ends with [`end_ranking`](Node::end_ranking).
    ///
    /// One ranker at a time: of two, the one that read older numbers could store
    /// last, after the other has cleared the mark that those numbers set. The
    /// mark goes *before* the children are read: a number that changes later
    /// sets it again, for the next visit.
    ///
    /// Acquire: pairs with the announcement that set the mark, so that its
    /// child's number is seen, and with the Release of the ranker before, so
    /// that our ranks come after its own.
    pub(crate) fn begin_ranking(&self) -> bool {
        let mut current = self.word.load(Ordering::Relaxed);
        loop {
            if current & STALE == 0 {
                return false;
            }
            if current & RANKING != 0 && !broken(Fault::TwoRankers) {
                return false;
            }
            let cleared = if broken(Fault::LateRankFlag) { 0 } else { STALE };
            match self.word.compare_exchange_weak(
                current,
                current & !cleared | RANKING,
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(seen) => current = seen,
            }
        }
    }

    /// Ends what [`begin_ranking`](Node::begin_ranking) began.
    ///
    /// Release: the next ranker's stores must come after ours; pairs with its
    /// Acquire.
    pub(crate) fn end_ranking(&self) {
        let late = if broken(Fault::LateRankFlag) { STALE } else { 0 };
        self.word.fetch_and(!(RANKING | late), Ordering::Release);
    }
}

/// The right to take a node one stage further, held by one thread.
#[derive(Debug)]
pub(crate) struct NodeClaim<'t> {
    pub(super) node: &'t Node,
    /// The word that was claimed.
    before: Word,
    open: bool,
    writers: Writers,
}

impl NodeClaim<'_> {
    /// The move that was tried at the leaf, if one was. A claim that is given back forgets it.
    #[inline]
    pub(crate) fn tried(&self) -> Option<Tried> {
        self.before.tried()
    }

    /// Publishes a node's evaluation: `Leaf` with its mover, or `Terminal`.
    ///
    /// Release: the numbers and intervals written under the claim must be seen
    /// by whoever sees the stage; pairs with the Acquire in [`Node::load`] and
    /// in [`Node::claim`].
    pub(super) fn publish_evaluation(mut self, stage: Stage, mover: usize, flags: u64) {
        self.open = false;
        let change = (stage as u64 ^ Stage::Evaluating as u64) << super::word::STAGE_SHIFT
            | (mover as u64) << MOVER_SHIFT
            | flags;
        self.publish(change, Ordering::Release);
    }

    /// Publishes the children and sets `flags` with them; returns the word.
    ///
    /// Release: the children's fields and moves were written before; pairs
    /// with the Acquire in [`Node::load`].
    pub(super) fn publish_children(mut self, first: u32, count: usize, flags: u64) -> Word {
        self.open = false;
        crate::threads::count(Event::Expansion);
        let change = (Stage::Expanded as u64 ^ Stage::Expanding as u64) << super::word::STAGE_SHIFT
            | u64::from(first)
            | (count as u64) << COUNT_SHIFT
            | flags;
        // Nobody else writes a claimed node's word, except to clear STALE,
        // which no leaf has set: the exchanged bits are as expected.
        let order = unless_broken(Fault::RelaxedPublish, Ordering::AcqRel);
        self.publish(change, order)
    }

    /// Exchanges bits of the word; returns the new one. The claim is this thread's alone:
    /// with one writer, a store that nobody else's could come before or after.
    #[inline]
    fn publish(&self, change: u64, order: Ordering) -> Word {
        let word = &self.node.word;
        Word(if self.writers == Writers::One {
            // Release: threads that only read acquire it.
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
