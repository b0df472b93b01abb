//! A search: one tree, many workers, and the coordinator that ends them.

mod coordinator;
#[cfg(feature = "certificates")]
mod kept;
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

/// A search of one position that can be run again and again: each run goes on
/// with the tree of the one before.
///
/// Dropping a search tells it to stop and does not wait, so that many are dropped as quickly as
/// one. Its threads end after the playout or evaluation under way, call the hooks of
/// [`on_end`](Search::on_end), and free the tree. Call [`stop`](Search::stop) and
/// [`wait`](Search::wait) first where that must have happened: before a search that needs the
/// memory, or where what the evaluator uses goes away.
///
/// # Examples
/// See the [crate page](crate) for a complete program.
pub struct Search<G: Game, L: LeafEvaluation<G> = Rollouts<DefaultRollout>> {
    core: Arc<Core<G, L>>,
    game: Arc<G>,
    config: Config,
    position: G::State,
    /// The thread of a search that was started and not waited for.
    coordinator: Option<Started>,
}

/// What a search shares with its coordinator and its watchers. Whoever locks more
/// than one of these does so in this order.
struct Core<G: Game, L> {
    /// Read by workers and snapshots, written where neither is at it.
    shared: RwLock<SharedSearch<G, L>>,
    figures: Mutex<Figures>,
    presence: Presence,
    control: Arc<Control>,
}

/// What is written down of the runs.
struct Figures {
    run: Option<RunClock>,
    last: FinishedRun,
    /// What the last run failed of, until somebody has waited for it.
    error: Option<SearchError>,
    /// The workers, as long as no search runs.
    workers: Vec<WorkerSeed>,
}

/// A search under way.
#[derive(Clone, Copy)]
struct RunClock {
    started: Instant,
    visits_before: u64,
}

/// The figures of the last run.
#[derive(Clone, Copy, Debug)]
struct FinishedRun {
    reason: StopReason,
    elapsed: Duration,
    playouts: u64,
}

impl FinishedRun {
    /// Before the first run from a root.
    fn nothing(root_turn: Turn) -> FinishedRun {
        let reason = match root_turn {
            Turn::Over => StopReason::GameOver,
            _ => StopReason::Stopped,
        };
        FinishedRun { reason, elapsed: Duration::ZERO, playouts: 0 }
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
    /// A search of `position` with playouts as the configuration wants them.
    ///
    /// # Errors
    /// When the configuration cannot be used, the memory does not hold the
    /// first nodes, or the game breaks its contract at the root.
    pub fn new(game: G, position: G::State, config: Config) -> Result<Search<G>, SearchError> {
        check_leaves(&config)?;
        let playout = DefaultRollout::of(&config);
        Search::with_rollouts(game, position, config, playout)
    }
}

/// Refuses leaves that playouts do not value.
fn check_leaves(config: &Config) -> Result<(), ConfigError> {
    match &config.leaves {
        Leaves::Playouts => Ok(()),
        Leaves::Game => Err(ConfigError::NoEvaluation),
        Leaves::Network(_) => Err(ConfigError::NoNetwork(
            "the library runs no networks; give an evaluator to Search::with_evaluator".into(),
        )),
    }
}

impl<G: Game, P: RolloutPolicy<G>> Search<G, Rollouts<PolicyRollout<P>>> {
    /// A search of `position` with playouts whose moves `policy` chooses. They are cut
    /// off as [`Config::playout_cap`] says.
    ///
    /// # Errors
    /// As [`Search::new`].
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
    /// A search of `position` whose leaves `rollouts` play out. [`Config::playout_cap`] means
    /// nothing to it: a [`PolicyRollout`] that is made by hand has a cap of its own.
    ///
    /// # Errors
    /// As [`Search::new`].
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
    /// A search of `position` whose leaves `evaluator` values, one at a time.
    ///
    /// # Errors
    /// As [`Search::new`].
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
    /// A search of `position` that grows the same tree on any number of threads, with playouts as
    /// the configuration wants them.
    ///
    /// So many `leaves` at a time are gathered by one thread, played out by all
    /// [`Config::threads`], and added in the order in which they were gathered. The tree hangs on
    /// the seed and on `leaves`, 1 to [`Batching::MOST`], and on nothing else: not on the threads,
    /// nor on time, as long as no limit is one of time. Leaves under way count as visits without a
    /// value, so more of them at a time make a slightly worse tree; one thread does all the
    /// work in the tree, so this pays where playouts take long. [`Config::playout_cap`]
    /// and [`Config::playout_policy`] hold as ever.
    ///
    /// # Errors
    /// As [`Search::new`].
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

