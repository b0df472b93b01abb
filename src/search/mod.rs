//! The search, which has one tree, many workers, and a coordinator that stops them.

mod coordinator;
#[cfg(feature = "certificates")]
mod kept;
mod position;
mod prepare;
mod reader;
mod report;

#[cfg(loom)]
pub(crate) use coordinator::goes_on;
pub use reader::{NodeStage, NodeView, TreeReader};
pub use report::{MoveReport, PolicyTarget, Report};

use crate::error::{ConfigError, Inconsistency, SearchError};
use crate::game::{Game, Turn};
use crate::math::Rng;
use crate::playout::{
    BatchEvaluator, Batches, Batching, DefaultRollout, Evaluated, Evaluator, LeafEvaluation,
    PolicyRollout, Rollout, RolloutPolicy, Rollouts, SharedSearch, Spread,
};
use crate::settings::{Budget, CancelToken, Config, Leaves, MOST_MOVES, StopReason};
use crate::sync::Instant;
use crate::threads::{
    Control, Limits, Presence, Started, Watched, Watcher, WhenFull, catch_panic, join,
    spawn_coordinator,
};
use crate::tree::{Audit, ROOT};
pub(crate) use coordinator::WorkerSeed;
use coordinator::coordinate;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use prepare::move_root;
pub(crate) use prepare::prepare;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A search of one position, which can run repeatedly: each run continues with the same tree.
///
/// Dropping a search stops it without waiting for its end. Its threads finish the current playout
/// or evaluation, call the hooks of [`on_end`](Search::on_end), and free the tree. To be sure that
/// this has happened, for instance before another search that needs the memory, or before the
/// evaluator's resources are freed, call [`stop`](Search::stop) and [`wait`](Search::wait) first.
///
/// # Examples
/// See the [crate page](crate) for a complete program.
pub struct Search<G: Game, L: LeafEvaluation<G> = Rollouts<DefaultRollout>> {
    core: Arc<Core<G, L>>,
    game: Arc<G>,
    config: Config,
    position: G::State,
    /// The thread of a search that was started but not waited for.
    coordinator: Option<Started>,
}

/// State that a search shares with its coordinator and its watchers. A thread that locks several of
/// these fields does so in this order.
struct Core<G: Game, L> {
    /// Workers and snapshots hold a read lock; changes between runs need the write lock.
    shared: RwLock<SharedSearch<G, L>>,
    figures: Mutex<Figures>,
    presence: Presence,
    control: Arc<Control>,
}

struct Figures {
    run: Option<RunClock>,
    last: FinishedRun,
    error: Option<SearchError>,
    workers: Vec<WorkerSeed>,
}

#[derive(Clone, Copy)]
struct RunClock {
    started: Instant,
    visits_before: u64,
}

#[derive(Clone, Copy, Debug)]
struct FinishedRun {
    reason: StopReason,
    elapsed: Duration,
    playouts: u64,
}

impl FinishedRun {
    fn nothing(root_turn: Turn) -> FinishedRun {
        let reason = match root_turn {
            Turn::Over => StopReason::GameOver,
            _ => StopReason::Stopped,
        };
        FinishedRun { reason, elapsed: Duration::ZERO, playouts: 0 }
    }
}

/// Creates a search of `position` and runs it within `budget`.
///
/// # Errors
/// The errors of [`Search::new`] and [`Search::search`].
pub fn search<G: Game>(
    game: G,
    position: G::State,
    config: Config,
    budget: &Budget,
) -> Result<Report<G>, SearchError> {
    Search::new(game, position, config)?.search(budget)
}

impl<G: Game> Search<G> {
    /// Creates a search of `position` that values leaves by random playouts.
    ///
    /// # Errors
    /// Fails if the configuration is invalid, the memory is too small for the first nodes, or the
    /// game breaks its contract at the root.
    pub fn new(game: G, position: G::State, config: Config) -> Result<Search<G>, SearchError> {
        check_leaves(&config)?;
        let playout = DefaultRollout::of(&config);
        Search::with_rollouts(game, position, config, playout)
    }
}

fn check_leaves(config: &Config) -> Result<(), ConfigError> {
    match &config.leaves {
        Leaves::Playouts => Ok(()),
        Leaves::Game => Err(ConfigError::NoEvaluation),
        Leaves::Network(_) => Err(ConfigError::NoNetwork(
            "the library does not run networks; pass an evaluator to Search::with_evaluator".into(),
        )),
    }
}

