//! A proof search: question after question, each by all threads, and the
//! [`coordinator`] that ends them.

mod coordinator;

use super::plan::QuestionPlan;
use super::question::{Question, Verdict};
use super::report::{Asked, ProofReport, RootNumbers};
use super::run::Spent;
use super::table::Table;
use super::{Effort, Prospects, Prover};
use crate::bounds::{Interval, Value};
use crate::error::{BudgetError, ConfigError, SearchError};
use crate::game::{Game, Turn};
use crate::rules::{Audited, Declared, check_turn, least_root_key, read_payoff, root_key};
use crate::settings::{Budget, ProverConfig, StopReason};
use crate::sync::{AtomicBool, Instant, Ordering};
use crate::threads::{
    Control, Counted, Presence, Started, Watched, Watcher, catch_panic, join, spawn_coordinator,
};
use coordinator::Coordinator;
use parking_lot::Mutex;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A search for the answers to questions about one position. It can be run
/// again and again: each run asks what is still open.
///
/// # Examples
/// As [`prove`], which does it in one call.
pub struct ProofSearch<G: Game> {
    shared: Arc<SharedProof<G>>,
    /// The thread of a search that was started and not waited for.
    coordinator: Option<Started>,
}

/// What the coordinator, the caller and the watchers share.
struct SharedProof<G: Game> {
    game: G,
    root: G::State,
    config: ProverConfig,
    declared: Declared,
    audited: Option<Audited<G>>,
    player: usize,
    to_move: Option<usize>,
    paranoid: bool,
    control: Control,
    presence: Presence,
    /// Relaxed: whoever raises it locks the control's mutex afterwards, and the
    /// coordinator reads it after it has locked the same mutex.
    stop_asked: AtomicBool,
    known: Mutex<SoFar<G>>,
    /// What the threads have counted, from run to run.
    counted: Counted,
    /// What is settled, from run to run. Locked between questions.
    table: Mutex<Option<Arc<Table>>>,
    /// What playouts show of the position, once a prover has asked.
    prospects: OnceLock<Prospects>,
}

impl<G: Game> SharedProof<G> {
    /// The root's key for provers.
    fn root_key(&self) -> u64 {
        match self.config.symmetries && self.declared.symmetric {
            false => root_key(&self.game, &self.root),
            true => least_root_key(&self.game, &self.root),
        }
    }

    /// The table. A new one takes this many bytes, and so does one in place of a small one.
    fn table(&self, bytes: u64) -> Result<Arc<Table>, SearchError> {
        let mut kept = self.table.lock();
        // Sizes are powers of two. Where there is no room for a larger one, the small one stays.
        let is_kept = |table: &Table| table.bytes() > SMALL_TABLE || bytes / 2 < table.bytes();
        let table = match &*kept {
            Some(table) if is_kept(table) => return Ok(Arc::clone(table)),
            Some(small) => Arc::new(small.in_a_larger(bytes)?),
            None => Arc::new(Table::new(bytes)?),
        };
        Ok(Arc::clone(kept.insert(table)))
    }

    /// A table for the first nodes, at most of this many bytes: the one that there is, or a small
    /// one, since much memory takes longer to get and to give back than easy questions need.
    fn table_at_first(&self, bytes: u64) -> Result<Arc<Table>, SearchError> {
        let kept = self.table.lock().clone();
        kept.map_or_else(|| self.table(bytes.min(SMALL_TABLE)), Ok)
    }
}

/// Bytes of a table for the first nodes.
const SMALL_TABLE: u64 = 16 << 10;

/// What is known so far. Locked between questions and for reports only.
struct SoFar<G: Game> {
    plan: QuestionPlan,
    asked: Vec<Asked>,
    best_move: Option<G::Move>,
    /// Whether ends of the game show that it wins.
    best_wins: bool,
    /// What looks best while nothing is known.
    guess: Option<G::Move>,
    /// What the question still takes that was asked last.
    numbers: Option<RootNumbers<G>>,
    line: Vec<G::Move>,
    effort: Effort,
    /// What is being asked, since when, and what it has taken.
    asking: Option<(Question, Instant, Arc<Spent>)>,
    reason: Option<StopReason>,
    /// What the last run failed of, until somebody has waited for it.
    error: Option<SearchError>,
    started: Instant,
    elapsed: Duration,
}

