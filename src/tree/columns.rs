//! What a chunk of the arena holds: one column for each kind of data.
//!
//! A column that an option, a question or a game does not need has no values and costs
//! nothing. Columns keep what one scan reads together, and serve any number of players.
//! The values of one node stand together in each column. All kinds are in one table
//! below; nodes and moves are there always.

use super::node::Node;
use crate::bounds::{
    AtomicInterval, AtomicProofNumber, AtomicSpan, AtomicStatus, NumberCell, ProofNumber,
};
use crate::math::{from_half, to_half};
use crate::memory::{Pages, Refused, Zeroed};
use crate::sync::{AtomicF64, AtomicU16, AtomicU32, Ordering, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::Range;

/// One byte of a move.
pub(super) type MoveByte = UnsafeCell<MaybeUninit<u8>>;

/// Makes [`Columns`], [`Chunk`] and a [`Block`]'s view of each column from one table:
/// the name, how many values a node has (a number, or whether it has one), their type,
/// and what makes a value as if it was fresh.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $count:ty => $value:ty, zeroed by $zero:expr;)*) => {
        /// How many values a node has in each column.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct Columns {
            $($(#[$doc])* pub(crate) $name: $count,)*
            /// Bytes of a move.
            pub(crate) move_bytes: usize,
        }

        impl Columns {
            /// Bytes that one node takes in all columns.
            pub(crate) fn bytes_per_node(self) -> usize {
                let optional = 0 $(+ usize::from(self.$name) * size_of::<$value>())*;
                size_of::<Node>() + optional + self.move_bytes
            }
        }

        pub(super) struct Chunk {
            nodes: Pages<Node>,
            $($name: Pages<$value>,)*
            moves: Pages<MoveByte>,
        }

        impl Chunk {
            /// A chunk of this many nodes.
            pub(super) fn new(columns: Columns, nodes: usize) -> Result<Chunk, Refused> {
                Ok(Chunk {
                    nodes: Pages::zeroed(nodes)?,
                    $($name: Pages::zeroed(nodes * usize::from(columns.$name))?,)*
                    moves: Pages::zeroed(nodes * columns.move_bytes)?,
                })
            }

            /// Has the memory of some nodes fetched.
            pub(super) fn populate(&self, nodes: Range<usize>) {
                fn fetch<T: Zeroed>(column: &Pages<T>, all: usize, nodes: &Range<usize>) {
                    let each = column.len() / all;
                    column.populate(nodes.start * each..nodes.end * each);
                }
                let all = self.nodes.len();
                fetch(&self.nodes, all, &nodes);
                $(fetch(&self.$name, all, &nodes);)*
                fetch(&self.moves, all, &nodes);
            }
        }

        impl<'t> Block<'t> {
            $(
                $(#[$doc])*
                #[inline]
                pub(crate) fn $name(self) -> &'t [$value] {
                    let n = usize::from(self.columns.$name);
                    &self.chunk.$name[self.start * n..(self.start + self.len) * n]
                }
            )*

            /// Makes the nodes as if they were fresh. Only for a block that nobody else
            /// can reach; moves stay, as no one reads those of a fresh block.
            pub(super) fn zero(self) {
                self.nodes().iter().for_each(Node::zero);
                $(self.$name().iter().for_each($zero);)*
            }
        }
    };
}

columns! {
    /// Proof numbers, one for each player, where they are counted.
    proof_numbers: usize => AtomicProofNumber, zeroed by AtomicProofNumber::zero;
    /// What is proven of them, elsewhere.
    statuses: usize => AtomicStatus, zeroed by AtomicStatus::zero;
    /// Intervals: one for zero-sum games, else one for each player; none without score
    /// bounds.
    intervals: usize => AtomicInterval, zeroed by AtomicInterval::zero;
    /// The same in fixed point, instead, for games with chance.
    spans: usize => AtomicSpan, zeroed by AtomicSpan::zero;
    /// The weights of the outcomes of chance.
    weights: bool => AtomicU32, zeroed by |weight| weight.store(0, Ordering::Relaxed);
    /// Cached ranks, for the bias formulas that sort.
    ranks: bool => AtomicU16, zeroed by |rank| rank.store(0, Ordering::Relaxed);
    /// The evaluator's priors, as shares in sixteen bits, where it has any.
    priors: bool => AtomicU16, zeroed by |prior| prior.store(0, Ordering::Relaxed);
    /// Evaluations that ended at each node, for the audit.
    evaluations: bool => AtomicU32, zeroed by |count| count.store(0, Ordering::Relaxed);
    /// The log-odds that side 0 gets what it claims.
    log_odds: bool => AtomicF64, zeroed by |cell| cell.store(0.0, Ordering::Relaxed);
}