impl<G: Game, P: RolloutPolicy<G>> Search<G, Rollouts<PolicyRollout<P>>> {
    /// Creates a search of `position` that values leaves by playouts whose moves `policy` chooses.
    /// [`Config::playout_cap`] limits their length.
    ///
    /// # Errors
    /// The errors of [`Search::new`].
    pub fn with_rollout_policy(
        game: G,
        position: G::State,
        config: Config,
        policy: P,
    ) -> Result<Search<G, Rollouts<PolicyRollout<P>>>, SearchError> {
        check_leaves(&config)?;
        let playout = PolicyRollout::new(policy, config.playout_cap.unwrap_or(MOST_MOVES));
        Search::with_rollouts(game, position, config, playout)
    }
}

impl<G: Game, R: Rollout<G>> Search<G, Rollouts<R>> {
    /// Creates a search of `position` that values leaves by `rollouts`. [`Config::playout_cap`] has
    /// no effect here; a [`PolicyRollout`] has its own cap.
    ///
    /// # Errors
    /// The errors of [`Search::new`].
    pub fn with_rollouts(
        game: G,
        position: G::State,
        config: Config,
        rollouts: R,
    ) -> Result<Search<G, Rollouts<R>>, SearchError> {
        Search::with_leaves(game, position, config, Rollouts(rollouts))
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, Evaluated<E>> {
    /// Creates a search of `position` that values leaves by `evaluator`, one at a time.
    ///
    /// # Errors
    /// The errors of [`Search::new`].
    pub fn with_evaluator(
        game: G,
        position: G::State,
        config: Config,
        evaluator: E,
    ) -> Result<Search<G, Evaluated<E>>, SearchError> {
        Search::with_leaves(game, position, config, Evaluated(evaluator))
    }
}

impl<G: Game> Search<G, Batches<G>> {
    /// Creates a search of `position` that grows the same tree on any number of threads, with
    /// random playouts.
    ///
    /// One thread gathers `leaves` leaves at a time, all [`Config::threads`] threads play them out,
    /// and their values are added in the order in which the leaves were gathered. The tree depends
    /// on the seed and on `leaves`, from 1 to [`Batching::MOST`], but not on the number of threads,
    /// nor on timing unless the budget limits the time. Pending leaves count as visits without a
    /// value, so a greater number of leaves makes the tree slightly worse. A single thread does all
    /// the work in the tree, so this pays off if playouts take long. [`Config::playout_cap`] and
    /// [`Config::playout_policy`] apply as usual.
    ///
    /// # Errors
    /// The errors of [`Search::new`].
    pub fn repeatable(
        game: G,
        position: G::State,
        config: Config,
        leaves: usize,
    ) -> Result<Search<G, Batches<G>>, SearchError> {
        check_leaves(&config)?;
        config.check()?;
        let batching = Batching::default().size(leaves).calls(0).cache(0);
        let batches = Batches::of_playouts(Spread::new(&config), batching);
        Search::with_leaves(game, position, config.threads(1), batches)
    }

    /// Creates a search of `position` that values leaves by `evaluator`, many in one call.
    ///
    /// Playouts that wait for their values count as visits for later playouts, so the tree differs
    /// from that of a search that values one leaf at a time.
    ///
    /// # Errors
    /// The errors of [`Search::new`].
    pub fn with_batches(
        game: G,
        position: G::State,
        config: Config,
        evaluator: impl BatchEvaluator<G>,
        batching: Batching,
    ) -> Result<Search<G, Batches<G>>, SearchError> {
        Search::with_leaves(game, position, config, Batches::new(evaluator, batching))
    }
}

impl<G: Game, L: LeafEvaluation<G>> Search<G, L> {
    fn with_leaves(
        game: G,
        position: G::State,
        config: Config,
        leaves: L,
    ) -> Result<Search<G, L>, SearchError> {
        config.check()?;
        if let Some(batches) = leaves.batches() {
            batches.batching.check()?;
        }
        let (shared, position) = catch_panic(|| {
            let kept = position.clone();
            prepare(game, position, config.clone(), leaves).map(|shared| (shared, kept))
        })??;
        let workers =
            Rng::for_workers(config.seed).take(config.threads).map(WorkerSeed::new).collect();
        let last = FinishedRun::nothing(shared.root_turn);
        let game = Arc::clone(&shared.game);
        let core = Arc::new(Core {
            control: Arc::clone(&shared.control),
            figures: Mutex::new(Figures { run: None, last, error: None, workers }),
            presence: Presence::default(),
            shared: RwLock::new(shared),
        });
        Ok(Search { core, game, config, position, coordinator: None })
    }

    /// Searches until the budget is spent or the question is answered.
    ///
    /// # Errors
    /// The errors of [`start`](Search::start) and [`wait`](Search::wait).
    pub fn search(&mut self, budget: &Budget) -> Result<Report<G>, SearchError> {
        self.start(budget)?;
        self.wait()
    }

    /// Starts a search in the background. [`snapshot`](Search::snapshot) reports on it,
    /// [`stop`](Search::stop) ends it early, and [`wait`](Search::wait) returns its report.
    ///
    /// # Errors
    /// Fails if a search is already running, a limit is 0, or no thread can be started. In the last
    /// two cases, pending hooks of [`on_end`](Search::on_end) are dropped.
    pub fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        if self.coordinator.is_some() {
            return Err(SearchError::Running);
        }
        budget.check().inspect_err(|_| self.core.presence.withdraw())?;
        let shared = self.core.shared.read();
        let when_full = apply_caps(&shared, budget);
        let over = shared.root_turn == Turn::Over;
        let done = over || shared.is_solved();
        let threads = self.config.threads;
        let callers = shared.leaves.batches().map_or(0, |batches| batches.batching.calls);
        self.core.control.reset(threads + callers, budget.playouts, when_full);
        if done {
            self.core.control.stop(if over { StopReason::GameOver } else { StopReason::Solved });
        }
        let started = Instant::now();
        let visits_before = shared.tree.node(ROOT).statistics().visits;
        drop(shared);
        {
            let mut figures = self.core.figures.lock();
            // The state of a failed worker is lost; its successor draws new random numbers.
            let missing = threads - figures.workers.len();
            let fresh = Rng::for_workers(!self.config.seed).take(missing);
            figures.workers.extend(fresh.map(WorkerSeed::new));
            let share = budget.processor_time().map(|time| time / threads as u32);
            figures.workers.iter_mut().for_each(|seed| seed.cpu_left = share);
            (figures.run, figures.error) = (Some(RunClock { started, visits_before }), None);
        }
        let limits = Limits {
            started,
            // A time beyond the clock's range is not a limit.
            deadline: budget.time.and_then(|time| started.checked_add(time)),
            playouts: budget.playouts,
            visits_before,
        };
        let cancel = budget.cancel.clone();
        let core = Arc::clone(&self.core);
        self.core.presence.begin();
        let stack = core.shared.read().config.stack;
        let run = move || core.run((!done).then_some(limits), cancel.as_ref());
        let coordinator = spawn_coordinator(stack, Box::new(run)).map_err(|error| {
            self.core.figures.lock().run = None;
            self.core.presence.withdraw();
            SearchError::Threads(error.to_string())
        })?;
        self.coordinator = Some(coordinator);
        Ok(())
    }

    /// Plays a move: the position after it becomes the root, and keeps its statistics, bounds,
    /// proofs and proof numbers. A running search is first stopped and waited for. Before you
    /// advance several searches, [`stop`](Search::stop) them all, so that they end simultaneously.
    ///
    /// Returns immediately, even if the tree is large. The memory of the other moves is reclaimed
    /// during later searches ([`Report::reclaiming`]). A move that no search has visited starts a
    /// new tree. With [`Config::paranoid`], so does a change of the player to move, because this
    /// changes the question. Proven results are kept. If chance decides, the move is an outcome.
    ///
    /// # Errors
    /// Fails if the move is illegal, the game is over, or the game panics or breaks its contract in
    /// the new position (nothing changes, and a running search continues); if
    /// [`wait`](Search::wait) fails for a running search (the move is not played); or if the memory
    /// is too small for the moves of the new position.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), SearchError> {
        let (position, number) = catch_panic(|| self.core.shared.read().after_move(mv))??;
        let moves_played = self.core.shared.read().moves_played + 1;
        self.move_to(position, number)?;
        self.core.shared.write().moves_played = moves_played;
        Ok(())
    }

