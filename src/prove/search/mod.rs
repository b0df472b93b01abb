//! A proof search: one question after another, each answered by all threads, and the
//! [`coordinator`] that ends them.

mod coordinator;
mod shared;

use super::report::{ProofReport, RootNumbers};
use super::table::Table;
use crate::error::{BudgetError, SearchError};
use crate::game::Game;
use crate::rules::{Declared, canonical_root_key, root_key};
use crate::settings::{Budget, ProverConfig, StopReason};
use crate::sync::{Instant, Ordering};
use crate::threads::{Started, Watched, Watcher, catch_panic, join, spawn_coordinator};
use coordinator::Coordinator;
use shared::{SharedProof, prepare};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A search for the answers to questions about one position. It can be run repeatedly: each run
/// asks the questions that are still open.
///
/// # Examples
/// As [`prove`], which does it in one call.
pub struct ProofSearch<G: Game> {
    shared: Arc<SharedProof<G>>,
    /// The thread of a search that was started and not waited for.
    coordinator: Option<Started>,
}

/// Proves [`ProverConfig::goal`] for a position.
///
/// ```
/// use proofwood::{Budget, ProverConfig, Value, prove};
/// # use proofwood::{Game, Turn};
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// #     fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> { -1..=1 }
/// #     fn zero_sum(&self) -> bool { true }
/// # }
///
/// // The game of sticks from the crate page.
/// let game = Sticks(10);
/// let position = game.initial_state();
/// let report = prove(game, position, ProverConfig::default(), &Budget::default())?;
/// assert_eq!(report.proven, Value::Win);
/// assert_eq!(report.best_move, Some(2)); // leaves a multiple of four
/// # Ok::<(), proofwood::SearchError>(())
/// ```
///
/// # Errors
/// As [`ProofSearch::new`] and [`ProofSearch::search`].
pub fn prove<G: Game>(
    game: G,
    position: G::State,
    config: ProverConfig,
    budget: &Budget,
) -> Result<ProofReport<G>, SearchError> {
    ProofSearch::new(game, position, config)?.search(budget)
}

impl<G: Game> ProofSearch<G> {
    /// A search of `position`.
    ///
    /// # Errors
    /// When the configuration is invalid or the game breaks its contract at the root.
    pub fn new(
        game: G,
        position: G::State,
        config: ProverConfig,
    ) -> Result<ProofSearch<G>, SearchError> {
        config.check()?;
        let shared = catch_panic(|| prepare(game, position, config))??;
        Ok(ProofSearch { shared: Arc::new(shared), coordinator: None })
    }

    /// Searches until the goal is reached or the budget is spent. The caller's thread coordinates
    /// the search, and answers easy questions itself.
    ///
    /// # Errors
    /// As [`start`](ProofSearch::start) and [`wait`](ProofSearch::wait).
    pub fn search(&mut self, budget: &Budget) -> Result<ProofReport<G>, SearchError> {
        let started = self.begin(budget)?;
        // The caller waits anyway, and coordinates the search meanwhile.
        self.shared.run(budget, started);
        self.answer()
    }

