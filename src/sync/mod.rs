//! Atomics, locks and cells. Other modules import them from here only.
//!
//! Ordinary builds get the standard library's types. Builds with `--cfg loom` get loom's, which
//! explore every interleaving and every value that a relaxed load may return; the models are in
//! `loom-tests/`. No access is `SeqCst`: loom treats it as acquire-release, so it could not check a
//! rule that needs more.
//!
//! Models have failing twins: the same code with one rule broken must fail. [`Fault`] lists the
//! rules that can be broken. Outside loom builds [`broken`] is the constant `false`.
//!
//! With the feature `logical` the types come from the module `logical`, which simulates many
//! workers on few cores. Otherwise its counting functions do nothing.

mod clock;

pub(crate) use clock::Instant;

/// Whether the system has threads. Otherwise all work runs on the caller's thread.
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

/// Versions of the counting functions that do nothing, for builds without the feature `logical`.
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

/// A float stored in an integer, for loom and for builds without atomic floats.
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

/// The number of threads that write certain shared words. It is fixed when the words are created.
/// If two threads each assumed that it was the only writer, both could win the same claim, so call
/// [`Writers::admit`] before you start threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// One thread at a time, which writes with plain stores.
    One,
    /// Any number of threads, which write with read-modify-write operations.
    Many,
}

impl Writers {
    pub(crate) fn of(threads: usize) -> Writers {
        if threads == 1 { Writers::One } else { Writers::Many }
    }

    /// Returns whether `threads` threads may write at once.
    pub(crate) fn admit(self, threads: usize) -> bool {
        self == Writers::Many || threads <= 1
    }
}

/// Replaces `current`, the value just read, with `new`, like `compare_exchange_weak`. With a single
/// writer the value cannot have changed since, so a Release store is enough, which pairs with other
/// threads' Acquire loads. It saves a locked instruction, which takes as long as twenty ordinary
/// ones.
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

/// Sets bits of a word like `fetch_or`. With a single writer a Release store suffices.
#[inline(always)]
pub(crate) fn set(word: &AtomicU64, writers: Writers, bits: u64, order: Ordering) -> u64 {
    if writers == Writers::One {
        let before = word.load(Ordering::Relaxed);
        word.store(before | bits, Ordering::Release);
        return before;
    }
    word.fetch_or(bits, order)
}

/// Clears bits of a word like `fetch_and`. With a single writer a Release store suffices.
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

#[cfg(loom)]
use loom::sync as library;
#[cfg(not(loom))]
use parking_lot as library;

/// A condition variable with loom's interface: a wait takes and returns the guard.
pub(crate) struct Condvar(library::Condvar);

impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar(library::Condvar::new())
    }

    pub(crate) fn notify_all(&self) {
        self.0.notify_all();
    }

    pub(crate) fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Sleeps until it is notified, or until the time `until`.
    #[cfg(not(loom))]
    pub(crate) fn wait<'m, T>(
        &self,
        mut guard: MutexGuard<'m, T>,
        until: Option<Instant>,
    ) -> MutexGuard<'m, T> {
        match until {
            #[cfg(not(target_family = "wasm"))]
            Some(until) => drop(self.0.wait_until(&mut guard, until)),
            // No other thread could notify; the caller checks its condition again.
            #[cfg(target_family = "wasm")]
            Some(_) => {}
            None => self.0.wait(&mut guard),
        }
        guard
    }

    /// Sleeps until a notification. No time passes in models.
    #[cfg(loom)]
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

/// Loom's lock with `parking_lot`'s interface.
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

/// The standard library's cell with loom's interface.
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