    /// Changes the root to any position of the same game and drops the tree. Proven results of
    /// positions with keys remain known ([`Config::transpositions`]), unless two proofs contradict
    /// each other: then all results are dropped. A running search is stopped first.
    ///
    /// # Errors
    /// The errors of [`advance`](Search::advance).
    pub fn set_position(&mut self, position: G::State) -> Result<(), SearchError> {
        self.move_to(position, None)?;
        self.core.shared.write().moves_played = 0;
        Ok(())
    }

    /// Changes the root to `position`. If `number` is given, `position` is the position after that
    /// move of the old root.
    fn move_to(&mut self, position: G::State, number: Option<usize>) -> Result<(), SearchError> {
        let (kept, turn) = catch_panic(|| self.core.shared.read().look_at(&position))??;
        if self.coordinator.is_some() {
            self.stop();
            self.wait()?;
        }
        let mut shared = self.core.shared.write();
        {
            let mut figures = self.core.figures.lock();
            figures.give_back(&shared);
            figures.last = FinishedRun::nothing(turn);
        }
        self.position = kept;
        catch_panic(|| move_root(&mut shared, position, turn, number))?
    }

    /// Stops a running search; does nothing if none is running.
    pub fn stop(&self) {
        self.core.stop();
    }

    /// Returns whether a search has started and not yet ended.
    pub fn is_running(&self) -> bool {
        self.core.presence.is_running()
    }

