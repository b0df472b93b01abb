//! Simulates many workers on few cores, to observe an algorithm with more threads than the machine
//! has cores.
//!
//! With the feature `logical` the engine uses the atomics defined here, and every access to one is
//! a *point*. While [`run_few`] is in force, only a few workers run at a time; the others are
//! suspended at a point, in the middle of any operation. At random points a running worker hands
//! its baton to a random suspended worker and suspends itself. So any number of workers search a
//! tree with the unmodified engine, and each may be interrupted anywhere. This shows the behaviour
//! of the *algorithm* with many workers: playouts until a proof, strength at equal playouts,
//! duplicated work. It shows nothing about contention for memory, and so nothing about speed.
//!
//! A suspended worker that owns a node delays the update of the node's parent, but no other worker.
//! The simulation cannot deadlock, because no worker waits for another one.

use crate::math::Rng;
use parking_lot::{Condvar, Mutex};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The mean number of points between two hand-overs by a worker.
const MEAN_STRETCH: u64 = 64;

/// Counts of events since the last [`take_measured`]. Time is measured in points, one for each
/// access of a worker to an atomic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The number of accesses by all workers.
    pub points: u64,
    /// The number of times that a baton was handed over.
    pub hand_overs: u64,
    /// The number of times that a worker took ownership of a node to recompute it.
    pub owned: u64,
    /// The number of points, of all workers, that passed while a node was owned, summed over all
    /// times that a node was owned.
    pub points_owned: u64,
    /// The number of announcements on nodes that another worker already owned, which left the work
    /// to that owner.
    pub met_owner: u64,
    /// The number of claims of leaves that failed because another worker held the claim.
    pub lost_claims: u64,
    /// The number of successful claims of leaves.
    pub claims: u64,
}

/// The suspended workers and the number of batons.
struct Batons {
    /// The number of workers that may run at a time; `None` lets all run.
    carriers: Option<usize>,
    running: usize,
    standing: Vec<Arc<Stand>>,
    /// The workers of a search that is about to begin. It begins when all have arrived, so the
    /// order of their arrival does not matter.
    gathered: Vec<(usize, Arc<Stand>)>,
    absent: usize,
    seed: u64,
    rng: Option<Rng>,
    measured: Measured,
}

/// The place where a worker waits for a baton.
#[derive(Default)]
struct Stand {
    /// Whether the worker has a baton. The worker that hands it over sets this, and the receiver
    /// clears it.
    runs: Mutex<bool>,
    called: Condvar,
}

static BATONS: Mutex<Batons> = Mutex::new(Batons {
    carriers: None,
    running: 0,
    standing: Vec::new(),
    gathered: Vec::new(),
    absent: 0,
    seed: 0,
    rng: None,
    measured: Measured {
        points: 0,
        hand_overs: 0,
        owned: 0,
        points_owned: 0,
        met_owner: 0,
        lost_claims: 0,
        claims: 0,
    },
});

thread_local! {
    static WORKER: RefCell<Option<Turner>> = const { RefCell::new(None) };
}

struct Turner {
    stand: Arc<Stand>,
    rng: Rng,
    left: u64,
    counted: Measured,
    points_before: u64,
}

/// Lets at most `carriers` workers run at a time, in all searches that start from now on, which
/// must run one after another; `None` lets all workers run. `seed` determines the order of the
/// batons: with one carrier the same seed gives the same search, unless a time limit ends it.
///
/// # Panics
/// If `carriers` is 0.
pub fn run_few(carriers: Option<usize>, seed: u64) {
    assert_ne!(carriers, Some(0), "somebody must run");
    let mut batons = BATONS.lock();
    batons.carriers = carriers;
    batons.seed = seed;
    batons.rng = Some(Rng::new(seed));
}

/// Returns the counts since the last call and resets them. Workers add their counts when they hand
/// over a baton and when they end.
pub fn take_measured() -> Measured {
    std::mem::take(&mut BATONS.lock().measured)
}

