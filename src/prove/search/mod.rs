//! Proof searches, in which a [`coordinator`] lets all threads work on one question after another.

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

/// A search for the answers to questions about one position. It can run repeatedly: each run asks
/// the questions that are still open.
///
/// # Examples
/// See [`prove`], which runs such a search in one call.
pub struct ProofSearch<G: Game> {
    shared: Arc<SharedProof<G>>,
    /// The thread of a search that was started and has not been waited for.
    coordinator: Option<Started>,
}

/// Searches for a proof of [`ProverConfig::goal`] at a position.
///
/// ```
/// use proofwood::{Budget, Game, ProverConfig, Value, prove};
/// # use proofwood_testkit::sticks::Sticks;
///
/// // The game of sticks from the crate's page.
/// let game = Sticks(10);
/// let position = game.initial_state();
/// let report = prove(game, position, ProverConfig::default(), &Budget::default())?;
/// assert_eq!(report.proven, Value::Win);
/// assert_eq!(report.best_move, Some(2)); // leaves a multiple of four
/// # Ok::<(), proofwood::SearchError>(())
/// ```
///
/// # Errors
/// See [`ProofSearch::new`] and [`ProofSearch::search`].
pub fn prove<G: Game>(
    game: G,
    position: G::State,
    config: ProverConfig,
    budget: &Budget,
) -> Result<ProofReport<G>, SearchError> {
    ProofSearch::new(game, position, config)?.search(budget)
}

impl<G: Game> ProofSearch<G> {
    /// Creates a search of `position`.
    ///
    /// # Errors
    /// Fails if the configuration is invalid, or the game breaks its contract at the root.
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
    /// the search and answers easy questions itself.
    ///
    /// # Errors
    /// See [`start`](ProofSearch::start) and [`wait`](ProofSearch::wait).
    pub fn search(&mut self, budget: &Budget) -> Result<ProofReport<G>, SearchError> {
        let started = self.begin(budget)?;
        // The caller's thread coordinates the search, since it would only wait otherwise.
        self.shared.run(budget, started);
        self.answer()
    }

    /// Starts a search in the background. The budget's nodes are shared by all questions of this
    /// run; its bytes limit the table or the tree.
    ///
    /// # Errors
    /// Fails if a search is already running, a limit is 0, the budget limits playouts (provers make
    /// none), or a thread cannot be started. Except in the first case, the pending hooks of
    /// [`on_end`](ProofSearch::on_end) are dropped.
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

    fn answer(&self) -> Result<ProofReport<G>, SearchError> {
        let error = self.shared.known.lock().error.take();
        error.map_or_else(|| Ok(self.snapshot()), Err)
    }

    /// Stops a running search; does nothing if none is running.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Returns whether a search has started and not yet ended.
    pub fn is_running(&self) -> bool {
        self.shared.presence.is_running()
    }

    /// Waits for the running search to end and returns its report.
    ///
    /// # Errors
    /// Fails if no search was started, the game panicked or broke its contract, or two answers
    /// contradict each other.
    pub fn wait(&mut self) -> Result<ProofReport<G>, SearchError> {
        let coordinator = self.coordinator.take().ok_or(SearchError::NotRunning)?;
        self.shared.presence.wait(None);
        join(coordinator);
        self.answer()
    }

    /// Waits at most `timeout` for the running search to end. Returns `None` if the search is still
    /// running. It then continues: wait again, or [`stop`](ProofSearch::stop) it.
    ///
    /// # Errors
    /// See [`wait`](ProofSearch::wait).
    pub fn wait_timeout(
        &mut self,
        timeout: Duration,
    ) -> Option<Result<ProofReport<G>, SearchError>> {
        if self.coordinator.is_some() && !self.shared.presence.wait(Some(timeout)) {
            return None;
        }
        Some(self.wait())
    }

    /// Returns a watcher, with which other threads can observe this search, even during
    /// [`wait`](ProofSearch::wait).
    pub fn watcher(&self) -> Watcher<ProofReport<G>> {
        Watcher::new(Arc::clone(&self.shared) as Arc<dyn Watched<ProofReport<G>>>)
    }

    /// Calls `hook` once after a search has ended; see [`Search::on_end`](crate::Search::on_end).
    pub fn on_end(&self, hook: impl FnOnce() + Send + 'static) {
        self.shared.presence.on_end(Box::new(hook), self.coordinator.is_some());
    }

    /// Returns the current report, even while the search runs.
    pub fn snapshot(&self) -> ProofReport<G> {
        self.shared.snapshot()
    }

    /// Returns the proof and disproof numbers of the last question after a run without an answer;
    /// `None` otherwise, and for provers without proof numbers in a table.
    pub fn numbers(&self) -> Option<RootNumbers<G>> {
        self.shared.known.lock().numbers.clone()
    }

    /// Returns the key by which this search identifies a position, which is the canonical key if
    /// the search uses symmetries; `None` if the game has no [`key`](Game::key).
    ///
    /// # Panics
    /// Panics if the rules panic.
    pub fn key_of(&self, position: &G::State) -> Option<u64> {
        let SharedProof { game, config, declared, .. } = &*self.shared;
        game.key(position).map(|_| match config.symmetries && declared.symmetric {
            false => root_key(game, position),
            true => canonical_root_key(game, position),
        })
    }

    /// Enables or disables symmetries, regardless of the root. Returns `false` and changes nothing
    /// if the search has watchers.
    pub(crate) fn set_symmetric(&mut self, symmetric: bool) -> bool {
        let shared = Arc::get_mut(&mut self.shared);
        shared.map(|shared| shared.declared.symmetric = symmetric).is_some()
    }

    /// Returns the game that was passed to [`new`](ProofSearch::new).
    pub fn game(&self) -> &G {
        &self.shared.game
    }

    pub(crate) fn declared(&self) -> &Declared {
        &self.shared.declared
    }

    pub(crate) fn player(&self) -> usize {
        self.shared.player
    }

    pub(crate) fn kept_table(&self) -> Option<Arc<Table>> {
        self.shared.table.lock().clone()
    }

    pub(crate) fn keep_table(&mut self, table: Arc<Table>) {
        *self.shared.table.lock() = Some(table);
    }

    pub(crate) fn table(&self) -> Result<Arc<Table>, SearchError> {
        self.shared.table(self.shared.config.table)
    }

    /// Returns the root, that is, the position to which all questions refer.
    pub fn position(&self) -> &G::State {
        &self.shared.root
    }

    /// Returns the configuration that was passed to [`new`](ProofSearch::new).
    pub fn config(&self) -> &ProverConfig {
        &self.shared.config
    }
}

impl<G: Game> SharedProof<G> {
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
        // The coordinator's thread need not be joined: it owns a share of the data and frees it.
        self.stop();
    }
}