/// Answers what [`ProverConfig::goal`] asks about a position.
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
/// assert_eq!(report.value, Value::Win);
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
    /// When the configuration cannot be used or the game breaks its contract
    /// at the root.
    pub fn new(
        game: G,
        position: G::State,
        config: ProverConfig,
    ) -> Result<ProofSearch<G>, SearchError> {
        config.check()?;
        let shared = catch_panic(|| prepare(game, position, config))??;
        Ok(ProofSearch { shared: Arc::new(shared), coordinator: None })
    }

    /// Searches until the goal is reached or the budget is spent. The caller's thread watches over
    /// the search, and answers easy questions itself.
    ///
    /// # Errors
    /// As [`start`](ProofSearch::start) and [`wait`](ProofSearch::wait).
    pub fn search(&mut self, budget: &Budget) -> Result<ProofReport<G>, SearchError> {
        let started = self.begin(budget)?;
        // Who calls waits anyway, and watches over the search meanwhile.
        self.shared.run(budget, started);
        self.answer()
    }

    /// Starts a search in the background. The budget's nodes are those that
    /// all questions of this run make together; its bytes limit the table or
    /// the tree.
    ///
    /// # Errors
    /// When a search is running already, a limit is 0, playouts are limited, of which provers have
    /// none, or there are no threads. Unless one runs, hooks of [`on_end`](ProofSearch::on_end)
    /// that wait for this one are dropped.
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

    /// What comes before a run; answers when it has begun.
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

    /// What a run that has ended has found.
    fn answer(&self) -> Result<ProofReport<G>, SearchError> {
        let error = self.shared.known.lock().error.take();
        error.map_or_else(|| Ok(self.snapshot()), Err)
    }

    /// Tells a running search to stop; does nothing when none is running.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Whether a search is running: started, and not ended yet.
    pub fn is_running(&self) -> bool {
        self.shared.presence.is_running()
    }

    /// Waits for the running search to end and answers what it found.
    ///
    /// # Errors
    /// When none was started, when the game panicked or broke its contract, or
    /// when two answers contradict each other.
    pub fn wait(&mut self) -> Result<ProofReport<G>, SearchError> {
        let coordinator = self.coordinator.take().ok_or(SearchError::NotRunning)?;
        self.shared.presence.wait(None);
        join(coordinator);
        self.answer()
    }

    /// Waits for the running search to end, at most for this time; `None` when it
    /// runs on. It is not stopped then: wait again, or [`stop`](ProofSearch::stop) it.
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

    /// Looks at this search from other threads, also while one waits for its end.
    pub fn watcher(&self) -> Watcher<ProofReport<G>> {
        Watcher::new(Arc::clone(&self.shared) as Arc<dyn Watched<ProofReport<G>>>)
    }

    /// Has `hook` called once when a search has ended, as
    /// [`Search::on_end`](crate::Search::on_end).
    pub fn on_end(&self, hook: impl FnOnce() + Send + 'static) {
        self.shared.presence.on_end(Box::new(hook), self.coordinator.is_some());
    }

    /// What the search knows now, also while it runs.
    pub fn snapshot(&self) -> ProofReport<G> {
        self.shared.snapshot()
    }

    /// What it still takes to answer the question that was asked last, once a run has ended
    /// without the answer; `None` after an answer, and from provers without proof numbers in
    /// their table.
    pub fn numbers(&self) -> Option<RootNumbers<G>> {
        self.shared.known.lock().numbers.clone()
    }

    /// The key by which this search tells a position from others: that of its image with the
    /// least one, where it uses symmetries. `None` where the game has no
    /// [`key`](Game::key).
    ///
    /// # Panics
    /// When the rules do.
    pub fn key_of(&self, position: &G::State) -> Option<u64> {
        let SharedProof { game, config, declared, .. } = &*self.shared;
        game.key(position).map(|_| match config.symmetries && declared.symmetric {
            false => root_key(game, position),
            true => least_root_key(game, position),
        })
    }

    /// Uses symmetries, or does not, whatever the root is like; false where others look on.
    pub(crate) fn set_symmetric(&mut self, symmetric: bool) -> bool {
        let shared = Arc::get_mut(&mut self.shared);
        shared.map(|shared| shared.declared.symmetric = symmetric).is_some()
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.shared.game
    }

    /// What the game says of itself.
    pub(crate) fn declared(&self) -> &Declared {
        &self.shared.declared
    }

    /// The player about whom it asks.
    pub(crate) fn player(&self) -> usize {
        self.shared.player
    }

    /// What is settled, if there is a table yet.
    pub(crate) fn kept_table(&self) -> Option<Arc<Table>> {
        self.shared.table.lock().clone()
    }

    /// Goes on with this table.
    pub(crate) fn keep_table(&mut self, table: Arc<Table>) {
        *self.shared.table.lock() = Some(table);
    }

    /// What is settled; a table as large as the configuration says.
    pub(crate) fn table(&self) -> Result<Arc<Table>, SearchError> {
        self.shared.table(self.shared.config.table)
    }

    /// The position that is searched.
    pub fn position(&self) -> &G::State {
        &self.shared.root
    }

    /// The configuration.
    pub fn config(&self) -> &ProverConfig {
        &self.shared.config
    }
}

