//! The only place that imports atomics and shared cells.
//!
//! Ordinary builds get the standard library's types. Builds with `--cfg loom` get loom's, which
//! explore every interleaving and every value that a relaxed load may return; the models are in
//! `loom-tests/`. No access here is `SeqCst`: loom treats those as acquire-release, so a rule that
//! needs more would pass its model and fail on hardware.
//!
//! Models also have failing twins: the same code with one rule broken must be caught. [`Fault`]
//! lists the rules that can be broken; outside loom builds [`broken`] is a constant `false`.
//!
//! With the feature `logical` the types are those of `logical`, which simulate many workers on few
//! cores. Its counting functions do nothing otherwise.

mod clock;

pub(crate) use clock::Instant;

/// Whether the system has threads; otherwise all work runs on the caller's.
pub(crate) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering,
};
#[cfg(not(any(loom, feature = "logical")))]
pub(crate) use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering,
};

#[cfg(all(not(any(loom, feature = "logical")), feature = "ppns"))]
pub(crate) use atomic_float::AtomicF64;

#[cfg(all(not(loom), feature = "logical"))]
pub(crate) mod logical;
#[cfg(all(not(loom), feature = "logical"))]
pub(crate) use logical::{
    AtomicBool, AtomicF64, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Owning,
    absent, claimed, met_owner, seat,
};
#[cfg(all(not(loom), feature = "logical"))]
pub(crate) use std::sync::atomic::Ordering;

/// The counting functions without the feature `logical`: they do nothing.
#[cfg(any(loom, not(feature = "logical")))]
mod inert {
    pub(crate) struct Owning;

    impl Owning {
        #[inline(always)]
        pub(crate) fn begins() -> Owning {
            Owning
        }
    }

    pub(crate) struct Seat;

    #[inline(always)]
    pub(crate) fn seat(_number: usize, _workers: usize) -> Seat {
        Seat
    }

    #[inline(always)]
    pub(crate) fn absent(_workers: usize) {}

    #[inline(always)]
    pub(crate) fn met_owner() {}

    #[inline(always)]
    pub(crate) fn claimed(_had: bool) {}
}
#[cfg(any(loom, not(feature = "logical")))]
pub(crate) use inert::{Owning, absent, claimed, met_owner, seat};

/// A float in an integer of the same size: for loom, and for builds without arithmetic on it.
#[cfg(any(loom, not(feature = "ppns")))]
#[derive(Debug)]
pub(crate) struct AtomicF64(AtomicU64);

#[cfg(any(loom, not(feature = "ppns")))]
impl AtomicF64 {
    pub(crate) fn new(value: f64) -> AtomicF64 {
        AtomicF64(AtomicU64::new(value.to_bits()))
    }

    pub(crate) fn load(&self, order: Ordering) -> f64 {
        f64::from_bits(self.0.load(order))
    }

    pub(crate) fn store(&self, value: f64, order: Ordering) {
        self.0.store(value.to_bits(), order);
    }
}

/// The number of threads that write words which others may read. It is fixed when the words are
/// created. If two threads both took themselves for the only writer, both could win the same claim;
/// so call [`Writers::admit`] before starting threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// One at a time, which writes by plain stores.
    One,
    /// Any number at once, which write by read-modify-write operations.
    Many,
}

impl Writers {
    /// The writers of a team of `threads` threads.
    pub(crate) fn of(threads: usize) -> Writers {
        if threads == 1 { Writers::One } else { Writers::Many }
    }

    /// Returns whether `threads` threads may write at once.
    pub(crate) fn admit(self, threads: usize) -> bool {
        self == Writers::Many || threads <= 1
    }
}

