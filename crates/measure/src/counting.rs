//! An allocator that counts allocations.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the allocations of all threads during [`count`](Counting::count), and forwards them to
/// another allocator.
///
/// ```
/// use proofwood_measure::Counting;
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: Counting<System> = Counting::new(System);
///
/// let counted = ALLOCATOR.count(|| drop(vec![0u8; 100]));
/// assert_eq!((counted.number, counted.bytes), (1, 100));
/// ```
#[derive(Debug)]
pub struct Counting<A> {
    inner: A,
    /// Set while allocations are being counted. At other times the counters are not updated,
    /// because shared counters would slow down benchmarks with several threads.
    counts: AtomicBool,
    number: AtomicU64,
    bytes: AtomicU64,
}

/// The allocations counted. A reallocation counts as one allocation of the new size; freed memory
/// is not subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// The number of allocations.
    pub number: u64,
    /// The total size in bytes.
    pub bytes: u64,
}

impl<A> Counting<A> {
    /// Creates an allocator that counts allocations and forwards them to `inner`.
    pub const fn new(inner: A) -> Counting<A> {
        Counting {
            inner,
            counts: AtomicBool::new(false),
            number: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// Counts the allocations of all threads of the program while `work` runs. Concurrent calls
    /// disturb each other's counts.
    pub fn count(&self, work: impl FnOnce()) -> Allocations {
        // Relaxed here and below: when `work` returns, the threads that it started and joined have
        // written their counts.
        self.number.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
        self.counts.store(true, Ordering::Relaxed);
        work();
        self.counts.store(false, Ordering::Relaxed);
        Allocations {
            number: self.number.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
        }
    }

    fn note(&self, bytes: usize) {
        if self.counts.load(Ordering::Relaxed) {
            self.number.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }
}

// SAFETY: every call is forwarded unchanged to the inner allocator, and counting allocates nothing.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size());
        // SAFETY: the caller's guarantees are those that the inner allocator requires.
        unsafe { self.inner.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above; the block came from the inner allocator.
        unsafe { self.inner.dealloc(block, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size());
        // SAFETY: as above.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.note(size);
        // SAFETY: as above; the block came from the inner allocator.
        unsafe { self.inner.realloc(block, layout, size) }
    }
}