impl<G: Game> SharedProof<G> {
    /// A run, on the coordinator's thread, and the end of it.
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

impl<G: Game> Watched<ProofReport<G>> for SharedProof<G> {
    fn snapshot(&self) -> ProofReport<G> {
        let SharedProof { config, player, to_move, paranoid, counted, .. } = self;
        let known = self.known.lock();
        let mut asked = known.asked.clone();
        let mut effort = known.effort;
        if let Some((question, since, spent)) = &known.asking {
            let spent = spent.effort(0);
            effort = together(effort, spent);
            let elapsed = since.elapsed();
            asked.push(Asked {
                question: *question,
                verdict: None,
                answered_by: None,
                estimate: None,
                effort: spent,
                elapsed,
            });
        }
        let running = known.reason.is_none() && self.presence.is_running();
        ProofReport {
            algorithm: config.algorithm,
            goal: config.goal,
            player: *player,
            to_move: *to_move,
            stop_reason: known.reason,
            settled: known.plan.next().is_none(),
            value: known.plan.value(),
            bounds: known.plan.bounds(),
            paranoid: *paranoid,
            // An outcome of chance is nobody's best move.
            best_move: known.shown_move().filter(|_| to_move.is_some()),
            pv: if to_move.is_some() { known.line.clone() } else { Vec::new() },
            asked,
            effort,
            elapsed: if running { known.started.elapsed() } else { known.elapsed },
            threads: config.threads,
            counters: counted.counters(),
        }
    }

    fn stop(&self) {
        self.presence.if_running(|| {
            self.stop_asked.store(true, Ordering::Relaxed);
            self.control.stop(StopReason::Stopped);
        });
    }

    fn presence(&self) -> &Presence {
        &self.presence
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
        // The coordinator's thread holds all that is used there, and frees it.
        self.stop();
    }
}

/// Looks at the root and makes the plan.
fn prepare<G: Game>(
    game: G,
    root: G::State,
    config: ProverConfig,
) -> Result<SharedProof<G>, SearchError> {
    let declared = Declared::from(&game, &root)?;
    let players = declared.players;
    let turn = game.turn(&root);
    check_turn(&game, turn)?;
    let to_move = match turn {
        Turn::Player(player) => Some(player),
        _ => None,
    };
    let player = config.player.or(to_move).unwrap_or(0);
    if player >= players {
        let expected = format!("a number from 0 to {}", players - 1);
        let (option, given) = ("ProverConfig::player", player.to_string());
        return Err(ConfigError::Value { option, given, expected }.into());
    }
    let range = match turn {
        Turn::Over => Interval::exactly(read_payoff(&game, &declared, &root, player)?),
        _ => declared.ranges[player],
    };
    let known = SoFar {
        plan: QuestionPlan::new(&declared, player, config.goal, range),
        asked: Vec::new(),
        best_move: None,
        best_wins: false,
        guess: None,
        numbers: None,
        line: Vec::new(),
        effort: Effort::default(),
        asking: None,
        reason: None,
        error: None,
        started: Instant::now(),
        elapsed: Duration::ZERO,
    };
    Ok(SharedProof {
        paranoid: players > 1 && !declared.zero_sum,
        declared,
        audited: config.audit.then(|| Audited::new(&game, config.symmetries, config.foresight)),
        game,
        root,
        config,
        player,
        to_move,
        control: Control::new(),
        presence: Presence::default(),
        stop_asked: AtomicBool::new(false),
        known: Mutex::new(known),
        counted: Counted::default(),
        table: Mutex::new(None),
        prospects: OnceLock::new(),
    })
}

impl<G: Game> SoFar<G> {
    /// The best move; while nothing is known of the value, the one that looks best.
    fn shown_move(&self) -> Option<G::Move> {
        match self.plan.value() {
            Value::Unknown => self.best_move.or(self.guess),
            _ => self.best_move,
        }
    }

    /// Takes an answer in, and what else the prover found. `wins` says whether the side to move wins
    /// where a player is paid within bounds.
    fn take(
        &mut self,
        question: Question,
        verdict: Verdict,
        prover: &dyn Prover<G>,
        wins: impl FnOnce(usize, Interval) -> bool,
    ) {
        self.plan.learn(question, verdict);
        if let Some(bounds) = prover.bounds() {
            self.plan.tighten(question.player, bounds);
        }
        // Each answer in favour of the side to move is better than those before. But a win that ends
        // show is not given up for play that goes round.
        let ends = prover.bounds();
        if let Some(best) = prover.best_move().filter(|_| ends.is_some() || !self.best_wins) {
            self.best_move = Some(best);
            self.best_wins = ends.is_some_and(|bounds| wins(question.player, bounds));
            self.line = prover.line();
        }
    }
}

/// What two questions have taken together.
fn together(before: Effort, now: Effort) -> Effort {
    Effort {
        expansions: before.expansions + now.expansions,
        nodes: before.nodes + now.nodes,
        bytes: before.bytes.max(now.bytes),
    }
}
