//! An allocator that counts what is asked of it.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the allocations of all threads, while it is told to, and hands them
/// on to another allocator.
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
    /// Raised while it counts: at other times a benchmark of several threads
    /// must not be slowed down by counters that they share.
    counts: AtomicBool,
    number: AtomicU64,
    bytes: AtomicU64,
}

/// What was allocated. A buffer that is made longer is one allocation of its
/// new size; what was freed again is not subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allocations {
    /// How often memory was asked for.
    pub number: u64,
    /// How much was asked for.
    pub bytes: u64,
}

impl<A> Counting<A> {
    /// An allocator that counts on top of `inner`.
    pub const fn new(inner: A) -> Counting<A> {
        Counting {
            inner,
            counts: AtomicBool::new(false),
            number: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }

    /// What all threads of the program allocate while `work` runs. Two calls
    /// at the same time count into each other.
    pub fn count(&self, work: impl FnOnce()) -> Allocations {
        // Relaxed here and below: threads that `work` starts and joins have
        // written their counts when it returns.
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

// SAFETY: every call goes on to the inner allocator as it came, and counting
// allocates nothing.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.note(layout.size());
        // SAFETY: what the caller promises is what the inner allocator asks for.
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