/// A worker's registration; dropping it gives up the worker's baton.
pub(crate) struct Seat(());

/// Registers worker `number` of `workers` and waits for a baton.
pub(crate) fn seat(number: usize, workers: usize) -> Option<Seat> {
    let mut batons = BATONS.lock();
    batons.carriers?;
    let stand = Arc::new(Stand::default());
    let worker = Turner {
        stand: Arc::clone(&stand),
        rng: Rng::new(batons.seed.wrapping_add(1 + number as u64)),
        left: 1,
        counted: Measured::default(),
        points_before: batons.measured.points,
    };
    WORKER.with(|own| *own.borrow_mut() = Some(worker));
    batons.gathered.push((number, Arc::clone(&stand)));
    batons.begin(workers);
    drop(batons);
    stand.wait();
    Some(Seat(()))
}

/// Reports that one of `workers` workers could not be started, so that the others begin without it.
pub(crate) fn absent(workers: usize) {
    let mut batons = BATONS.lock();
    if batons.carriers.is_some() {
        batons.absent += 1;
        batons.begin(workers);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Some(worker) = WORKER.with(|own| own.borrow_mut().take()) else { return };
        let mut batons = BATONS.lock();
        batons.measured.add(worker.counted);
        match batons.next() {
            Some(next) => next.call(),
            None => batons.running -= 1,
        }
    }
}

impl Batons {
    fn begin(&mut self, workers: usize) {
        if self.gathered.len() + self.absent < workers {
            return;
        }
        self.absent = 0;
        self.gathered.sort_by_key(|&(number, _)| number);
        self.standing.extend(self.gathered.drain(..).map(|(_, stand)| stand));
        for _ in 0..self.carriers.unwrap_or(workers) {
            if let Some(first) = self.next() {
                self.running += 1;
                first.call();
            }
        }
    }

    fn next(&mut self) -> Option<Arc<Stand>> {
        let standing = self.standing.len() as u32;
        let rng = self.rng.get_or_insert_with(|| Rng::new(0));
        (standing > 0).then(|| self.standing.swap_remove(rng.below(standing) as usize))
    }
}

impl Stand {
    fn wait(&self) {
        let mut runs = self.runs.lock();
        while !*runs {
            self.called.wait(&mut runs);
        }
        *runs = false;
    }

    fn call(&self) {
        *self.runs.lock() = true;
        self.called.notify_one();
    }
}

impl Measured {
    fn add(&mut self, other: Measured) {
        self.points += other.points;
        self.hand_overs += other.hand_overs;
        self.owned += other.owned;
        self.points_owned += other.points_owned;
        self.met_owner += other.met_owner;
        self.lost_claims += other.lost_claims;
        self.claims += other.claims;
    }
}

/// Counts a point of this worker, and may hand over its baton. Every access to an atomic calls this
/// first.
#[inline]
pub(crate) fn point() {
    let stand = WORKER.with(|own| {
        // A failure would mean that a hand-over itself reached a point, which cannot happen.
        let mut own = own.try_borrow_mut().ok()?;
        let worker = own.as_mut()?;
        worker.counted.points += 1;
        worker.left -= 1;
        if worker.left > 0 {
            return None;
        }
        worker.left = 1 + worker.rng.below_u64(2 * MEAN_STRETCH - 1);
        worker.hand_over()
    });
    if let Some(stand) = stand {
        stand.wait();
        let points = BATONS.lock().measured.points;
        WORKER.with(|own| {
            if let Some(worker) = own.borrow_mut().as_mut() {
                worker.points_before = points;
            }
        });
    }
}

impl Turner {
    /// Hands over the baton; returns the place where this worker waits for the next one, or `None`
    /// if no worker is suspended.
    fn hand_over(&mut self) -> Option<Arc<Stand>> {
        let mut batons = BATONS.lock();
        batons.measured.add(std::mem::take(&mut self.counted));
        self.points_before = batons.measured.points;
        let next = batons.next()?;
        batons.measured.hand_overs += 1;
        batons.standing.push(Arc::clone(&self.stand));
        next.call();
        Some(Arc::clone(&self.stand))
    }
}

