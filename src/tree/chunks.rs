//! The memory of an arena: chunks, and the slabs from which threads carve blocks.

use super::arena::{Arena, CHUNK, Chunk, Columns, Full, Reservation, Slab};
use super::lists::{Lists, Stretch};
use crate::memory::{Refused, leave_spare};
use crate::sync::{
    AtomicBool, AtomicPtr, AtomicU64, Fault, Ordering, broken, unless_broken, unshared,
};
use crossbeam_utils::CachePadded;
use std::marker::PhantomData;

/// The number of nodes in a slab, unless little room is left or nodes are large.
const SLAB: u64 = if cfg!(loom) {
    2
} else if cfg!(miri) {
    8
} else {
    1 << 10
};

/// The maximum size of a slab in bytes, unless a single block is larger. It is limited because the
/// memory of a slab is allocated all at once.
const SLAB_BYTES: u64 = 1 << 20;

/// Two counters in one word, so that one exchange updates both.
#[derive(Clone, Copy)]
struct Watermark {
    /// Indices below this one have been handed out; the others never were.
    next: u64,
    /// The number of nodes in blocks and in the threads' slabs.
    used: u64,
}

impl Watermark {
    fn packed(self) -> u64 {
        self.next << 32 | self.used
    }

    fn unpacked(word: u64) -> Watermark {
        Watermark { next: word >> 32, used: word & u64::from(u32::MAX) }
    }
}

/// The reason why an arena cannot be created.
#[derive(Debug)]
pub(crate) enum NoArena {
    /// Not even the root fits.
    Small,
    /// The system has no memory for the first chunk.
    Refused(Refused),
}

impl Slab {
    /// The number of nodes left in the slab.
    pub(crate) fn left(&self) -> u64 {
        u64::from(self.left)
    }

    /// Takes `size` nodes of the slab, which must have at least that many left; returns the first
    /// index.
    pub(super) fn carve(&mut self, size: u32) -> u32 {
        let first = self.start;
        self.start += size;
        self.left -= size;
        first
    }
}

impl Arena {
    /// Gives back a reservation to which nothing was written.
    pub(crate) fn give_up(&self, slab: &mut Slab, reservation: Reservation) {
        let (first, count) = (reservation.first, reservation.count as u32);
        if broken(Fault::ForgottenBlock) {
            return;
        }
        // A slab lies within one chunk, so the last block of a chunk cannot join a slab that begins
        // the next chunk.
        let begins_chunk = (slab.start as usize).is_multiple_of(CHUNK);
        if first + count == slab.start && !begins_chunk {
            *slab = Slab { start: first, left: slab.left + count };
        } else {
            self.free(Stretch { first, count });
            self.dismiss(u64::from(count));
        }
    }

    /// Creates an arena for at most `max_nodes` nodes, in which index 0 is in use for the root.
    ///
    /// # Errors
    /// If `max_nodes` is 0, or the system has no memory for the first chunk.
    pub(crate) fn new(columns: Columns, max_nodes: u64) -> Result<Arena, NoArena> {
        if max_nodes == 0 {
            return Err(NoArena::Small);
        }
        let max_nodes = max_nodes.min(u64::from(u32::MAX));
        let chunks = max_nodes.div_ceil(CHUNK as u64) as usize;
        let arena = Arena {
            chunks: (0..chunks).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect(),
            columns,
            extent: CachePadded::new(AtomicU64::new(Watermark { next: 1, used: 1 }.packed())),
            end: max_nodes,
            cap: AtomicU64::new(max_nodes),
            starved: AtomicBool::new(false),
            lists: Lists::new(),
            _owns: PhantomData,
        };
        arena.ensure_chunk(0).map_err(NoArena::Refused)?;
        Ok(arena)
    }

    /// The greatest number of nodes that the arena can ever hold.
    pub(crate) fn capacity(&self) -> u64 {
        self.end
    }