/// A rule of the concurrency design that a loom model can break. Each variant describes the faulty
/// behaviour.
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
    /// An owner climbs only if the last value it stored differs from the first one it loaded.
    ClimbOnNetChange,
    /// The expander does not announce on the node that it expanded.
    SilentExpansion,
    /// The expander recomputes a node although publishing the node's word did not take ownership.
    UnownedRound,
    /// Joined bounds are stored with a plain store instead of an exchange.
    StoredBounds,
    /// The mark that bounds are final may become visible before the bounds.
    MarkBeforeEnds,
    /// A leaf's tried move is stored even if the leaf has changed meanwhile.
    StoredTry,
    /// Two threads may claim the same expansion.
    UnclaimedExpansion,
    /// A thread that loses a claim keeps the block that it reserved.
    ForgottenBlock,
    /// An owner does not finish its rounds when the stop flag is set.
    StopDropsOwnership,
    /// A block is reserved with a load and a store instead of an exchange.
    RacyReservation,
    /// Indices are handed out without Release and Acquire.
    RelaxedExtent,
    /// A claim or a count of playouts in flight outlives a panic.
    ForgottenGuard,
    /// The mark that cached ranks are out of date is cleared after the children are read, not
    /// before.
    LateRankFlag,
    /// Two threads may write the cached ranks of the same children at once.
    TwoRankers,
    /// A reader of the table of proven positions does not compare keys.
    TrustedSlot,
    /// Every thread that finds an empty slot in the table of proven positions counts it as filled.
    CountedTwice,
    /// A worker ends without adding its pending playouts to the tree.
    LostHeld,
    /// Entries of a transposition table contain their keys unmixed.
    UnmixedKey,
    /// Alpha-beta and df-pn read each other's entries for open positions.
    OneKindOfOpen,
    /// The heads of free lists have no generation.
    NoGeneration,
    /// Free lists are changed without Release and Acquire.
    RelaxedFree,
    /// A recycled block is not zeroed.
    DirtyBlock,
    /// The pass that reclaims the old tree also reclaims the new root's children.
    SweptRoot,
    /// A playout is subtracted even though the node did not count it as in flight.
    UncountedEnd,
    /// A thread adds its pending statistics to a node with a load and a store.
    StoredHeld,
    /// A span that ends does not pass its statistics to the span above.
    ForgottenSpan,
    /// A span keeps statistics that it has added to its nodes and passed to the span above.
    KeptHeld,
    /// A span of the path cache never ends.
    EndlessSpan,
    /// A proof does not reduce a thread's trust in its cached path.
    KeptTrust,
    /// A worker that ends wakes the coordinator before it is subtracted from the number of working
    /// threads.
    EarlyWake,
    /// A pause for a proof discards another worker's request for memory.
    ForgottenRoom,
    /// A worker notifies the callers before it counts as waiting for answers.
    EarlyIdle,
    /// A worker that received answers does not wake the next worker.
    LastWoken,
    /// A leaf is not requested again when the answer that it waited for is unusable.
    ForgottenLeaf,
    /// A node that is proven by the table does not announce on its parent.
    SilentKnown,
}

#[cfg(loom)]
std::thread_local! {
    static BROKEN: std::cell::Cell<Option<Fault>> = const { std::cell::Cell::new(None) };
}

/// Breaks one rule, or none, for the models that run on this thread.
#[cfg(loom)]
pub(crate) fn break_rule(fault: Option<Fault>) {
    BROKEN.with(|b| b.set(fault));
}

/// Returns whether a model has broken this rule; always `false` outside loom builds.
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

/// Returns `ordering`, or `Relaxed` if a model has broken this rule.
#[inline(always)]
pub(crate) fn unless_broken(fault: Fault, ordering: Ordering) -> Ordering {
    if broken(fault) { Ordering::Relaxed } else { ordering }
}

/// Returns the pointer in a cell that no other thread can reach any more.
#[cfg(not(loom))]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    *cell.get_mut()
}

/// Returns the pointer in a cell that no other thread can reach any more, which loom verifies. A
/// failing model unwinds outside loom, where loom's cells cannot be read; then the result is null
/// and the memory leaks.
#[cfg(loom)]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    if std::thread::panicking() { std::ptr::null_mut() } else { cell.with_mut(|pointer| *pointer) }
}