    /// A search of `position` whose leaves `evaluator` values, many in one call.
    ///
    /// Playouts that wait for their values count as visits for those that follow, so the
    /// search is not the same as one leaf after the other would make it.
    ///
    /// # Errors
    /// As [`Search::new`].
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
    /// A search of `position` whose leaves get their values in this way.
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
    /// When a search is running already, a limit is 0, or there are no threads. Unless one runs,
    /// hooks of [`on_end`](Search::on_end) that wait for this one are dropped.
    pub fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        if self.coordinator.is_some() {
            return Err(SearchError::Running);
        }
        budget.check().inspect_err(|_| self.core.presence.withdraw())?;
        let shared = self.core.shared.read();
        let when_full = apply_caps(&shared, budget);
        let over = shared.root_turn == Turn::Over;
        let done = over || shared.is_settled();
        let threads = self.config.threads;
        let callers = shared.leaves.batches().map_or(0, |batches| batches.batching.calls);
        self.core.control.reset(threads + callers, budget.playouts, when_full);
        if done {
            self.core.control.stop(if over { StopReason::GameOver } else { StopReason::Settled });
        }
        let started = Instant::now();
        let visits_before = shared.tree.node(ROOT).statistics().visits;
        drop(shared);
        {
            let mut figures = self.core.figures.lock();
            // A worker that failed left nothing behind: its successor begins a
            // sequence of its own.
            let missing = threads - figures.workers.len();
            let fresh = Rng::for_workers(!self.config.seed).take(missing);
            figures.workers.extend(fresh.map(WorkerSeed::new));
            let share = budget.processor_time().map(|time| time / threads as u32);
            figures.workers.iter_mut().for_each(|seed| seed.cpu_left = share);
            (figures.run, figures.error) = (Some(RunClock { started, visits_before }), None);
        }
        let limits = Limits {
            started,
            // A time too long to add to the clock is no limit.
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

    /// Plays a move: the position after it becomes the one that is searched,
    /// and what was found out about it is kept: statistics, bounds, proofs and
    /// proof numbers. A search that runs is stopped first, and waited for; before many of them
    /// move on, [`stop`](Search::stop) all, lest each wait while the others compute.
    ///
    /// Returns at once however large the tree is. The rest of the tree is swept
    /// while later searches run ([`Report::reclaiming`]) and its memory used
    /// again. A move that no search has looked into starts a tree of its own,
    /// and so does, with [`Config::paranoid`] and another player to move,
    /// every move: the question is another one. What was proven stays known.
    /// Where chance decides, the move is an outcome.
    ///
    /// # Errors
    /// When the move is not legal, the game is over, or the game panics or breaks its
    /// contract there; then nothing changes, and a search that runs goes on. What
    /// [`wait`](Search::wait) says of the search that ran; then the move is not played.
    /// When the memory does not hold the moves of the new position.
    pub fn advance(&mut self, mv: G::Move) -> Result<(), SearchError> {
        let (position, number) = catch_panic(|| self.core.shared.read().after_move(mv))??;
        let moves_played = self.core.shared.read().moves_played + 1;
        self.move_to(position, number)?;
        self.core.shared.write().moves_played = moves_played;
        Ok(())
    }

    /// Goes to any position of the same game, and forgets the tree. Positions
    /// whose outcome is known by their key stay known
    /// ([`Config::transpositions`]), unless two proofs contradicted each other: then
    /// nothing is believed any more, and the search begins anew. A search that runs is
    /// stopped first.
    ///
    /// # Errors
    /// As [`advance`](Search::advance).
    pub fn set_position(&mut self, position: G::State) -> Result<(), SearchError> {
        self.move_to(position, None)?;
        self.core.shared.write().moves_played = 0;
        Ok(())
    }

    /// Goes to a position: after this move of the root, or any.
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

    /// Tells a running search to stop; does nothing when none is running.
    pub fn stop(&self) {
        self.core.stop();
    }

    /// Whether a search is running: started, and not ended yet.
    pub fn is_running(&self) -> bool {
        self.core.presence.is_running()
    }

    /// Waits for the running search to end and answers what it found.
    ///
    /// # Errors
    /// When none was started, when game or evaluator code failed, panicked or broke its
    /// contract, or when two proofs contradict each other.
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

    /// Waits for the running search to end, at most for this time; `None` when it
    /// runs on. It is not stopped then: wait again, or [`stop`](Search::stop) it.
    ///
    /// # Errors
    /// As [`wait`](Search::wait).
    pub fn wait_timeout(&mut self, timeout: Duration) -> Option<Result<Report<G>, SearchError>> {
        if self.coordinator.is_some() && !self.core.presence.wait(Some(timeout)) {
            return None;
        }
        Some(self.wait())
    }

    /// Looks at this search from other threads, also while one waits for its end.
    pub fn watcher(&self) -> Watcher<Report<G>> {
        Watcher::new(Arc::clone(&self.core) as Arc<dyn Watched<Report<G>>>)
    }

    /// Has `hook` called once, when the search that is running has ended, for whatever
    /// reason, or else when the next one has; at once, where one has ended and nobody
    /// has waited for it yet. It may wake a future or send on a channel; then
    /// [`wait`](Search::wait) answers without a wait.
    ///
    /// It is called on a thread of the search, and [`wait`](Search::wait) returns after
    /// it has. A hook that panics is a [`SearchError::Panic`].
    pub fn on_end(&self, hook: impl FnOnce() + Send + 'static) {
        self.core.presence.on_end(Box::new(hook), self.coordinator.is_some());
    }

    /// What the search knows now, also while it runs. The figures of a running
    /// search are read one after the other and may be a playout apart.
    pub fn snapshot(&self) -> Report<G> {
        self.core.snapshot()
    }

    /// The tree below the root, node by node.
    ///
    /// # Errors
    /// When a search is running.
    pub fn tree(&self) -> Result<TreeReader<'_, G>, SearchError> {
        if self.is_running() {
            return Err(SearchError::Running);
        }
        let shared = self.core.shared.read();
        let player = shared.root_player;
        let tree = RwLockReadGuard::map(shared, |shared| &shared.tree);
        Ok(TreeReader::new(tree, player))
    }

    /// Everything that the workers share.
    pub(crate) fn shared(&self) -> RwLockReadGuard<'_, SharedSearch<G, L>> {
        self.core.shared.read()
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
        assert!(self.coordinator.is_none(), "a tree can be audited only at rest");
        let shared = self.core.shared.read();
        self.core.figures.lock().give_back(&shared);
        shared.tree.arena.reclaim(u64::MAX);
        shared.tree.audit(&*self.game, &shared.root)
    }
}

/// Sets how far the arena may grow; returns what a full arena means.
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
    /// Has the workers give back the nodes that they keep for their next run.
    fn give_back<G: Game, L>(&mut self, shared: &SharedSearch<G, L>) {
        for seed in &mut self.workers {
            shared.tree.arena.give_back(&mut seed.slab);
        }
    }
}

impl<G: Game, L: LeafEvaluation<G>> Core<G, L> {
    /// A run, on the coordinator's thread, and the end of it; none without limits.
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
        // The coordinator's thread holds all that is used there, and frees it.
        self.stop();
    }
}
