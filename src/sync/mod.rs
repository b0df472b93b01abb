//! The one door to atomics and shared cells.
//!
//! Ordinary builds get the standard library's types. Builds with `--cfg loom`
//! get loom's, which explore every interleaving and every value that a relaxed
//! load may return; the models live in `loom-tests/`. No access here is
//! `SeqCst`: loom treats those as acquire-release, so a rule that needed more
//! would pass its model and fail on hardware.
//!
//! Models also have failing twins: the same code with one rule broken must be
//! caught. [`Fault`] names the rules that can be broken; outside loom builds
//! [`broken`] is a constant `false`.
//!
//! With the feature `logical` the types are those of `logical`, by which many
//! workers take turns on few cores. The functions through which it counts do
//! nothing otherwise.

mod clock;

pub(crate) use clock::Instant;

/// Whether the system has threads; else everything runs on the caller's.
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

/// Every worker runs when the operating system lets it, and nothing is counted.
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

/// A float in an integer of the same size: for loom, and where nobody computes with it.
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

/// How many threads change words that others may read. It is fixed when the words are
/// made. Of two threads that both took themselves for the only one, both could win the
/// same claim; so whoever starts threads asks [`Writers::admit`] first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writers {
    /// One at a time, which changes words by plain stores.
    One,
    /// Any number at once, which change words by read-modify-writes.
    Many,
}

impl Writers {
    /// Those of a team of so many threads.
    pub(crate) fn of(threads: usize) -> Writers {
        if threads == 1 { Writers::One } else { Writers::Many }
    }

    /// Whether so many threads may write at once.
    pub(crate) fn admit(self, threads: usize) -> bool {
        self == Writers::Many || threads <= 1
    }
}

/// Changes a word from what was just read, as `compare_exchange_weak` does. While
/// one thread alone writes such words, nothing can have come in between, and a store
/// does it, which other threads may acquire: a locked instruction takes the time of
/// twenty others.
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

/// Sets bits of a word as `fetch_or` does; a store where there is one writer.
#[inline(always)]
pub(crate) fn set(word: &AtomicU64, writers: Writers, bits: u64, order: Ordering) -> u64 {
    if writers == Writers::One {
        let before = word.load(Ordering::Relaxed);
        word.store(before | bits, Ordering::Release);
        return before;
    }
    word.fetch_or(bits, order)
}

/// Clears bits of a word as `fetch_and` does; a store where there is one writer.
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

/// `parking_lot`'s, whose waits take the guard and give it back, as loom's do.
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

    /// Sleeps until somebody notifies, or that time has come.
    pub(crate) fn wait<'m, T>(
        &self,
        mut guard: MutexGuard<'m, T>,
        until: Option<Instant>,
    ) -> MutexGuard<'m, T> {
        match until {
            #[cfg(not(target_family = "wasm"))]
            Some(until) => drop(self.0.wait_until(&mut guard, until)),
            // Nobody else is there who would notify; what waits looks again.
            #[cfg(target_family = "wasm")]
            Some(_) => {}
            None => self.0.wait(&mut guard),
        }
        guard
    }
}

/// The same over loom's, where no time passes.
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

/// How many forks all searches have made: nodes below the root at which playouts may begin. A
/// model asks whether it had any; loom does not count it as an access.
#[cfg(loom)]
pub(crate) static FORKS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

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
    /// An owner gives up its node without looking for announcements.
    BlindRelease,
    /// The announcement that takes or marks a node is relaxed.
    RelaxedAnnounce,
    /// Nobody owns a node: every thread recomputes and stores as it comes.
    NoOwnership,
    /// An owner climbs only if its last store differs from its first load.
    ClimbOnNetChange,
    /// The expander does not announce on the node it expanded.
    SilentExpansion,
    /// The expander computes a node that the word which it published does not own.
    UnownedRound,
    /// Bounds are stored, not joined.
    StoredBounds,
    /// The mark that bounds are the last ones may be seen before they are.
    MarkBeforeEnds,
    /// What was tried at a leaf is stored, whatever the leaf is by now.
    StoredTry,
    /// Two threads may claim the same expansion.
    UnclaimedExpansion,
    /// Who loses a claim keeps the block that it had reserved.
    ForgottenBlock,
    /// An owner drops its duty when the stop flag is up.
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
    /// A reader of the table of settled positions does not compare keys.
    TrustedSlot,
    /// Whoever finds a slot of that table empty counts it as one that it filled.
    CountedTwice,
    /// A worker ends without adding its last playouts to the root.
    LostDeferred,
    /// A transposition table's entries keep their keys as they are.
    UnmixedKey,
    /// Alpha-beta and df-pn read each other's entries of open positions.
    OneKindOfOpen,
    /// The heads of free lists hold no generation.
    NoGeneration,
    /// Free lists are changed without Release and Acquire.
    RelaxedFree,
    /// A recycled block is not zeroed.
    DirtyBlock,
    /// The sweep finds the new root's children below the old root.
    SweptRoot,
    /// Playouts that were not counted as under way are taken back as if they were.
    UncountedEnd,
    /// A thread's notes of a node are added to it by loads and stores.
    StoredNotes,
    /// A worker that has ended is counted out after the coordinator was woken for it.
    EarlyWake,
    /// A pause because of a proof forgets the room that another worker wanted.
    ForgottenRoom,
    /// A worker that waits for answers tells the callers before it counts as waiting.
    EarlyIdle,
    /// A worker that was woken for answers wakes no other one.
    LastWoken,
    /// A leaf that cannot use the answer it waited for is not asked for again.
    ForgottenLeaf,
    /// A node whose answer was carried to it does not tell its parent.
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

/// Whether `fault` is switched on: never outside loom builds.
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

/// `ordering`, or `Relaxed` while `fault` is switched on.
#[inline(always)]
pub(crate) fn unless_broken(fault: Fault, ordering: Ordering) -> Ordering {
    if broken(fault) { Ordering::Relaxed } else { ordering }
}

/// The pointer in a cell that no other thread can reach any more.
#[cfg(not(loom))]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    *cell.get_mut()
}

/// The pointer in a cell that no other thread can reach any more; loom holds
/// the caller to that. A model that fails unwinds out of loom's reach, where
/// its cells cannot be read: it answers null, and memory leaks.
#[cfg(loom)]
pub(crate) fn unshared<T>(cell: &mut AtomicPtr<T>) -> *mut T {
    if std::thread::panicking() { std::ptr::null_mut() } else { cell.with_mut(|pointer| *pointer) }
}