    /// Waits for the running search to end and returns its report.
    ///
    /// # Errors
    /// Fails if no search was started, code of the game or the evaluator failed, panicked or broke
    /// its contract, or two proofs contradict each other.
    pub fn wait(&mut self) -> Result<Report<G>, SearchError> {
        let coordinator = self.coordinator.take().ok_or(SearchError::NotRunning)?;
        self.core.presence.wait(None);
        join(coordinator);
        let error = self.core.figures.lock().error.take();
        match error {
            Some(error) => Err(error),
            None => Ok(self.snapshot()),
        }
    }

    /// Waits at most `timeout` for the running search to end; `None` if it is still running. The
    /// search then continues: wait again or [`stop`](Search::stop) it.
    ///
    /// # Errors
    /// The errors of [`wait`](Search::wait).
    pub fn wait_timeout(&mut self, timeout: Duration) -> Option<Result<Report<G>, SearchError>> {
        if self.coordinator.is_some() && !self.core.presence.wait(Some(timeout)) {
            return None;
        }
        Some(self.wait())
    }

    /// Returns a watcher, which observes this search from other threads, even while a thread waits
    /// for its end.
    pub fn watcher(&self) -> Watcher<Report<G>> {
        Watcher::new(Arc::clone(&self.core) as Arc<dyn Watched<Report<G>>>)
    }

    /// Calls `hook` once when the running search ends for any reason, or else when the next one
    /// ends. If a search has ended but was not waited for, calls `hook` immediately. The hook may
    /// wake a future or send on a channel; [`wait`](Search::wait) then returns without blocking.
    ///
    /// The hook runs on a thread of the search, before [`wait`](Search::wait) returns. If it
    /// panics, the result is [`SearchError::Panic`].
    pub fn on_end(&self, hook: impl FnOnce() + Send + 'static) {
        self.core.presence.on_end(Box::new(hook), self.coordinator.is_some());
    }

    /// Returns the current report, even while the search runs. The figures of a running search are
    /// read one after another and may differ by a playout.
    pub fn snapshot(&self) -> Report<G> {
        self.core.snapshot()
    }

    /// Returns a reader of the tree, node by node.
    ///
    /// # Errors
    /// Fails if a search is running.
    pub fn tree(&self) -> Result<TreeReader<'_, G>, SearchError> {
        if self.is_running() {
            return Err(SearchError::Running);
        }
        let shared = self.core.shared.read();
        let player = shared.root_player;
        let tree = RwLockReadGuard::map(shared, |shared| &shared.tree);
        Ok(TreeReader::new(tree, player))
    }

    pub(crate) fn shared(&self) -> RwLockReadGuard<'_, SharedSearch<G, L>> {
        self.core.shared.read()
    }

    /// Returns the game whose positions are searched.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns the root position.
    pub fn position(&self) -> &G::State {
        &self.position
    }

    /// Returns the configuration with which the search was created.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Checks that the tree equals its sequential recomputation, node by node. This is slow and
    /// meant for tests and for finding bugs. With [`Config::audit`] it also checks all visits.
    ///
    /// # Errors
    /// Returns the first difference, which means that the engine has a bug, or that the game's
    /// rules depend on more than its states.
    ///
    /// # Panics
    /// Panics if a search is running or was not waited for.
    pub fn audit(&mut self) -> Result<Audit, Inconsistency> {
        assert!(
            self.coordinator.is_none(),
            "a tree can be audited only while no search is running"
        );
        let shared = self.core.shared.read();
        self.core.figures.lock().give_back(&shared);
        shared.tree.arena.reclaim(u64::MAX);
        shared.tree.audit(&*self.game, &shared.root)
    }
}