/// Replaces `current`, the value just read, by `new`, as `compare_exchange_weak` does. With a
/// single writer nothing can have intervened, and a store suffices, which other threads may
/// acquire: a locked instruction takes as long as twenty others.
#[inline(always)]
pub(crate) fn exchange(
    word: &AtomicU64,
    writers: Writers,
    current: u64,
    new: u64,
    order: Ordering,
) -> Result<u64, u64> {
    if writers == Writers::One {
        word.store(new, Ordering::Release);
        return Ok(current);
    }
    word.compare_exchange_weak(current, new, order, Ordering::Relaxed)
}

/// Sets bits of a word as `fetch_or` does; a store if there is one writer.
#[inline(always)]
pub(crate) fn set(word: &AtomicU64, writers: Writers, bits: u64, order: Ordering) -> u64 {
    if writers == Writers::One {
        let before = word.load(Ordering::Relaxed);
        word.store(before | bits, Ordering::Release);
        return before;
    }
    word.fetch_or(bits, order)
}

/// Clears bits of a word as `fetch_and` does; a store if there is one writer.
#[inline(always)]
pub(crate) fn clear(word: &AtomicU64, writers: Writers, bits: u64, order: Ordering) -> u64 {
    if writers == Writers::One {
        let before = word.load(Ordering::Relaxed);
        word.store(before & !bits, Ordering::Release);
        return before;
    }
    word.fetch_and(!bits, order)
}

#[cfg(not(loom))]
pub(crate) use parking_lot::{Mutex, MutexGuard};

/// `parking_lot`'s condition variable, with waits that take the guard and return it, as loom's do.
#[cfg(not(loom))]
pub(crate) struct Condvar(parking_lot::Condvar);

#[cfg(not(loom))]
impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar(parking_lot::Condvar::new())
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Sleeps until a notification, or until the time `until`.
    pub(crate) fn wait<'m, T>(
        &self,
        mut guard: MutexGuard<'m, T>,
        until: Option<Instant>,
    ) -> MutexGuard<'m, T> {
        match until {
            #[cfg(not(target_family = "wasm"))]
            Some(until) => drop(self.0.wait_until(&mut guard, until)),
            // There is no other thread to notify; the caller checks its condition again.
            #[cfg(target_family = "wasm")]
            Some(_) => {}
            None => self.0.wait(&mut guard),
        }
        guard
    }
}

/// The same interface over loom's condition variable, where no time passes.
#[cfg(loom)]
pub(crate) struct Condvar(loom::sync::Condvar);

#[cfg(loom)]
impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar(loom::sync::Condvar::new())
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    pub(crate) fn wait<'m, T>(
        &self,
        guard: MutexGuard<'m, T>,
        until: Option<Instant>,
    ) -> MutexGuard<'m, T> {
        assert!(until.is_none(), "models have no clock");
        self.0.wait(guard).unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(loom)]
pub(crate) use loom::sync::MutexGuard;

/// A lock with `parking_lot`'s interface over loom's.
#[cfg(loom)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

#[cfg(loom)]
impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Mutex<T> {
        Mutex(loom::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(loom)]
pub(crate) use loom::cell::UnsafeCell;

/// A cell with loom's interface over the standard one.
#[cfg(not(loom))]
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    #[inline]
    pub(crate) fn with<R>(&self, read: impl FnOnce(*const T) -> R) -> R {
        read(self.0.get())
    }

    #[inline]
    pub(crate) fn with_mut<R>(&self, write: impl FnOnce(*mut T) -> R) -> R {
        write(self.0.get())
    }
}

