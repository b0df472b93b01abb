//! A search: one tree, many workers, and the coordinator that ends them.

use crate::evaluate::{Evaluator, Playout, RandomPlayout, UniformRandom};
use crate::game::{Game, Turn};
use crate::prepare::{bytes_per_node, prepare};
use crate::report::{self, Report};
use crate::shared::Shared;
use crate::tree::{Audit, Inconsistency, ROOT, Slab};
use crate::worker::Worker;
use crate::{Budget, Config, Rng, SearchError, StopReason};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A search of one position that can be run again and again: each run goes on
/// with the tree of the one before.
///
/// # Examples
/// See the [crate page](crate) for a complete program.
pub struct Search<G: Game, E: Evaluator<G> = RandomPlayout> {
    shared: Arc<Shared<G, E>>,
    running: Option<Run>,
    last: Finished,
    workers: Vec<WorkerSeed>,
}

/// What a worker leaves for the next run.
struct WorkerSeed {
    rng: Rng,
    slab: Slab,
}

/// A search under way.
struct Run {
    coordinator: JoinHandle<Outcomes>,
    started: Instant,
    visits_before: u64,
}

/// What the workers came back with.
struct Outcomes {
    workers: Vec<WorkerSeed>,
    error: Option<SearchError>,
    elapsed: Duration,
}

/// The figures of the last run.
#[derive(Clone, Copy, Debug)]
struct Finished {
    reason: StopReason,
    elapsed: Duration,
    playouts: u64,
}

/// Searches a position in one call.
///
/// # Errors
/// As [`Search::new`] and [`Search::search`].
pub fn search<G: Game>(
    game: G,
    position: G::State,
    config: Config,
    budget: &Budget,
) -> Result<Report<G>, SearchError> {
    Search::new(game, position, config)?.search(budget)
}

impl<G: Game> Search<G> {
    /// A search of `position` with random playouts.
    ///
    /// # Errors
    /// When the configuration cannot be used, the memory does not hold the
    /// first nodes, or the game breaks its contract at the root.
    pub fn new(game: G, position: G::State, config: Config) -> Result<Search<G>, SearchError> {
        let playout = Playout::new(UniformRandom, config.playout_cap, config.unfinished_payoff);
        Search::with_evaluator(game, position, config, playout)
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// A search of `position` whose leaves `evaluator` values.
    ///
    /// # Errors
    /// As [`Search::new`].
    pub fn with_evaluator(
        game: G,
        position: G::State,
        config: Config,
        evaluator: E,
    ) -> Result<Search<G, E>, SearchError> {
        config.check()?;
        let shared = guard(|| prepare(game, position, config, evaluator))??;
        let workers = Rng::for_workers(shared.config.seed)
            .take(shared.config.threads)
            .map(|rng| WorkerSeed { rng, slab: Slab::default() })
            .collect();
        let reason = match shared.root_turn {
            Turn::Over => StopReason::GameOver,
            _ => StopReason::Stopped,
        };
        let last = Finished { reason, elapsed: Duration::ZERO, playouts: 0 };
        Ok(Search { shared: Arc::new(shared), running: None, last, workers })
    }

    /// Searches until the budget is spent or the question is settled.
    ///
    /// # Errors
    /// As [`start`](Search::start) and [`wait`](Search::wait).
    pub fn search(&mut self, budget: &Budget) -> Result<Report<G>, SearchError> {
        self.start(budget)?;
        self.wait()
    }

    /// Starts a search in the background. [`snapshot`](Search::snapshot) looks
    /// at it, [`stop`](Search::stop) ends it early, [`wait`](Search::wait)
    /// brings the answer.
    ///
    /// # Errors
    /// When a search is running already or a limit is 0.
    pub fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        if self.running.is_some() {
            return Err(SearchError::Running);
        }
        budget.check()?;
        let shared = Arc::clone(&self.shared);
        let when_full = self.apply_caps(budget);
        let done = shared.root_turn == Turn::Over || shared.is_settled();
        let mut seeds = std::mem::take(&mut self.workers);
        // A worker that failed left nothing behind: its successor begins a
        // sequence of its own.
        let missing = shared.config.threads - seeds.len();
        let fresh = Rng::for_workers(!shared.config.seed).take(missing);
        seeds.extend(fresh.map(|rng| WorkerSeed { rng, slab: Slab::default() }));
        shared.control.reset(shared.config.threads, budget.playouts, when_full);
        if done {
            let over = shared.root_turn == Turn::Over;
            shared.control.stop(if over { StopReason::GameOver } else { StopReason::Settled });
        }
        let started = Instant::now();
        let visits_before = shared.tree.node(ROOT).statistics().visits;
        // A time too long to add to the clock is no limit.
        let deadline = budget.time.and_then(|time| started.checked_add(time));
        let cancel = budget.cancel.clone();
        let coordinator = thread::Builder::new()
            .name("proofwood-coordinator".into())
            .spawn(move || {
                let (workers, error) = if done {
                    (seeds, None)
                } else {
                    run_workers(&shared, seeds, deadline, cancel.as_ref())
                };
                Outcomes { workers, error, elapsed: started.elapsed() }
            })
            .map_err(|e| SearchError::Threads(e.to_string()))?;
        self.running = Some(Run { coordinator, started, visits_before });
        Ok(())
    }

    /// Tells a running search to stop; does nothing when none is running.
    pub fn stop(&self) {
        if self.running.is_some() {
            self.shared.control.stop(StopReason::Stopped);
        }
    }

