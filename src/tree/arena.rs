//! The memory of nodes: chunks of columns, handed out in blocks.
//!
//! The arena is a table of chunks. A chunk holds one column for each kind of data. A column that
//! the search does not need is empty and takes no memory. Columns store together what one scan
//! reads, and suit any number of players and any type of move.
//!
//! The children of a node are one block of consecutive indices; a block never straddles chunks.
//! Each thread carves blocks from its own slab. `chunks.rs` creates slabs; `free.rs` recycles
//! blocks.
//!
//! The `unsafe` code here rests on four facts:
//! 1. a chunk pointer changes only once, from null to a chunk, so a reference to a chunk lives as
//!    long as the arena; and no index is handed out before its chunk is installed (see
//!    [`Arena::bump`]);
//! 2. every column except the moves consists of atomics for which zeroed memory is a valid value
//!    (`pages.rs`), so nodes need no initialisation and sharing them is safe;
//! 3. a move is written only through a [`Reservation`], which is the exclusive right to its
//!    indices, and read only through [`Block`]s made from the word of an expanded node, which was
//!    published after the write (`growth.rs`). Indices are reserved again only when no thread can
//!    still have such a word: see the rules in `free.rs`;
//! 4. only the thread that holds a node's claim publishes its word. With many writers, an exchange
//!    grants the claim to one thread; in a tree for a single writer
//!    ([`Writers`](crate::sync::Writers)), a claim is a plain store, and no other thread claims at
//!    the same time. A tree's writers are fixed when it is created, from the number of threads of
//!    its search, and the code that starts threads asserts that the tree admits that many. If two
//!    threads published the same node, their changes would mix in one word, with indices that were
//!    never handed out.

use super::columns::columns;
use super::lists::Lists;
use super::node::{Node, NodeClaim, Word};
use crate::bounds::{
    AtomicInterval, AtomicProofNumber, AtomicSpan, AtomicStatus, NumberCell, ProofNumber,
};
use crate::memory::{Pages, Refused, Zeroed};
use crate::sync::{
    AtomicBool, AtomicF64, AtomicPtr, AtomicU16, AtomicU32, AtomicU64, Ordering, UnsafeCell,
};
use crossbeam_utils::CachePadded;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

pub(super) type MoveByte = UnsafeCell<MaybeUninit<u8>>;

// Defines [`Columns`], [`Chunk`] and the accessors of [`Block`]. A row has the column's name, the
// number of values per node (or whether there is one), their type, and a function that resets a
// value.
columns! {
    /// Proof numbers, one for each player, if the search counts them.
    proof_numbers: usize => AtomicProofNumber, zeroed by AtomicProofNumber::zero;
    /// Each player's status (proven, open, impossible), if proof numbers are not counted.
    statuses: usize => AtomicStatus, zeroed by AtomicStatus::zero;
    /// Intervals: one for zero-sum games, else one for each player; none without score bounds.
    intervals: usize => AtomicInterval, zeroed by AtomicInterval::zero;
    /// Intervals in fixed point, which replace `intervals` in games with chance.
    spans: usize => AtomicSpan, zeroed by AtomicSpan::zero;
    /// The weights of chance outcomes.
    weights: bool => AtomicU32, zeroed by |weight| weight.store(0, Ordering::Relaxed);
    /// Cached ranks, for bias formulas that rank the children.
    ranks: bool => AtomicU16, zeroed by |rank| rank.store(0, Ordering::Relaxed);
    /// The evaluator's priors, as 16-bit fractions, if it has priors.
    priors: bool => AtomicU16, zeroed by |prior| prior.store(0, Ordering::Relaxed);
    /// The number of evaluations that ended at each node, for the audit.
    evaluations: bool => AtomicU32, zeroed by |count| count.store(0, Ordering::Relaxed);
    /// The log-odds that side 0's claim is true.
    log_odds: bool => AtomicF64, zeroed by |cell| cell.store(0.0, Ordering::Relaxed);
}

// SAFETY: the moves are the only field that is not already `Sync`. They are written through a
// `Reservation`, which no two threads share, and read after the Acquire that pairs with their
// publication (fact 3). Here they are bytes, which threads may share; a `MoveTree` is `Sync` only
// if its moves are (`growth.rs`).
unsafe impl Sync for Chunk {}

/// A block's proof numbers: all players' at the first node, then at the next, and so on.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'t> {
    Counted(&'t [AtomicProofNumber]),
    Statuses(&'t [AtomicStatus]),
}

/// Evaluates `$body` with `$cells` bound to a block's proof numbers, for either type of cell.
macro_rules! with_numbers {
    ($numbers:expr, $cells:ident => $body:expr) => {
        match $numbers {
            $crate::tree::Numbers::Counted($cells) => $body,
            $crate::tree::Numbers::Statuses($cells) => $body,
        }
    };
}
pub(crate) use with_numbers;

impl Numbers<'_> {
    #[inline]
    pub(crate) fn load(self, at: usize) -> ProofNumber {
        with_numbers!(self, cells => cells[at].load())
    }

    /// Returns whether nothing is proven for any player.
    #[inline]
    pub(super) fn are_open(self) -> bool {
        with_numbers!(self, cells => cells.iter().all(|cell| cell.load().is_open()))
    }
}

/// Consecutive nodes with their columns, from `index` in the arena and `start` in the chunk.
#[derive(Clone, Copy)]
pub(crate) struct Block<'t> {
    chunk: &'t Chunk,
    columns: Columns,
    index: u32,
    start: usize,
    len: usize,
}