    /// Starts a search in the background. The budget's nodes are the total of all questions of this
    /// run; its bytes limit the table or the tree.
    ///
    /// # Errors
    /// When a search is already running, a limit is 0, playouts are limited, which provers do not
    /// have, or there are no threads. Unless a search is running, hooks of
    /// [`on_end`](ProofSearch::on_end) that wait for this one are dropped.
    pub fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        let started = self.begin(budget)?;
        let (shared, budget) = (Arc::clone(&self.shared), budget.clone());
        let run = Box::new(move || shared.run(&budget, started));
        let coordinator = spawn_coordinator(self.shared.config.stack, run).map_err(|error| {
            self.shared.known.lock().reason = Some(StopReason::Stopped);
            self.shared.presence.withdraw();
            SearchError::Threads(error.to_string())
        })?;
        self.coordinator = Some(coordinator);
        Ok(())
    }

    /// Prepares a run; returns the time of its start.
    fn begin(&self, budget: &Budget) -> Result<Instant, SearchError> {
        if self.coordinator.is_some() {
            return Err(SearchError::Running);
        }
        let playouts = budget.playouts.map_or(Ok(()), |_| Err(BudgetError::Playouts));
        budget.check().and(playouts).inspect_err(|_| self.shared.presence.withdraw())?;
        let started = Instant::now();
        {
            let mut known = self.shared.known.lock();
            (known.reason, known.error, known.started) = (None, None, started);
        }
        self.shared.stop_asked.store(false, Ordering::Relaxed);
        self.shared.presence.begin();
        Ok(started)
    }

    /// The report of a run that has ended.
    fn answer(&self) -> Result<ProofReport<G>, SearchError> {
        let error = self.shared.known.lock().error.take();
        error.map_or_else(|| Ok(self.snapshot()), Err)
    }

    /// Stops a running search; does nothing when none is running.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Returns whether a search is running: started, and not ended yet.
    pub fn is_running(&self) -> bool {
        self.shared.presence.is_running()
    }

    /// Waits for the running search to end and returns its report.
    ///
    /// # Errors
    /// When none was started, when the game panicked or broke its contract, or when two answers
    /// contradict each other.
    pub fn wait(&mut self) -> Result<ProofReport<G>, SearchError> {
        let coordinator = self.coordinator.take().ok_or(SearchError::NotRunning)?;
        self.shared.presence.wait(None);
        join(coordinator);
        self.answer()
    }

    /// Waits for the running search to end, at most for `timeout`; `None` if it is still running.
    /// It is not stopped then: wait again, or [`stop`](ProofSearch::stop) it.
    ///
    /// # Errors
    /// As [`wait`](ProofSearch::wait).
    pub fn wait_timeout(
        &mut self,
        timeout: Duration,
    ) -> Option<Result<ProofReport<G>, SearchError>> {
        if self.coordinator.is_some() && !self.shared.presence.wait(Some(timeout)) {
            return None;
        }
        Some(self.wait())
    }

    /// A watcher, which observes this search from other threads, even while one waits for its end.
    pub fn watcher(&self) -> Watcher<ProofReport<G>> {
        Watcher::new(Arc::clone(&self.shared) as Arc<dyn Watched<ProofReport<G>>>)
    }

    /// Calls `hook` once when a search has ended, as [`Search::on_end`](crate::Search::on_end).
    pub fn on_end(&self, hook: impl FnOnce() + Send + 'static) {
        self.shared.presence.on_end(Box::new(hook), self.coordinator.is_some());
    }

    /// The current report of the search, even while it runs.
    pub fn snapshot(&self) -> ProofReport<G> {
        self.shared.snapshot()
    }

    /// The proof and disproof numbers of the last question, once a run has ended without an answer;
    /// `None` after an answer, and from provers without proof numbers in a table.
    pub fn numbers(&self) -> Option<RootNumbers<G>> {
        self.shared.known.lock().numbers.clone()
    }

    /// The key by which this search identifies a position: the canonical key if it uses symmetries.
    /// `None` if the game has no [`key`](Game::key).
    ///
    /// # Panics
    /// When the rules panic.
    pub fn key_of(&self, position: &G::State) -> Option<u64> {
        let SharedProof { game, config, declared, .. } = &*self.shared;
        game.key(position).map(|_| match config.symmetries && declared.symmetric {
            false => root_key(game, position),
            true => canonical_root_key(game, position),
        })
    }

    /// Enables or disables symmetries, regardless of the root; returns `false` if the search has
    /// watchers.
    pub(crate) fn set_symmetric(&mut self, symmetric: bool) -> bool {
        let shared = Arc::get_mut(&mut self.shared);
        shared.map(|shared| shared.declared.symmetric = symmetric).is_some()
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.shared.game
    }

    /// The game's declarations.
    pub(crate) fn declared(&self) -> &Declared {
        &self.shared.declared
    }

    /// The player of the questions.
    pub(crate) fn player(&self) -> usize {
        self.shared.player
    }

    /// The table of results, if there is one yet.
    pub(crate) fn kept_table(&self) -> Option<Arc<Table>> {
        self.shared.table.lock().clone()
    }

    /// Replaces the table of results.
    pub(crate) fn keep_table(&mut self, table: Arc<Table>) {
        *self.shared.table.lock() = Some(table);
    }

    /// The table of results, created with the configured size if needed.
    pub(crate) fn table(&self) -> Result<Arc<Table>, SearchError> {
        self.shared.table(self.shared.config.table)
    }

    /// The root position.
    pub fn position(&self) -> &G::State {
        &self.shared.root
    }

    /// The configuration.
    pub fn config(&self) -> &ProverConfig {
        &self.shared.config
    }
}

impl<G: Game> SharedProof<G> {
    /// Runs a search on the coordinator's thread, and ends it.
    fn run(&self, budget: &Budget, started: Instant) {
        let result = catch_panic(|| Coordinator::new(self, budget, started).run());
        let result = result.and_then(|result| result);
        let hooks = {
            let mut known = self.known.lock();
            known.asking = None;
            known.elapsed = started.elapsed();
            known.reason = Some(*result.as_ref().unwrap_or(&StopReason::Stopped));
            known.error = result.err();
            self.presence.end()
        };
        for hook in hooks {
            if let Err(error) = catch_panic(hook) {
                self.known.lock().error.get_or_insert(error);
            }
        }
    }
}

impl<G: Game> fmt::Debug for ProofSearch<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofSearch")
            .field("config", self.config())
            .field("is_running", &self.is_running())
            .finish_non_exhaustive()
    }
}

impl<G: Game> Drop for ProofSearch<G> {
    fn drop(&mut self) {
        // The coordinator's thread holds a reference to all that it uses, and frees it.
        self.stop();
    }
}