    /// Limits the nodes in use to `max_nodes` or the arena's capacity, whichever is less.
    pub(crate) fn set_cap(&self, max_nodes: u64) {
        self.cap.store(max_nodes.min(self.end), Ordering::Relaxed);
        // By now the system may have more memory.
        self.starved.store(false, Ordering::Relaxed);
    }

    /// Whether the system has refused the memory for a chunk since the cap was set.
    pub(crate) fn is_starved(&self) -> bool {
        self.starved.load(Ordering::Relaxed)
    }

    /// The chunk for which the system has had no memory since the cap was set, if any.
    pub(crate) fn refused(&self) -> Option<Refused> {
        let bytes = CHUNK as u64 * self.columns.bytes_per_node() as u64;
        self.is_starved().then(|| Refused::of(bytes))
    }

    pub(super) fn cap(&self) -> u64 {
        self.cap.load(Ordering::Relaxed)
    }

    /// The number of indices that were handed out, including free ones.
    pub(crate) fn handed_out(&self) -> usize {
        self.extent().next as usize
    }

    fn extent(&self) -> Watermark {
        Watermark::unpacked(self.extent.load(Ordering::Relaxed))
    }

    /// The number of nodes in use, including those in the threads' slabs and detached ones.
    pub(crate) fn len(&self) -> u64 {
        self.extent().used
    }

    /// Sets the number of nodes in use, while no thread is in the tree.
    pub(super) fn set_len(&mut self, used: u64) {
        let extent = Watermark { used, ..self.extent() };
        self.extent.store(extent.packed(), Ordering::Relaxed);
    }

    /// Takes a block for which the slab has no room: a freed block, or the first block of a new
    /// slab. If neither is available, reclaims detached blocks. Returns the block's first index.
    pub(super) fn refill(&self, slab: &mut Slab, size: u32) -> Result<u32, Full> {
        loop {
            if let Ok(span) = self.take_exact(size) {
                return Ok(span.first);
            }
            let fresh = self.bump(u64::from(size)).inspect(|slab| self.populate(slab));
            if let Ok(fresh) = fresh.or_else(|Full| self.take_larger(size)) {
                self.give_back(slab);
                *slab = fresh;
                return Ok(slab.carve(size));
            }
            if self.reclaim(u64::from(size)) == 0 {
                return Err(Full);
            }
        }
    }

    /// Frees the rest of a slab.
    pub(crate) fn give_back(&self, slab: &mut Slab) {
        let Slab { start: first, left: count } = std::mem::take(slab);
        if count > 0 {
            self.free(Stretch { first, count });
            self.dismiss(u64::from(count));
        }
    }

    /// Adds `count` nodes to those in use, unless that exceeds the cap.
    pub(super) fn admit(&self, count: u64) -> Result<(), Full> {
        let cap = self.cap();
        let mut current = self.extent.load(Ordering::Relaxed);
        while Watermark::unpacked(current).used + count <= cap {
            let new = current + count;
            match self.extent.compare_exchange_weak(
                current,
                new,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Ok(()),
                Err(seen) => current = seen,
            }
        }
        Err(Full)
    }

    /// Subtracts nodes from those in use.
    pub(super) fn dismiss(&self, nodes: u64) {
        if nodes > 0 {
            self.extent.fetch_sub(nodes, Ordering::Relaxed);
        }
    }