/// A rule of the concurrency design that a loom model can break on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(loom), allow(dead_code))]
pub(crate) enum Fault {
    /// The link to the children is published without Release.
    RelaxedPublish,
    /// An owner releases its node without checking for announcements.
    BlindRelease,
    /// The announcement that takes or marks a node is relaxed.
    RelaxedAnnounce,
    /// Nodes have no owner: every thread recomputes and stores immediately.
    NoOwnership,
    /// An owner climbs only if its last store differs from its first load.
    ClimbOnNetChange,
    /// The expander does not announce on the node it expanded.
    SilentExpansion,
    /// The expander computes a node that its published word does not own.
    UnownedRound,
    /// Bounds are stored, not joined.
    StoredBounds,
    /// The mark for final bounds may be visible before them.
    MarkBeforeEnds,
    /// The tried move of a leaf is stored even if the leaf has changed.
    StoredTry,
    /// Two threads may claim the same expansion.
    UnclaimedExpansion,
    /// A thread that loses a claim keeps its reserved block.
    ForgottenBlock,
    /// An owner abandons its duty when the stop flag is up.
    StopDropsOwnership,
    /// Blocks are reserved by a load and a store.
    RacyReservation,
    /// Indices are handed out without Release and Acquire.
    RelaxedExtent,
    /// A claim or an in-flight count outlives a panic.
    ForgottenGuard,
    /// The flag of a cached rank is cleared after the children were read.
    LateRankFlag,
    /// Two threads may write the cached ranks of the same children at once.
    TwoRankers,
    /// A reader of the table of proven positions does not compare keys.
    TrustedSlot,
    /// Every thread that finds a slot of that table empty counts it as filled by itself.
    CountedTwice,
    /// A worker ends without adding the playouts that it holds to the tree.
    LostHeld,
    /// Entries of a transposition table store their keys unmixed.
    UnmixedKey,
    /// Alpha-beta and df-pn read each other's entries of open positions.
    OneKindOfOpen,
    /// The heads of free lists have no generation.
    NoGeneration,
    /// Free lists are changed without Release and Acquire.
    RelaxedFree,
    /// A recycled block is not zeroed.
    DirtyBlock,
    /// The reclaiming pass finds the new root's children below the old root.
    SweptRoot,
    /// Playouts without virtual visits are subtracted as if they had them.
    UncountedEnd,
    /// What a thread holds of a node is added to it by loads and stores.
    StoredHeld,
    /// A span that ends does not hand what it holds to the span above.
    ForgottenSpan,
    /// A span keeps what it has added to its nodes and handed to the span above.
    KeptHeld,
    /// A span on the path has no end.
    EndlessSpan,
    /// A proof above an exit costs the path no trust.
    KeptTrust,
    /// A worker that has ended is subtracted after waking the coordinator.
    EarlyWake,
    /// A pause because of a proof discards another worker's request for room.
    ForgottenRoom,
    /// A worker that waits for answers notifies the callers before it counts as waiting.
    EarlyIdle,
    /// A worker that was woken for answers wakes no other one.
    LastWoken,
    /// A leaf whose awaited answer is unusable is not requested again.
    ForgottenLeaf,
    /// A node that received its answer does not announce to its parent.
    SilentKnown,
}

#[cfg(loom)]
std::thread_local! {
    static BROKEN: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Breaks one rule for the models that run on this thread, or none.
#[cfg(loom)]
pub(crate) fn break_rule(fault: Option<Fault>) {
    BROKEN.with(|b| b.set(fault));
}

/// Returns whether `fault` is enabled: never outside loom builds.
#[inline(always)]
pub(crate) fn broken(fault: Fault) -> bool {
    #[cfg(loom)]
    return BROKEN.with(|b| b.get()) == Some(fault);
    #[cfg(not(loom))]
    {
        let _ = fault;
        false
    }
}

/// Returns `ordering`, or `Relaxed` while `fault` is enabled.
#[inline(always)]
pub(crate) fn unless_broken(fault: Fault, ordering: Ordering) -> Ordering {
    if broken(fault) { Ordering::Relaxed } else { ordering }
}

/// The pointer in a cell that no other thread can reach any more.
#[cfg(not(loom))]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    *cell.get_mut()
}

/// The pointer in a cell that no other thread can reach any more, which loom verifies. A failing
/// model unwinds outside loom, where its cells cannot be read: the result is then null, and memory
/// leaks.
#[cfg(loom)]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    if std::thread::panicking() { std::ptr::null_mut() } else { cell.with_mut(|pointer| *pointer) }
}