impl<'t> Block<'t> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    /// The index of node `number` of the block.
    #[inline]
    pub(crate) fn index(self, number: usize) -> u32 {
        debug_assert!(number < self.len);
        self.index + number as u32
    }

    #[inline]
    pub(crate) fn nodes(self) -> &'t [Node] {
        &self.chunk.nodes[self.start..self.start + self.len]
    }

    #[inline]
    pub(crate) fn numbers(self) -> Numbers<'t> {
        match self.columns.statuses {
            0 => Numbers::Counted(self.proof_numbers()),
            _ => Numbers::Statuses(self.statuses()),
        }
    }

    /// Prefetches the moves, which will be needed soon.
    #[inline(always)]
    pub(crate) fn prefetch_moves(self) {
        #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let first = self.chunk.moves.as_ptr();
            let first = first.wrapping_add(self.start * self.columns.move_bytes);
            // SAFETY: a prefetch changes nothing that a program can see, whatever
            // the address; every x86-64 processor has the instruction.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.cast()) };
        }
    }

    /// The bytes of the move of node `number`; fact 3 in the module documentation applies.
    #[inline(always)]
    pub(super) fn move_bytes<M>(self, number: usize) -> &'t [MoveByte] {
        debug_assert!(number < self.len && self.columns.move_bytes == size_of::<M>());
        let first = (self.start + number) * size_of::<M>();
        &self.chunk.moves[first..first + size_of::<M>()]
    }
}

/// The number of nodes in a chunk. Under Loom and Miri chunks are small, because a test would
/// otherwise never reach a second one.
pub(crate) const CHUNK: usize = if cfg!(loom) {
    8
} else if cfg!(miri) {
    64
} else {
    1 << 16
};

/// The nodes of one tree.
pub(crate) struct Arena {
    pub(super) chunks: Box<[AtomicPtr<Chunk>]>,
    pub(super) columns: Columns,
    /// The number of indices handed out so far, and the number of nodes in use.
    pub(super) extent: CachePadded<AtomicU64>,
    /// The capacity in nodes.
    pub(super) end: u64,
    /// The maximum number of nodes in use: less than `end` if the search has a budget or the system
    /// has run out of memory.
    pub(super) cap: AtomicU64,
    /// Whether the system has refused a chunk's memory. Relaxed: no other data depends on it.
    pub(super) starved: AtomicBool,
    pub(super) lists: Lists,
    /// The pointers above own their chunks, so the arena is `Send` and `Sync` only if a chunk is.
    pub(super) _owns: PhantomData<Chunk>,
}

/// Consecutive indices from which one thread carves blocks.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    pub(super) start: u32,
    pub(super) left: u32,
}

/// The exclusive right to a run of fresh nodes that no other thread has seen yet.
#[derive(Debug)]
pub(crate) struct Reservation {
    pub(super) first: u32,
    pub(super) count: usize,
}

/// A reservation whose moves are written. Only `MoveTree::fill` creates one.
#[derive(Debug)]
pub(crate) struct Filled(pub(super) Reservation);

/// The error returned if the arena has no room for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Arena {
    pub(crate) fn columns(&self) -> Columns {
        self.columns
    }

    /// Reserves a block of `count` nodes, from `slab` if it has room.
    ///
    /// # Errors
    /// [`Full`] if the budget has no room for another block of this size.
    pub(crate) fn reserve(&self, slab: &mut Slab, count: usize) -> Result<Reservation, Full> {
        let size = count as u32;
        let first = if size <= slab.left { slab.carve(size) } else { self.refill(slab, size)? };
        Ok(Reservation { first, count })
    }

    #[inline]
    pub(super) fn chunk(&self, number: usize) -> &Chunk {
        let chunk = self.chunks[number].load(Ordering::Acquire);
        assert!(
            cfg!(not(any(debug_assertions, loom))) || !chunk.is_null(),
            "an index was used before its chunk could be seen"
        );
        // SAFETY: the index was handed out by `bump`, which had installed the chunk before and
        // released it; every other thread got the index through a later Release/Acquire pair, in a
        // word that one thread published (fact 4). A chunk stays until the arena is dropped (fact
        // 1).
        unsafe { &*chunk }
    }

    /// The node with this index, which must have been handed out.
    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.chunk(index as usize / CHUNK).nodes[index as usize % CHUNK]
    }

    /// The node with this index, as a block of one node.
    #[inline]
    pub(crate) fn single(&self, index: u32) -> Block<'_> {
        self.block(index, 1)
    }

    /// The children of a node; empty unless the node is expanded.
    #[inline]
    pub(crate) fn children(&self, word: Word) -> Block<'_> {
        match word.num_children() {
            // A leaf may store a tried move in the bits of the first child's index.
            0 => self.block(0, 0),
            count => self.block(word.first_child(), count),
        }
    }

    /// The fresh nodes of a reservation, to be prepared before publication.
    pub(crate) fn fresh(&self, reservation: &Reservation) -> Block<'_> {
        self.block(reservation.first, reservation.count)
    }

    #[inline]
    pub(super) fn block(&self, first: u32, count: usize) -> Block<'_> {
        let chunk = self.chunk(first as usize / CHUNK);
        let start = first as usize % CHUNK;
        Block { chunk, columns: self.columns, index: first, start, len: count }
    }

    /// Publishes a block, whose moves are written, as the children of the claimed node.
    pub(crate) fn publish(&self, claim: NodeClaim<'_>, filled: Filled, flags: u64) -> Word {
        claim.publish_children(filled.0.first, filled.0.count, flags)
    }
}
