//! A search: one tree, many workers, and the coordinator that ends them.

use crate::control::{Control, WhenFull};
use crate::coordinator::{Outcomes, WorkerSeed, builder, coordinate, guard, panic_message};
use crate::decided::Limits;
use crate::evaluate::{Evaluator, Playout, RandomPlayout, UniformRandom};
use crate::game::{Game, Turn};
use crate::prepare::{bytes_per_node, move_root, prepare};
use crate::report::{self, Report};
use crate::shared::Shared;
use crate::tree::{Audit, Inconsistency, ROOT};
use crate::{Budget, Config, Rng, SearchError, StopReason};
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A search of one position that can be run again and again: each run goes on
/// with the tree of the one before.
///
/// # Examples
/// See the [crate page](crate) for a complete program.
pub struct Search<G: Game, E: Evaluator<G> = RandomPlayout> {
    /// Read by workers and snapshots, written where neither is at it.
    shared: Arc<RwLock<Shared<G, E>>>,
    game: Arc<G>,
    config: Config,
    control: Arc<Control>,
    position: G::State,
    running: Option<Run>,
    last: Finished,
    workers: Vec<WorkerSeed>,
}

/// A search under way.
struct Run {
    coordinator: JoinHandle<Outcomes>,
    started: Instant,
    visits_before: u64,
}

/// The figures of the last run.
#[derive(Clone, Copy, Debug)]
struct Finished {
    reason: StopReason,
    elapsed: Duration,
    playouts: u64,
}