fn count(what: impl FnOnce(&mut Measured)) {
    WORKER.with(|own| {
        if let Some(worker) = own.borrow_mut().as_mut() {
            what(&mut worker.counted);
        }
    });
}

/// A worker's ownership of a node. Dropping it counts the points that have passed since it began.
pub(crate) struct Owning {
    since: u64,
}

fn now() -> u64 {
    WORKER.with(|own| {
        own.borrow().as_ref().map_or(0, |worker| worker.points_before + worker.counted.points)
    })
}

impl Owning {
    pub(crate) fn begins() -> Owning {
        Owning { since: now() }
    }
}

impl Drop for Owning {
    fn drop(&mut self) {
        let points = now().saturating_sub(self.since);
        count(|counted| {
            counted.owned += 1;
            counted.points_owned += points;
        });
    }
}

pub(crate) fn met_owner() {
    count(|counted| counted.met_owner += 1);
}

/// Counts an attempt to claim a leaf; `had` means that it succeeded.
pub(crate) fn claimed(had: bool) {
    count(|counted| match had {
        true => counted.claims += 1,
        false => counted.lost_claims += 1,
    });
}

/// Defines a version of one of the standard library's atomics with a point before each access.
macro_rules! atomic {
    ($name:ident, $value:ty, $(<$of:ident>,)? $($method:ident),*) => {
        #[derive(Debug)]
        #[repr(transparent)]
        pub(crate) struct $name$(<$of>)?(std::sync::atomic::$name$(<$of>)?);

        #[allow(dead_code)]
        impl$(<$of>)? $name$(<$of>)? {
            pub(crate) const fn new(value: $value) -> Self {
                Self(std::sync::atomic::$name::new(value))
            }

            pub(crate) fn load(&self, order: Ordering) -> $value {
                point();
                self.0.load(order)
            }

            pub(crate) fn store(&self, value: $value, order: Ordering) {
                point();
                self.0.store(value, order);
            }

            pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                point();
                self.0.swap(value, order)
            }

            pub(crate) fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                point();
                self.0.compare_exchange(current, new, success, failure)
            }

            pub(crate) fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(current, new, success, failure)
            }

            pub(crate) fn get_mut(&mut self) -> &mut $value {
                self.0.get_mut()
            }

            pub(crate) fn into_inner(self) -> $value {
                self.0.into_inner()
            }

            $(pub(crate) fn $method(&self, value: $value, order: Ordering) -> $value {
                point();
                self.0.$method(value, order)
            })*
        }
    };
}

atomic!(AtomicBool, bool, fetch_or, fetch_and);
atomic!(AtomicI64, i64, fetch_add, fetch_sub);
atomic!(AtomicU8, u8,);
atomic!(AtomicU16, u16, fetch_add, fetch_sub);
atomic!(AtomicU32, u32, fetch_add, fetch_sub, fetch_or, fetch_and, fetch_xor, fetch_max);
atomic!(AtomicU64, u64, fetch_add, fetch_sub, fetch_or, fetch_and, fetch_xor, fetch_max, fetch_min);
atomic!(AtomicPtr, *mut T, <T>,);

impl Default for AtomicU64 {
    fn default() -> AtomicU64 {
        AtomicU64::new(0)
    }
}

/// An atomic float with a point before each access.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct AtomicF64(atomic_float::AtomicF64);

impl AtomicF64 {
    pub(crate) const fn new(value: f64) -> AtomicF64 {
        AtomicF64(atomic_float::AtomicF64::new(value))
    }

    pub(crate) fn load(&self, order: Ordering) -> f64 {
        point();
        self.0.load(order)
    }

    pub(crate) fn store(&self, value: f64, order: Ordering) {
        point();
        self.0.store(value, order);
    }
}
