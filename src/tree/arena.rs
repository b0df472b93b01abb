//! Where nodes live: chunks of columns, handed out in blocks.
//!
//! The arena is a table of chunks. A chunk is allocated before the first block
//! in it is reserved, stays where it is until the arena is dropped, and holds
//! one column for each kind of data (`columns.rs`).
//!
//! The children of a node are one block of consecutive indices; a block never
//! straddles chunks. Threads carve blocks from slabs of their own and slabs
//! from one counter, which ends where the memory does; blocks that came back
//! (`free.rs`) are used before fresh memory. How many nodes are in use is
//! counted, and capped: the budget. Where the system has no memory for a chunk, the
//! arena is full there and then: the cap comes down to the chunks that there are.
//!
//! The `unsafe` code here rests on four facts:
//! 1. a chunk pointer goes from null to a chunk once and never back, so a
//!    reference to a chunk lives as long as the arena; and no index is handed out
//!    before its chunk is there (see [`Arena::bump`]);
//! 2. every column but the moves is made of atomics for which zeroed memory is
//!    a value (`pages.rs`), so nodes need no initialisation and sharing them is safe;
//! 3. a move is written only through a [`Reservation`], which is the sole
//!    right to its indices, and read only through [`Block`]s made from the
//!    word of an expanded node, which was published after the write (`moves.rs`).
//!    Indices come back to be reserved again only when no thread can hold such a
//!    word: see the rules in `free.rs`;
//! 4. the word of a node is published by one thread, which holds the node's claim. Where
//!    many threads write, an exchange gives a claim to one of them; where the tree was
//!    made for one ([`Writers`](crate::sync::Writers)), a claim is a plain store, and
//!    nobody else claims at the same time. A tree's writers are fixed when it is made,
//!    from the number of threads of its search, and who starts threads asserts that
//!    they admit so many. Two threads that published one node would mix two words into
//!    one, whose indices nobody handed out.

use super::columns::{Block, Chunk, Columns};
use super::lists::{Lists, Stretch};
use super::node::{Node, NodeClaim, Word};
use crate::sync::{AtomicBool, AtomicPtr, AtomicU64, Fault, Ordering, broken};
use crossbeam_utils::CachePadded;
use std::marker::PhantomData;

/// Nodes in a chunk. Tools that try every interleaving or check every access
/// get small ones, or they would never see a second.
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
    /// How far indices were handed out, and how many nodes are in use.
    pub(super) extent: CachePadded<AtomicU64>,
    /// Indices end here: the memory.
    pub(super) end: u64,
    /// The most that may be used; may be lowered for a search with a budget, and is
    /// where the system has no more memory.
    pub(super) cap: AtomicU64,
    /// The system had no memory for a chunk. Relaxed: no other data hangs on it.
    pub(super) starved: AtomicBool,
    pub(super) lists: Lists,
    /// The pointers above own their chunks: the arena may be sent and shared
    /// between threads where a chunk may.
    pub(super) _owns: PhantomData<Chunk>,
}

/// Consecutive indices that one thread may carve blocks from.
#[derive(Debug, Default)]
pub(crate) struct Slab {
    pub(super) start: u32,
    pub(super) left: u32,
}

impl Slab {
    /// Nodes that are left in it.
    pub(crate) fn left(&self) -> u64 {
        u64::from(self.left)
    }

    /// Takes the first nodes, of which there must be enough.
    pub(super) fn carve(&mut self, size: u32) -> u32 {
        let first = self.start;
        self.start += size;
        self.left -= size;
        first
    }
}

/// The sole right to a run of fresh nodes that nobody has seen yet.
#[derive(Debug)]
pub(crate) struct Reservation {
    first: u32,
    count: usize,
}

/// A reservation whose moves are written.
#[derive(Debug)]
pub(crate) struct Filled(Reservation);

impl Filled {
    /// For `MoveTree::fill` alone, which has written a move for each node.
    #[inline]
    pub(super) fn by_fill(reservation: Reservation) -> Filled {
        Filled(reservation)
    }

    pub(super) fn into_inner(self) -> Reservation {
        self.0
    }

    pub(super) fn reservation(&self) -> &Reservation {
        &self.0
    }
}

/// The arena has no room for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Arena {
    pub(crate) fn columns(&self) -> Columns {
        self.columns
    }

    /// Reserves a block of `count` nodes, from `slab` where it has room.
    ///
    /// # Errors
    /// [`Full`] when the budget does not hold another block of this size.
    pub(crate) fn reserve(&self, slab: &mut Slab, count: usize) -> Result<Reservation, Full> {
        let size = count as u32;
        let first = if size <= slab.left { slab.carve(size) } else { self.refill(slab, size)? };
        Ok(Reservation { first, count })
    }

    /// Takes back a reservation of which nothing was written.
    pub(crate) fn give_up(&self, slab: &mut Slab, reservation: Reservation) {
        let (first, count) = (reservation.first, reservation.count as u32);
        if broken(Fault::ForgottenBlock) {
            return;
        }
        // A slab lies within one chunk, so that the last block of a chunk is not for
        // one that begins the next.
        let begins_chunk = (slab.start as usize).is_multiple_of(CHUNK);
        if first + count == slab.start && !begins_chunk {
            *slab = Slab { start: first, left: slab.left + count };
        } else {
            self.free(Stretch { first, count });
            self.dismiss(u64::from(count));
        }
    }

    #[inline]
    pub(super) fn chunk(&self, number: usize) -> &Chunk {
        let chunk = self.chunks[number].load(Ordering::Acquire);
        assert!(
            cfg!(not(any(debug_assertions, loom))) || !chunk.is_null(),
            "an index was used before its chunk could be seen"
        );
        // SAFETY: an index was handed out by `bump`, which saw to the chunk before
        // and released it; whoever holds an index got it through a Release/Acquire
        // pair after that, in a word that one thread published (fact 4). A chunk
        // stays until the arena is dropped (fact 1).
        unsafe { &*chunk }
    }

    /// The node with an index that some block holds.
    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        &self.chunk(index as usize / CHUNK).nodes()[index as usize % CHUNK]
    }

    /// The node as a block of its own.
    #[inline]
    pub(crate) fn single(&self, index: u32) -> Block<'_> {
        self.block(index, 1)
    }

    /// The children of an expanded node; empty before it is expanded.
    #[inline]
    pub(crate) fn children(&self, word: Word) -> Block<'_> {
        match word.num_children() {
            // A leaf may remember a move where an expanded node says which child is the first.
            0 => self.block(0, 0),
            count => self.block(word.first_child(), count),
        }
    }

    #[inline]
    fn block(&self, first: u32, count: usize) -> Block<'_> {
        let chunk = self.chunk(first as usize / CHUNK);
        Block::new(chunk, self.columns, first, first as usize % CHUNK, count)
    }

    /// Publishes a block, whose moves are written, as the children of the claimed node.
    pub(crate) fn publish(&self, claim: NodeClaim<'_>, filled: Filled, flags: u64) -> Word {
        let Reservation { first, count } = filled.into_inner();
        claim.publish_children(first, count, flags)
    }

    /// The fresh nodes of a reservation, to be prepared before publication.
    pub(crate) fn fresh(&self, reservation: &Reservation) -> Block<'_> {
        self.block(reservation.first, reservation.count)
    }

    /// Nodes that nobody but the caller uses.
    pub(super) fn fresh_block(&self, first: u32, count: usize) -> Block<'_> {
        self.block(first, count)
    }
}
