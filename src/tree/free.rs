//! The reuse of memory: lists of unused blocks, and the sweep that fills them.
//!
//! When the root changes, most of the tree becomes unreachable. Its top block is *detached*: pushed
//! onto a stack. Between playouts workers take a few detached blocks from the stack, detach the
//! children of each block's nodes, and put the block on the free list of its size, which serves
//! later reservations. So dropping a tree takes hardly any time at first, needs no recursion and no
//! memory, and proceeds while the search runs.
//!
//! All these lists are stacks linked through the blocks' own memory: the visits of a block's first
//! node store the link. Their rules:
//!
//! 1. A pushed block cannot be reached from the root, and no thread holds it: a block is detached
//!    while no thread is in the tree, and during a search no block becomes unreachable. So a worker
//!    never uses memory that is swept.
//! 2. A thread that takes a block off a stack is its only holder. A late thread may still read the
//!    link of a block that another thread has taken and is using; the link is an atomic, the value
//!    read is meaningless, and the late thread's exchange fails because of rule 3.
//! 3. The head of a stack has a generation beside the index, which every push and every take
//!    increments. An index alone would not suffice: the same block may be on top again, with
//!    another block below it (the ABA problem). The 32 bits wrap only after four billion changes
//!    during one take.
//! 4. Nodes are zeroed when they are taken from a list, before any other thread sees them, so a
//!    recycled block equals a fresh one.
//!
//! Orderings: a push releases the link and the words from which a sweep finds the children; a take
//! acquires them. Only read-modify-writes change the head, so a take acquires every push before it,
//! even if the head has changed since that push.

use super::arena::{Arena, CHUNK, Full, Slab};
use super::lists::{LARGEST, Lists, Stack, Stretch};
use super::node::{Node, Stage, Word};
use crate::sync::{Fault, Ordering, broken, unless_broken};
use std::collections::TryReserveError;

const GENERATION: u64 = 1 << 32;

impl Node {
    /// Stores the link of a free span in its first node: the index of the next span, and the number
    /// of nodes in this one.
    pub(super) fn set_link(&self, next: u32, count: u32) {
        self.visits.store(u64::from(count) << 32 | u64::from(next), Ordering::Relaxed);
    }

    /// The link that [`set_link`](Node::set_link) stored; meaningless for a node in use.
    pub(super) fn link(&self) -> (u32, u32) {
        let link = self.visits.load(Ordering::Relaxed);
        (link as u32, (link >> 32) as u32)
    }

    /// Resets the node, which no other thread can reach, to its state before the first visit.
    pub(super) fn zero(&self) {
        self.set_statistics(0, 0);
        self.word.store(0, Ordering::Relaxed);
    }
}

impl Stack {
    /// The stack's new head after a change that leaves `first` on top.
    fn changed(head: u64, first: u32) -> u64 {
        let counted = if broken(Fault::NoGeneration) { 0 } else { GENERATION };
        (head & !(GENERATION - 1)).wrapping_add(counted) | u64::from(first)
    }

    pub(super) fn push(&self, arena: &Arena, span: Stretch) {
        let node = arena.node(span.first);
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            node.set_link(head as u32, span.count);
            // Release: the link and the span's contents; pairs with `take`.
            let order = unless_broken(Fault::RelaxedFree, Ordering::Release);
            let new = Stack::changed(head, span.first);
            match self.0.compare_exchange_weak(head, new, order, Ordering::Relaxed) {
                Ok(_) => return,
                Err(seen) => head = seen,
            }
        }
    }

    pub(super) fn take(&self, arena: &Arena) -> Option<Stretch> {
        // Acquire: pairs with `push`.
        let order = unless_broken(Fault::RelaxedFree, Ordering::Acquire);
        let mut head = self.0.load(order);
        loop {
            let first = head as u32;
            if first == 0 {
                return None;
            }
            let (next, count) = arena.node(first).link();
            match self.0.compare_exchange_weak(head, Stack::changed(head, next), order, order) {
                Ok(_) => return Some(Stretch { first, count }),
                Err(seen) => head = seen,
            }
        }
    }
}

/// The nodes that pruning keeps, as a set of indices.
pub(super) struct Live {
    bits: Vec<u64>,
    nodes: u64,
}

impl Live {
    pub(super) fn new(handed_out: usize) -> Result<Live, TryReserveError> {
        let (mut bits, words) = (Vec::new(), handed_out.div_ceil(64));
        bits.try_reserve_exact(words)?;
        bits.resize(words, 0);
        Ok(Live { bits, nodes: 0 })
    }

    /// Adds the children of a node.
    pub(super) fn keep(&mut self, word: Word) {
        for index in (word.first_child()..).take(word.num_children()) {
            self.bits[index as usize / 64] |= 1 << (index % 64);
        }
        self.nodes += word.num_children() as u64;
    }

    pub(super) fn holds(&self, index: u32) -> bool {
        self.bits[index as usize / 64] >> (index % 64) & 1 == 1
    }
}