// SAFETY: the moves are the only field that is not already `Sync`. They are
// written through a `Reservation`, which no two threads share, and read after
// the Acquire that pairs with their publication (fact 3 in `arena.rs`). Here they are
// bytes, which any thread may have; a tree with the type of its moves is `Sync` where
// they are (`moves.rs`).
unsafe impl Sync for Chunk {}

impl Chunk {
    #[inline]
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// The proof numbers of a block: those of all players at the first node, then at the next.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'t> {
    Counted(&'t [AtomicProofNumber]),
    Told(&'t [AtomicStatus]),
}

/// Has the same done with a block's proof numbers, in whatever cells they stand.
macro_rules! with_numbers {
    ($numbers:expr, $cells:ident => $body:expr) => {
        match $numbers {
            $crate::tree::Numbers::Counted($cells) => $body,
            $crate::tree::Numbers::Told($cells) => $body,
        }
    };
}
pub(crate) use with_numbers;

impl Numbers<'_> {
    #[inline]
    pub(crate) fn load(self, at: usize) -> ProofNumber {
        with_numbers!(self, cells => cells[at].load())
    }

    /// Whether nothing is proven, for no player.
    #[inline]
    pub(super) fn are_open(self) -> bool {
        with_numbers!(self, cells => cells.iter().all(|cell| cell.load().is_open()))
    }
}

/// Consecutive nodes with their columns.
#[derive(Clone, Copy)]
pub(crate) struct Block<'t> {
    chunk: &'t Chunk,
    columns: Columns,
    index: u32,
    start: usize,
    len: usize,
}

impl<'t> Block<'t> {
    /// The nodes from `start` in a chunk on, of which the first has this index.
    #[inline]
    pub(super) fn new(
        chunk: &'t Chunk,
        columns: Columns,
        index: u32,
        start: usize,
        len: usize,
    ) -> Block<'t> {
        Block { chunk, columns, index, start, len }
    }

    /// The number of nodes.
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

    /// The proof numbers of the nodes.
    #[inline]
    pub(crate) fn numbers(self) -> Numbers<'t> {
        match self.columns.statuses {
            0 => Numbers::Counted(self.proof_numbers()),
            _ => Numbers::Told(self.statuses()),
        }
    }

    /// Visits and value sums of all nodes together.
    pub(crate) fn statistics(self) -> (u64, i64) {
        let all = self.nodes().iter().map(Node::statistics);
        all.fold((0, 0), |(visits, sum), one| (visits + one.visits, sum + one.value_sum))
    }

    /// Says the priors of the moves, shares of one. Relaxed: they are published with the
    /// children, or before threads are started.
    pub(crate) fn set_priors(self, priors: &[f32]) {
        for (cell, &prior) in self.priors().iter().zip(priors) {
            cell.store(to_half(prior), Ordering::Relaxed);
        }
    }

    /// Whether priors were said: they add up to one.
    pub(crate) fn has_priors(self) -> bool {
        self.priors().iter().any(|cell| cell.load(Ordering::Relaxed) != 0)
    }

    /// The prior of move `number`, a share of one; `None` where the evaluator has none.
    pub(crate) fn prior(self, number: usize) -> Option<f32> {
        self.priors().get(number).map(|cell| from_half(cell.load(Ordering::Relaxed)))
    }

    /// Has the processor fetch the moves, which will be needed soon.
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

    /// Where the move of node `number` stands: see fact 3 in `arena.rs`.
    #[inline(always)]
    pub(super) fn move_bytes<M>(self, number: usize) -> &'t [MoveByte] {
        debug_assert!(number < self.len && self.columns.move_bytes == size_of::<M>());
        let first = (self.start + number) * size_of::<M>();
        &self.chunk.moves[first..first + size_of::<M>()]
    }
}