/// Sets the arena's capacity. Returns what the search does when the arena is full.
fn apply_caps<G: Game, L>(shared: &SharedSearch<G, L>, budget: &Budget) -> WhenFull {
    let arena = &shared.tree.arena;
    let bytes_per_node = arena.columns().bytes_per_node() as u64;
    let memory = (shared.tree_memory() / bytes_per_node, None);
    let nodes = budget.nodes.map(|nodes| (nodes, Some(StopReason::Nodes)));
    let bytes = budget.bytes.map(|b| (b / bytes_per_node, Some(StopReason::Bytes)));
    let limits = [Some(memory), nodes, bytes].into_iter().flatten();
    let (cap, reason) = limits.min_by_key(|&(cap, _)| cap).unwrap_or(memory);
    arena.set_cap(cap);
    let timed = budget.time.or(budget.processor_time()).is_some();
    let endless = !timed && budget.playouts.is_none();
    match reason.or(endless.then_some(StopReason::Memory)) {
        Some(reason) => WhenFull::Stop(reason),
        None => WhenFull::Prune,
    }
}

impl Figures {
    fn give_back<G: Game, L>(&mut self, shared: &SharedSearch<G, L>) {
        for seed in &mut self.workers {
            shared.tree.arena.give_back(&mut seed.slab);
        }
    }
}

impl<G: Game, L: LeafEvaluation<G>> Core<G, L> {
    /// Runs and ends a search on the coordinator's thread; without `limits` it ends immediately.
    fn run(&self, limits: Option<Limits>, cancel: Option<&CancelToken>) {
        let seeds = std::mem::take(&mut self.figures.lock().workers);
        let ran = match limits {
            None => Ok((seeds, None)),
            Some(limits) => catch_panic(|| coordinate(&self.shared, seeds, limits, cancel)),
        };
        let (workers, error) = ran.unwrap_or_else(|error| (Vec::new(), Some(error)));
        let hooks = {
            let shared = self.shared.read();
            let visits = shared.tree.node(ROOT).statistics().visits;
            let contradiction = shared.tree.contradiction();
            let mut figures = self.figures.lock();
            if let Some(run) = figures.run.take() {
                figures.last = FinishedRun {
                    reason: self.control.reason(),
                    elapsed: run.started.elapsed(),
                    playouts: visits - run.visits_before,
                };
            }
            figures.error = contradiction.map(|node| SearchError::Contradiction { node }).or(error);
            figures.workers = workers;
            self.presence.end()
        };
        for hook in hooks {
            if let Err(error) = catch_panic(hook) {
                self.figures.lock().error.get_or_insert(error);
            }
        }
    }
}

impl<G: Game, L: LeafEvaluation<G>> Watched<Report<G>> for Core<G, L> {
    fn snapshot(&self) -> Report<G> {
        let shared = self.shared.read();
        let (run, last, in_slabs) = {
            let figures = self.figures.lock();
            let in_slabs: u64 = figures.workers.iter().map(|seed| seed.slab.left()).sum();
            (figures.run, figures.last, in_slabs)
        };
        let (reason, elapsed, playouts) = match run {
            Some(run) => {
                let visits = shared.tree.node(ROOT).statistics().visits;
                (None, run.started.elapsed(), visits - run.visits_before)
            }
            None => (Some(last.reason), last.elapsed, last.playouts),
        };
        let nodes = shared.tree.arena.len().saturating_sub(in_slabs);
        report::report(&shared, reason, elapsed, playouts, nodes)
    }

    fn stop(&self) {
        self.presence.if_running(|| self.control.stop(StopReason::Stopped));
    }

    fn presence(&self) -> &Presence {
        &self.presence
    }
}

impl<G: Game, L: LeafEvaluation<G>> fmt::Debug for Search<G, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("config", &self.config)
            .field("is_running", &self.is_running())
            .finish_non_exhaustive()
    }
}

impl<G: Game, L: LeafEvaluation<G>> Drop for Search<G, L> {
    fn drop(&mut self) {
        // The coordinator's thread shares the ownership of its data and frees it.
        self.stop();
    }
}