impl Arena {
    /// Puts a span on the free list of its size. The span must not be counted as in use.
    pub(super) fn free(&self, span: Stretch) {
        if span.count > 0 {
            self.lists.of(span.count).push(self, span);
            if !self.lists.any() {
                self.lists.any.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Frees a block that is in use, for the Loom models.
    #[cfg(loom)]
    pub(crate) fn free_block(&self, first: u32, count: u32) {
        self.free(Stretch { first, count });
        self.dismiss(u64::from(count));
    }

    /// Takes a free block of this size and returns its index, for the Loom models.
    #[cfg(loom)]
    pub(crate) fn take_block(&self, size: u32) -> Option<u32> {
        self.take_exact(size).ok().map(|span| span.first)
    }

    /// Takes a free block of exactly this size and zeroes it.
    pub(super) fn take_exact(&self, size: u32) -> Result<Stretch, Full> {
        if !self.lists.any() || size as usize > LARGEST || self.lists.of(size).is_empty() {
            return Err(Full);
        }
        self.admit(u64::from(size))?;
        let Some(span) = self.lists.of(size).take(self) else {
            self.dismiss(u64::from(size));
            return Err(Full);
        };
        self.zero(span);
        Ok(span)
    }

    /// Takes a slab from a larger free span and zeroes it.
    pub(super) fn take_larger(&self, size: u32) -> Result<Slab, Full> {
        if !self.lists.any() {
            return Err(Full);
        }
        let longest = &self.lists.sizes[0];
        let larger = self.lists.sizes.iter().skip(size as usize + 1).chain([longest]);
        let mut span = larger.filter(|list| !list.is_empty()).find_map(|list| list.take(self));
        // The list searched last has spans of many sizes, so those on top may be too small.
        let too_small = Stack::new();
        while let Some(small) = span.filter(|span| span.count < size) {
            too_small.push(self, small);
            span = longest.take(self);
        }
        while let Some(small) = too_small.take(self) {
            self.free(small);
        }
        let Some(Stretch { first, count }) = span else { return Err(Full) };
        // Take only part of the span if little of the budget is left.
        let left = self.cap().saturating_sub(self.len());
        let wish = count.min((left / 64) as u32).max(size);
        if self.admit(u64::from(wish)).is_err() {
            self.free(Stretch { first, count });
            return Err(Full);
        }
        self.free(Stretch { first: first + wish, count: count - wish });
        self.zero(Stretch { first, count: wish });
        Ok(Slab { start: first, left: wish })
    }

    /// Frees everything except the root and the nodes in `live`. Neighbouring blocks are merged,
    /// and then cut into pieces of `size` nodes or more, apart from the rest at the end, so that
    /// many threads find a slab. No thread may hold a slab. Returns the size of the largest span
    /// before the cuts.
    pub(super) fn rebuild(&mut self, live: &Live, size: u32) -> u32 {
        let piece = size.max(LARGEST as u32);
        self.lists = Lists::new();
        self.set_len(1 + live.nodes);
        let mut largest = 0;
        let mut first = 1;
        let end = self.handed_out() as u32;
        while first < end {
            if live.holds(first) {
                first += 1;
                continue;
            }
            let end_of_chunk = (first / CHUNK as u32 + 1).saturating_mul(CHUNK as u32).min(end);
            let free = |index: &u32| !live.holds(*index);
            let count = (first..end_of_chunk).take_while(free).count() as u32;
            largest = largest.max(count);
            for start in (first..first + count).step_by(piece as usize) {
                self.free(Stretch { first: start, count: piece.min(first + count - start) });
            }
            first += count;
        }
        largest
    }

    /// All spans on the free lists. No thread may be in the tree.
    pub(super) fn free_spans(&self) -> Vec<Stretch> {
        let mut spans = Vec::new();
        for list in &self.lists.sizes {
            let mut first = list.0.load(Ordering::Relaxed) as u32;
            while first != 0 {
                let (next, count) = self.node(first).link();
                spans.push(Stretch { first, count });
                first = next;
            }
        }
        spans
    }

    /// Resets the nodes of a span that only the caller holds.
    fn zero(&self, span: Stretch) {
        if !broken(Fault::DirtyBlock) {
            self.block(span.first, span.count as usize).zero();
        }
    }

    /// Detaches the children of a node that has become unreachable, and with them everything below.
    /// If the node was in the tree until now, no thread may be in the tree.
    pub(super) fn detach(&self, word: Word) {
        if word.stage() == Stage::Expanded {
            let span = Stretch { first: word.first_child(), count: word.num_children() as u32 };
            self.lists.detached.push(self, span);
        }
    }

    /// Whether any detached blocks are left to reclaim.
    #[inline]
    pub(crate) fn is_reclaiming(&self) -> bool {
        !self.lists.detached.is_empty()
    }

    /// Frees detached blocks until at least `nodes` nodes are free or no block is left; returns the
    /// number of freed nodes. Any number of threads may reclaim at once.
    pub(crate) fn reclaim(&self, nodes: u64) -> u64 {
        let mut freed = 0;
        while freed < nodes {
            let Some(span) = self.lists.detached.take(self) else { break };
            for node in self.block(span.first, span.count as usize).nodes() {
                self.detach(node.load());
            }
            self.free(span);
            freed += u64::from(span.count);
        }
        self.dismiss(freed);
        freed
    }
}