    /// Whether [`wait`](Search::wait) would block.
    pub fn is_running(&self) -> bool {
        self.running.as_ref().is_some_and(|run| !run.coordinator.is_finished())
    }

    /// Waits for the running search to end and answers what it found.
    ///
    /// # Errors
    /// When none was started, when game or evaluator code panicked or broke
    /// the game's contract, or when two proofs contradict each other.
    pub fn wait(&mut self) -> Result<Report<G>, SearchError> {
        let run = self.running.take().ok_or(SearchError::NotRunning)?;
        let outcomes = run
            .coordinator
            .join()
            .map_err(|panic| SearchError::Panic(panic_message(panic.as_ref())))?;
        self.workers = outcomes.workers;
        let visits = self.shared.tree.node(ROOT).statistics().visits;
        self.last = Finished {
            reason: self.shared.control.reason(),
            elapsed: outcomes.elapsed,
            playouts: visits - run.visits_before,
        };
        if let Some(node) = self.shared.tree.contradiction() {
            return Err(SearchError::Contradiction { node });
        }
        match outcomes.error {
            Some(error) => Err(error),
            None => Ok(self.snapshot()),
        }
    }

    /// What the search knows now, also while it runs. The figures of a running
    /// search are read one after the other and may be a playout apart.
    pub fn snapshot(&self) -> Report<G> {
        let (reason, elapsed, playouts) = match &self.running {
            Some(run) => {
                let visits = self.shared.tree.node(ROOT).statistics().visits;
                (None, run.started.elapsed(), visits - run.visits_before)
            }
            None => (Some(self.last.reason), self.last.elapsed, self.last.playouts),
        };
        let in_slabs: u64 = self.workers.iter().map(|seed| seed.slab.left()).sum();
        let nodes = self.shared.tree.arena.len().saturating_sub(in_slabs);
        report::report(&self.shared, reason, elapsed, playouts, nodes)
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.shared.game
    }

    /// The position that is searched.
    pub fn position(&self) -> &G::State {
        &self.shared.root
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Checks that the tree equals its own sequential recomputation, node by
    /// node. Slow; meant for tests and for finding bugs. With
    /// [`Config::audit`] it also accounts for every visit.
    ///
    /// # Errors
    /// The first difference, which is a bug in the engine or a game whose
    /// rules are not a function of its states.
    ///
    /// # Panics
    /// When a search is running.
    pub fn audit(&mut self) -> Result<Audit, Inconsistency> {
        assert!(self.running.is_none(), "a tree can be audited only at rest");
        for seed in &mut self.workers {
            self.shared.tree.arena.give_back(&mut seed.slab);
        }
        match self.shared.is_open_loop() {
            // A node is no position: there is nothing to compare it with.
            true => self.shared.tree.audit_counts(&self.shared.game),
            false => self.shared.tree.audit(&self.shared.game, &self.shared.root),
        }
    }

    /// Sets how far the arena may grow; answers what a full arena means.
    fn apply_caps(&self, budget: &Budget) -> Option<StopReason> {
        let arena = &self.shared.tree.arena;
        let bytes_per_node = bytes_per_node::<G>(arena.columns());
        let memory = (self.shared.tree_memory() / bytes_per_node, None);
        let nodes = budget.nodes.map(|nodes| (nodes, Some(StopReason::Nodes)));
        let bytes = budget.bytes.map(|b| (b / bytes_per_node, Some(StopReason::Bytes)));
        let limits = [Some(memory), nodes, bytes].into_iter().flatten();
        let (cap, reason) = limits.min_by_key(|&(cap, _)| cap).unwrap_or(memory);
        arena.set_cap(cap);
        let endless = budget.time.is_none() && budget.playouts.is_none();
        reason.or(endless.then_some(StopReason::Memory))
    }
}

impl<G: Game, E: Evaluator<G>> Drop for Search<G, E> {
    fn drop(&mut self) {
        self.stop();
        if let Some(run) = self.running.take() {
            // The result is not wanted, nor is a panic message.
            let _ = run.coordinator.join();
        }
    }
}

/// Runs the workers to their end; answers what they leave and the first error.
fn run_workers<G: Game, E: Evaluator<G>>(
    shared: &Shared<G, E>,
    seeds: Vec<WorkerSeed>,
    deadline: Option<Instant>,
    cancel: Option<&crate::CancelToken>,
) -> (Vec<WorkerSeed>, Option<SearchError>) {
    let mut back = Vec::with_capacity(seeds.len());
    let mut error = None;
    thread::scope(|scope| {
        let mut handles = Vec::with_capacity(seeds.len());
        for (number, WorkerSeed { rng, slab }) in seeds.into_iter().enumerate() {
            let worker = move || {
                let result =
                    guard(|| Worker::new(shared, rng, slab, deadline).run()).and_then(|r| r);
                if result.is_err() {
                    shared.control.stop(StopReason::Stopped);
                }
                shared.control.worker_done();
                result
            };
            let name = format!("proofwood-{number}");
            match thread::Builder::new().name(name).spawn_scoped(scope, worker) {
                Ok(handle) => handles.push(handle),
                Err(e) => {
                    shared.control.worker_done();
                    shared.control.stop(StopReason::Stopped);
                    error.get_or_insert(SearchError::Threads(e.to_string()));
                }
            }
        }
        shared.control.keep_time(deadline, cancel);
        for handle in handles {
            match handle.join().unwrap_or_else(|p| Err(SearchError::Panic(panic_message(&*p)))) {
                Ok((slab, rng)) => back.push(WorkerSeed { rng, slab }),
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

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".into())
}