    /// Takes at least `size` indices that were never used, and a whole slab if there is room. A
    /// slab lies within one chunk, and so do its blocks.
    ///
    /// The exchange alone guarantees that no index is handed out twice and that the cap is
    /// respected. It releases the slab's chunk, which is already installed, and acquires the chunks
    /// of all earlier slabs: a thread that frees the rest of a chunk writes to a chunk that another
    /// thread may have installed.
    fn bump(&self, size: u64) -> Result<Slab, Full> {
        let (cap, wish) = (self.cap(), self.slab_size().max(size));
        let [acquire, both] = [Ordering::Acquire, Ordering::AcqRel]
            .map(|order| unless_broken(Fault::RelaxedExtent, order));
        let mut current = self.extent.load(acquire);
        loop {
            let Watermark { next, used } = Watermark::unpacked(current);
            let room = CHUNK as u64 - next % CHUNK as u64;
            let start = if size > room { next + room } else { next };
            // When little room is left, slabs shrink, so that all threads get a part of it.
            let left = cap.saturating_sub(used).min(self.end.saturating_sub(start));
            if size > left {
                return Err(Full);
            }
            let end = (start + wish.min(left / 64).max(size))
                .min(start + CHUNK as u64 - start % CHUNK as u64);
            let slab = Slab { start: start as u32, left: (end - start) as u32 };
            let new = Watermark { next: end, used: used + (end - start) }.packed();
            self.ensure_chunk(start as usize / CHUNK).map_err(|_| Full)?;
            if broken(Fault::RacyReservation) {
                self.extent.store(new, Ordering::Relaxed);
                return Ok(slab);
            }
            match self.extent.compare_exchange_weak(current, new, both, acquire) {
                Ok(_) => {
                    self.free(Stretch { first: next as u32, count: (start - next) as u32 });
                    return Ok(slab);
                }
                Err(seen) => current = seen,
            }
        }
    }

    /// The number of nodes in a new slab; fewer than `SLAB` if nodes are large.
    fn slab_size(&self) -> u64 {
        SLAB.min(SLAB_BYTES / self.columns.bytes_per_node() as u64)
    }

    /// Has the system allocate all the memory of a fresh slab at once.
    fn populate(&self, slab: &Slab) {
        let first = slab.start as usize % CHUNK;
        self.chunk(slab.start as usize / CHUNK).populate(first..first + slab.left as usize);
    }

    /// Makes sure that a chunk is allocated. The last chunk ends at the arena's capacity.
    ///
    /// AcqRel: a thread that sees the pointer must see the memory zeroed, and a thread that loses
    /// the race continues with the winner's chunk.
    fn ensure_chunk(&self, number: usize) -> Result<(), Refused> {
        let slot = &self.chunks[number];
        if !slot.load(Ordering::Acquire).is_null() {
            return Ok(());
        }
        let first = (number * CHUNK) as u64;
        let nodes = (self.end - first).min(CHUNK as u64) as usize;
        let made = Chunk::new(self.columns, nodes);
        let chunk = match made.and_then(|chunk| self.leave_spare(number).map(|()| chunk)) {
            Ok(chunk) => chunk,
            // Another thread may have used the last memory for this very chunk.
            Err(_) if !slot.load(Ordering::Acquire).is_null() => return Ok(()),
            Err(refused) => {
                // From here on the arena counts as full, for reservations and for pruning.
                self.cap.fetch_min(first, Ordering::Relaxed);
                self.starved.store(true, Ordering::Relaxed);
                return Err(refused);
            }
        };
        let fresh = Box::into_raw(Box::new(chunk));
        let winner =
            slot.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire);
        if winner.is_err() {
            // SAFETY: `fresh` came from `Box::into_raw` above and lost the exchange, so no other
            // thread has seen it.
            drop(unsafe { Box::from_raw(fresh) });
        }
        Ok(())
    }

    /// Checks that enough memory is left after a new chunk. The first chunk is not checked, because
    /// every tree needs it.
    fn leave_spare(&self, number: usize) -> Result<(), Refused> {
        if number == 0 { Ok(()) } else { leave_spare() }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for slot in &mut self.chunks {
            let chunk = unshared(slot);
            if !chunk.is_null() {
                // SAFETY: the pointer came from `Box::into_raw`; `&mut self` guarantees that no
                // reference to the chunk is left.
                drop(unsafe { Box::from_raw(chunk) });
            }
        }
    }
}