impl Finished {
    /// Before the first run from a root.
    fn nothing(root_turn: Turn) -> Finished {
        let reason = match root_turn {
            Turn::Over => StopReason::GameOver,
            _ => StopReason::Stopped,
        };
        Finished { reason, elapsed: Duration::ZERO, playouts: 0 }
    }
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
        let (shared, position) = guard(|| {
            let kept = position.clone();
            prepare(game, position, config.clone(), evaluator).map(|shared| (shared, kept))
        })??;
        let workers =
            Rng::for_workers(config.seed).take(config.threads).map(WorkerSeed::new).collect();
        let last = Finished::nothing(shared.root_turn);
        Ok(Search {
            game: Arc::clone(&shared.game),
            control: Arc::clone(&shared.control),
            shared: Arc::new(RwLock::new(shared)),
            config,
            position,
            running: None,
            last,
            workers,
        })
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
        let shared = self.shared.read();
        let when_full = apply_caps(&shared, budget);
        let done = shared.root_turn == Turn::Over || shared.is_settled();
        let mut seeds = std::mem::take(&mut self.workers);
        // A worker that failed left nothing behind: its successor begins a
        // sequence of its own.
        let threads = self.config.threads;
        let missing = threads - seeds.len();
        let fresh = Rng::for_workers(!self.config.seed).take(missing);
        seeds.extend(fresh.map(WorkerSeed::new));
        let share = budget.cpu_time.map(|time| time / threads as u32);
        seeds.iter_mut().for_each(|seed| seed.cpu_left = share);
        self.control.reset(threads, budget.playouts, when_full);
        if done {
            let over = shared.root_turn == Turn::Over;
            self.control.stop(if over { StopReason::GameOver } else { StopReason::Settled });
        }
        let started = Instant::now();
        let visits_before = shared.tree.node(ROOT).statistics().visits;
        drop(shared);
        let limits = Limits {
            started,
            // A time too long to add to the clock is no limit.
            deadline: budget.time.and_then(|time| started.checked_add(time)),
            playouts: budget.playouts,
            visits_before,
        };
        let cancel = budget.cancel.clone();
        let shared = Arc::clone(&self.shared);
        // Where no thread can be started, the seeds stay here.
        let parcel = Arc::new(Mutex::new(seeds));
        let sent = Arc::clone(&parcel);
        let coordinator = builder("proofwood-coordinator")
            .and_then(|thread| {
                thread.spawn(move || {
                    let seeds = std::mem::take(&mut *sent.lock());
                    let (workers, error) = if done {
                        (seeds, None)
                    } else {
                        coordinate(&shared, seeds, limits, cancel.as_ref())
                    };
                    Outcomes { workers, error, elapsed: started.elapsed() }
                })
            })
            .map_err(|e| {
                self.workers = std::mem::take(&mut *parcel.lock());
                SearchError::Threads(e.to_string())
            })?;
        self.running = Some(Run { coordinator, started, visits_before });
        Ok(())
    }

    /// Plays a move: the position after it becomes the one that is searched,
    /// and what was found out about it is kept: statistics, bounds, proofs and
    /// proof numbers. A search that runs is stopped first.
    ///
    /// Returns at once however large the tree is. The rest of the tree is swept
    /// while later searches run ([`Report::sweeping`]) and its memory used
    /// again. A move that no search has looked into starts a tree of its own,
    /// and so does, with [`Config::paranoid`] and another player to move,
    /// every move: the question is another one. What was proven stays known.
    /// Where chance decides, the move is an outcome. In open loop
    /// ([`Chance::Open`](crate::Chance::Open)) a node is no position, and every
    /// move starts a tree of its own.
    ///
    /// # Errors
    /// When the move is not legal or the game is over; then nothing changes.
    /// When the memory does not hold the moves of the new position, or the game
    /// panics or breaks its contract there; and what [`wait`](Search::wait)
    /// says of a search that was running.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), SearchError> {
        self.finish()?;
        let (position, number) = guard(|| self.shared.read().after_move(mv))??;
        self.move_to(position, number)
    }

    /// Goes to any position of the same game, and forgets the tree. Positions
    /// whose outcome is known by their hash stay known
    /// ([`Config::transpositions`]). A search that runs is stopped first.
    ///
    /// # Errors
    /// As [`advance`](Search::advance).
    pub fn set_position(&mut self, position: G::State) -> Result<(), SearchError> {
        self.finish()?;
        self.move_to(position, None)
    }

    /// Ends a search that runs.
    fn finish(&mut self) -> Result<(), SearchError> {
        if self.running.is_some() {
            self.stop();
            self.wait()?;
        }
        Ok(())
    }

    /// Goes to a position: after this move of the root, or any.
    fn move_to(&mut self, position: G::State, number: Option<usize>) -> Result<(), SearchError> {
        let mut shared = self.shared.write();
        for seed in &mut self.workers {
            shared.tree.arena.give_back(&mut seed.slab);
        }
        let (kept, turn) = guard(|| shared.look_at(&position))??;
        self.position = kept;
        self.last = Finished::nothing(turn);
        guard(|| move_root(&mut shared, position, turn, number))?
    }

    /// Tells a running search to stop; does nothing when none is running.
    pub fn stop(&self) {
        if self.running.is_some() {
            self.control.stop(StopReason::Stopped);
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
        let shared = self.shared.read();
        let visits = shared.tree.node(ROOT).statistics().visits;
        self.last = Finished {
            reason: self.control.reason(),
            elapsed: outcomes.elapsed,
            playouts: visits - run.visits_before,
        };
        if let Some(node) = shared.tree.contradiction() {
            return Err(SearchError::Contradiction { node });
        }
        drop(shared);
        match outcomes.error {
            Some(error) => Err(error),
            // In open loop the line of play is asked of the game.
            None => guard(|| self.snapshot()),
        }
    }

    /// What the search knows now, also while it runs. The figures of a running
    /// search are read one after the other and may be a playout apart.
    ///
    /// # Panics
    /// In open loop, when the game's code panics: the line of play is asked of it.
    pub fn snapshot(&self) -> Report<G> {
        let shared = self.shared.read();
        let (reason, elapsed, playouts) = match &self.running {
            Some(run) => {
                let visits = shared.tree.node(ROOT).statistics().visits;
                (None, run.started.elapsed(), visits - run.visits_before)
            }
            None => (Some(self.last.reason), self.last.elapsed, self.last.playouts),
        };
        let in_slabs: u64 = self.workers.iter().map(|seed| seed.slab.left()).sum();
        let nodes = shared.tree.arena.len().saturating_sub(in_slabs);
        report::report(&shared, reason, elapsed, playouts, nodes)
    }

    /// Everything that the workers share.
    pub(crate) fn shared(&self) -> RwLockReadGuard<'_, Shared<G, E>> {
        self.shared.read()
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position that is searched.
    pub fn position(&self) -> &G::State {
        &self.position
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
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
        let shared = self.shared.read();
        for seed in &mut self.workers {
            shared.tree.arena.give_back(&mut seed.slab);
        }
        shared.tree.arena.sweep(u64::MAX);
        match shared.is_open_loop() {
            // A node is no position: there is nothing to compare it with.
            true => shared.tree.audit_counts(&*self.game),
            false => shared.tree.audit(&*self.game, &shared.root),
        }
    }
}

/// Sets how far the arena may grow; answers what a full arena means.
fn apply_caps<G: Game, E>(shared: &Shared<G, E>, budget: &Budget) -> WhenFull {
    let arena = &shared.tree.arena;
    let bytes_per_node = bytes_per_node::<G>(arena.columns());
    let memory = (shared.tree_memory() / bytes_per_node, None);
    let nodes = budget.nodes.map(|nodes| (nodes, Some(StopReason::Nodes)));
    let bytes = budget.bytes.map(|b| (b / bytes_per_node, Some(StopReason::Bytes)));
    let limits = [Some(memory), nodes, bytes].into_iter().flatten();
    let (cap, reason) = limits.min_by_key(|&(cap, _)| cap).unwrap_or(memory);
    arena.set_cap(cap);
    let endless = budget.time.is_none() && budget.cpu_time.is_none() && budget.playouts.is_none();
    match reason.or(endless.then_some(StopReason::Memory)) {
        Some(reason) => WhenFull::Stop(reason),
        None if shared.config.prune => WhenFull::Prune,
        None => WhenFull::Freeze,
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
