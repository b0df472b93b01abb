//! The coordinator's thread: starts the workers, keeps the time, and brings
//! back what they leave.

use crate::decided::Limits;
use crate::evaluate::Evaluator;
use crate::game::Game;
use crate::shared::Shared;
use crate::sync::{absent, seat};
use crate::tree::Slab;
use crate::worker::Worker;
use crate::{CancelToken, Rng, SearchError, StopReason};
use cpu_time::ThreadTime;
use parking_lot::RwLock;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

/// What a worker leaves for the next run.
pub(crate) struct WorkerSeed {
    pub(crate) rng: Rng,
    pub(crate) slab: Slab,
    /// Processor time that is left to it in this search; `None` for any.
    pub(crate) cpu_left: Option<Duration>,
}

impl WorkerSeed {
    /// Of a worker that has not run yet.
    pub(crate) fn new(rng: Rng) -> WorkerSeed {
        WorkerSeed { rng, slab: Slab::default(), cpu_left: None }
    }
}

/// What the workers came back with.
pub(crate) struct Outcomes {
    pub(crate) workers: Vec<WorkerSeed>,
    pub(crate) error: Option<SearchError>,
    pub(crate) elapsed: Duration,
}

/// Runs the workers to the end of the search. Where the memory is full they
/// end for a moment, each after its playout, and the tree is pruned.
pub(crate) fn coordinate<G: Game, E: Evaluator<G>>(
    shared: &RwLock<Shared<G, E>>,
    mut seeds: Vec<WorkerSeed>,
    limits: Limits,
    cancel: Option<&CancelToken>,
) -> (Vec<WorkerSeed>, Option<SearchError>) {
    loop {
        let (mut back, error) = run_workers(&shared.read(), seeds, limits, cancel);
        // Waits for snapshots that are being taken, and holds up others.
        let mut shared = shared.write();
        let shared = &mut *shared;
        let (Some(size), None) = (shared.control.paused(), &error) else { return (back, error) };
        for seed in &mut back {
            shared.tree.arena.give_back(&mut seed.slab);
        }
        shared.prunes += 1;
        let room = shared.tree.make_room(size as u32);
        shared.control.resume(back.len(), room);
        seeds = back;
    }
}

/// Runs the workers to their end; answers what they leave and the first error.
fn run_workers<G: Game, E: Evaluator<G>>(
    shared: &Shared<G, E>,
    seeds: Vec<WorkerSeed>,
    limits: Limits,
    cancel: Option<&CancelToken>,
) -> (Vec<WorkerSeed>, Option<SearchError>) {
    let workers = seeds.len();
    let mut back = Vec::with_capacity(workers);
    let mut error = None;
    thread::scope(|scope| {
        let mut handles = Vec::with_capacity(seeds.len());
        for (number, WorkerSeed { rng, slab, cpu_left }) in seeds.into_iter().enumerate() {
            let worker = move || {
                let _seat = seat(number, workers);
                let clock = cpu_left.map(|left| (ThreadTime::now(), left));
                let run = || Worker::new(shared, number as u32, rng, slab, limits, clock).run();
                let result = guard(run).and_then(|r| r);
                if result.is_err() {
                    shared.control.stop(StopReason::Stopped);
                }
                shared.control.worker_done();
                let cpu_left = clock.map(|(clock, left)| left.saturating_sub(clock.elapsed()));
                result.map(|(slab, rng)| WorkerSeed { rng, slab, cpu_left })
            };
            let name = format!("proofwood-{number}");
            match thread::Builder::new().name(name).spawn_scoped(scope, worker) {
                Ok(handle) => handles.push(handle),
                Err(e) => {
                    absent(workers);
                    shared.control.worker_done();
                    shared.control.stop(StopReason::Stopped);
                    error.get_or_insert(SearchError::Threads(e.to_string()));
                }
            }
        }
        shared.control.keep_time(limits.deadline, cancel);
        for handle in handles {
            match handle.join().unwrap_or_else(|p| Err(SearchError::Panic(panic_message(&*p)))) {
                Ok(seed) => back.push(seed),
                Err(e) => {
                    error.get_or_insert(e);
                }
            }
        }
    });
    (back, error)
}

/// Runs code that calls the game; a panic becomes an error.
pub(crate) fn guard<T>(run: impl FnOnce() -> T) -> Result<T, SearchError> {
    // The tree stays consistent: claims and in-flight counts are given back by
    // guards, and no user code runs while a node is owned.
    catch_unwind(AssertUnwindSafe(run))
        .map_err(|panic| SearchError::Panic(panic_message(panic.as_ref())))
}

pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".into())
}
