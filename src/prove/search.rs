//! A proof search: question after question, each by all threads, and the
//! coordinator that ends them.

use super::memo::Memo;
use super::plan::QuestionPlan;
use super::question::{Question, Verdict};
use super::report::{Asked, ProofReport, RootNumbers};
use super::run::{Run, Spent};
use super::setting::Setting;
use super::table::Table;
use super::{Effort, Prover};
use crate::bounds::{Interval, Value};
use crate::error::{BudgetError, ConfigError, SearchError};
use crate::game::{Game, Turn};
use crate::prove::alpha_beta::AlphaBeta;
use crate::prove::auto::Auto;
use crate::prove::best_first::{mcpns, pn2, pns};
use crate::prove::depth_first::DepthFirst;
use crate::prove::depth_first::Dfpn;
use crate::prove::depth_first::Pds;
#[cfg(feature = "certificates")]
use crate::prove::memo::remember;
use crate::rules::{Audited, Declared, check_turn, least_root_key, read_payoff, root_key};
use crate::settings::{Algorithm, Budget, ProverConfig, StopReason};
use crate::sync::{AtomicBool, Instant, Ordering};
use crate::threads::{
    Control, Counted, Presence, Started, Watched, Watcher, WhenFull, catch_panic, join, run_here,
    run_team, spawn_coordinator,
};
use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;
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
}

impl<G: Game> SharedProof<G> {
    /// The root's key for provers.
    fn root_key(&self) -> u64 {
        match self.config.symmetries && self.declared.symmetric {
            false => root_key(&self.game, &self.root),
            true => least_root_key(&self.game, &self.root),
        }
    }

    /// The table; a new one takes this many bytes.
    fn table(&self, bytes: u64) -> Result<Arc<Table>, SearchError> {
        let mut kept = self.table.lock();
        let table = match kept.take() {
            Some(table) => table,
            None => Arc::new(Table::new(bytes)?),
        };
        Ok(Arc::clone(kept.insert(table)))
    }
}

/// What is known so far. Locked between questions and for reports only.
struct SoFar<G: Game> {
    plan: QuestionPlan,
    asked: Vec<Asked>,
    best_move: Option<G::Move>,
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
    /// When a search is running already, a limit is 0, or playouts are limited,
    /// of which provers have none.
    pub fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
        let started = self.begin(budget)?;
        let (shared, budget) = (Arc::clone(&self.shared), budget.clone());
        let coordinator = spawn_coordinator(Box::new(move || shared.run(&budget, started)))
            .map_err(|error| {
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
        budget.check()?;
        if budget.playouts.is_some() {
            return Err(BudgetError::Playouts.into());
        }
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
    /// [`hash`](Game::hash).
    ///
    /// # Panics
    /// When the rules do.
    pub fn key_of(&self, position: &G::State) -> Option<u64> {
        let SharedProof { game, config, declared, .. } = &*self.shared;
        game.hash(position).map(|_| match config.symmetries && declared.symmetric {
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
        self.stop();
        // The result is not wanted, nor is an error.
        self.coordinator.take().into_iter().for_each(join);
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
        audited: config.audit.then(|| Audited::new(config.symmetries)),
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
    })
}

/// Makes a prover of a question. Provers stand behind pointers, so that what asks
/// them is compiled once for all.
type MakeProver<'p, 'm, G> =
    dyn Fn(Setting<'p, G>) -> Result<Box<dyn Prover<G> + 'p>, SearchError> + 'm;

/// One run: asks questions until the goal is reached or a limit ends it.
struct Coordinator<'s, G: Game> {
    shared: &'s SharedProof<G>,
    budget: &'s Budget,
    deadline: Option<Instant>,
    /// Nodes that the questions before have made.
    nodes: u64,
}

/// Nodes that a prover with a table may make on the coordinator's thread, before any other is
/// started: to start a thread, and to touch fresh memory there, takes as long as some thousand
/// nodes, and most questions are easy. What is found until then stays in the table.
const GLANCE: u64 = 256;

impl<'s, G: Game> Coordinator<'s, G> {
    fn new(shared: &'s SharedProof<G>, budget: &'s Budget, started: Instant) -> Self {
        // A time too long to add to the clock is no limit.
        let deadline = budget.time.and_then(|time| started.checked_add(time));
        Coordinator { shared, budget, deadline, nodes: 0 }
    }

    /// Runs the prover that the configuration names.
    fn run(mut self) -> Result<StopReason, SearchError> {
        let over = catch_panic(|| self.shared.game.turn(&self.shared.root) == Turn::Over)?;
        if over {
            return Ok(StopReason::GameOver);
        }
        let shared = self.shared;
        let config = &shared.config;
        match config.algorithm {
            Algorithm::Auto => {
                let table = shared.table(self.bytes(config.table))?;
                self.ask_all(&|setting| Ok(Box::new(Auto::new(setting, &table))))
            }
            Algorithm::Ab => {
                let table = shared.table(self.bytes(config.table))?;
                self.ask_all(&|setting| Ok(Box::new(AlphaBeta::new(setting, &table))))
            }
            Algorithm::Dfpn => {
                let table = shared.table(self.bytes(config.table))?;
                self.ask_all(&|setting| Ok(Box::new(DepthFirst::new::<Dfpn>(setting, &table))))
            }
            Algorithm::Pds => {
                let table = shared.table(self.bytes(config.table))?;
                self.ask_all(&|setting| Ok(Box::new(DepthFirst::new::<Pds>(setting, &table))))
            }
            #[cfg(feature = "ppns")]
            Algorithm::DfPpns => {
                use crate::prove::depth_first::DfPpns;
                let table = shared.table(self.bytes(config.table))?;
                self.ask_all(&|setting| Ok(Box::new(DepthFirst::new::<DfPpns>(setting, &table))))
            }
            Algorithm::Pns => self.ask_all(&|setting| Ok(Box::new(pns::prover(setting)?))),
            Algorithm::Pn2 => self.ask_all(&|setting| Ok(Box::new(pn2::prover(setting)?))),
            Algorithm::Mcpns => self.ask_all(&|setting| Ok(Box::new(mcpns::prover(setting)?))),
            #[cfg(feature = "ppns")]
            Algorithm::Ppns => {
                use crate::prove::best_first::ppns;
                self.ask_all(&|setting| Ok(Box::new(ppns::prover(setting)?)))
            }
        }
    }

    /// The bytes that a table or a tree may take which is given `most`.
    fn bytes(&self, most: u64) -> u64 {
        self.budget.bytes.map_or(most, |bytes| bytes.min(most))
    }

    /// Asks question after question, each of a prover of its own.
    fn ask_all<'p>(&mut self, make: &MakeProver<'p, '_, G>) -> Result<StopReason, SearchError>
    where
        's: 'p,
    {
        let shared = self.shared;
        loop {
            let next = shared.known.lock().plan.next();
            let Some(question) = next else { return Ok(StopReason::Settled) };
            let setting = Setting {
                game: &shared.game,
                root: &shared.root,
                root_key: shared.root_key(),
                config: &shared.config,
                declared: &shared.declared,
                audited: shared.audited.as_ref(),
                question,
                bytes: self.bytes(shared.config.memory),
            };
            let prover = catch_panic(|| make(setting))??;
            // Before the work: without room for it, no answer is lost.
            #[cfg(feature = "certificates")]
            let kept = match shared.config.keep_proofs && !prover.fills_table() {
                true => Some(shared.table(self.bytes(shared.config.table))?),
                false => None,
            };
            let reason = self.ask(question, &*prover)?;
            if prover.verdict().is_none() {
                return Ok(reason);
            }
            #[cfg(feature = "certificates")]
            if let Some(table) = kept {
                let memo = Memo::new(&table, &setting);
                let keep = &mut |key, verdict| remember(&memo, question, key, verdict);
                catch_panic(|| prover.settled_positions(keep))?;
            }
        }
    }

    /// Has all threads answer one question, and takes the answer in.
    fn ask(
        &mut self,
        question: Question,
        prover: &dyn Prover<G>,
    ) -> Result<StopReason, SearchError> {
        let shared = self.shared;
        let control = &shared.control;
        let nodes = self.budget.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        let when_full = match self.budget.bytes {
            Some(bytes) if bytes < shared.config.memory => StopReason::Bytes,
            _ => StopReason::Memory,
        };
        let (started, spent) = (Instant::now(), Arc::new(Spent::default()));
        shared.known.lock().asking = Some((question, started, Arc::clone(&spent)));
        let cancel = self.budget.cancel.as_ref();
        let reset = |threads, nodes| {
            control.reset(threads, nodes, WhenFull::Stop(when_full));
            if shared.stop_asked.load(Ordering::Relaxed) {
                control.stop(StopReason::Stopped);
            }
            Run::new(control, &spent, self.deadline, threads)
        };
        let work = |number, run: &Run<'_>| {
            shared.counted.begin_thread();
            let ended = prover.work(number, run);
            shared.counted.end_thread();
            ended
        };
        let stack = shared.config.stack;
        // Whose rules need a large stack has asked for it.
        let glances = prover.fills_table()
            && nodes.is_none_or(|nodes| nodes > GLANCE)
            && stack <= ProverConfig::default().stack;
        let mut error = None;
        if glances {
            // Nobody else keeps the time meanwhile, and the rules may be slow.
            let run = Run { cancel, look_every: 1, ..reset(1, Some(GLANCE)) };
            error = run_here(control, self.deadline, cancel, &|| work(0, &run));
        }
        let goes_on = prover.verdict().is_none() && control.reason() == StopReason::Nodes;
        if !glances || error.is_none() && goes_on {
            let left = nodes.map(|nodes| nodes.saturating_sub(spent.effort(0).nodes));
            let run = reset(shared.config.threads, left);
            let share = |number| work(number, &run);
            let (threads, stack) = (run.threads, stack as usize);
            error = run_team(threads, stack, control, self.deadline, cancel, &share);
        }
        let effort = spent.effort(prover.bytes());
        self.nodes += effort.nodes;
        let verdict = prover.verdict();
        if shared.config.audit && error.is_none() {
            catch_panic(|| prover.audit())??;
        }
        // It asks the rules, which may have failed already.
        let (guess, numbers) = match verdict.is_none() && error.is_none() {
            true => catch_panic(|| (prover.guess(), prover.numbers()))?,
            false => (None, None),
        };
        let mut known = shared.known.lock();
        known.asking = None;
        known.effort = together(known.effort, effort);
        let elapsed = started.elapsed();
        let estimate = prover.estimate().filter(|_| verdict.is_none());
        let answered_by = verdict.and(prover.answered_by());
        known.asked.push(Asked { question, verdict, answered_by, estimate, effort, elapsed });
        known.numbers = numbers;
        if verdict.is_none() {
            known.guess = guess;
        }
        if let Some(verdict) = verdict {
            known.take(question, verdict, prover);
            if known.plan.is_contradicted() {
                return Err(error.unwrap_or(SearchError::Contradiction { node: 0 }));
            }
        }
        match error {
            Some(error) => Err(error),
            // Threads that find nothing left to do give no reason.
            None => Ok(match control.reason() {
                StopReason::Playouts => StopReason::Stopped,
                reason => reason,
            }),
        }
    }
}

impl<G: Game> SoFar<G> {
    /// The best move; while nothing is known of the value, the one that looks best.
    fn shown_move(&self) -> Option<G::Move> {
        match self.plan.value() {
            Value::Unknown => self.best_move.or(self.guess),
            _ => self.best_move,
        }
    }

    /// Takes an answer in, and what else the prover found.
    fn take(&mut self, question: Question, verdict: Verdict, prover: &dyn Prover<G>) {
        self.plan.learn(question, verdict);
        if let Some(bounds) = prover.bounds() {
            self.plan.tighten(question.player, bounds);
        }
        // Each answer in favour of the side to move is better than those before.
        if let Some(best) = prover.best_move() {
            self.best_move = Some(best);
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::settings::CancelToken;
    use crate::sync::AtomicU64;
    use crate::threads::UNTIL_REFUSED;

    /// Who takes the last of the sticks, one to three at a time, wins.
    struct Sticks;

    impl Game for Sticks {
        type State = (u32, usize);
        type Move = u32;

        fn initial_state(&self) -> (u32, usize) {
            (5, 0)
        }
        fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
            if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
        }
        fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
            moves.extend(1..=sticks.min(3));
        }
        fn play(&self, state: &mut (u32, usize), taken: u32) {
            *state = (state.0 - taken, 1 - state.1);
        }
        fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
            if player == mover { -1 } else { 1 }
        }
        fn zero_sum(&self) -> bool {
            true
        }
    }

    #[test]
    fn easy_questions_need_no_other_thread() {
        let without_threads = |sticks, config: ProverConfig| {
            UNTIL_REFUSED.set(0);
            let report = prove(Sticks, (sticks, 0), config, &Budget::default());
            UNTIL_REFUSED.set(u32::MAX);
            report
        };
        let config = |algorithm| ProverConfig::default().algorithm(algorithm).table(1 << 20);
        let refused = |report| matches!(report, Err(SearchError::Threads(_)));
        for algorithm in [Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn, Algorithm::Pds] {
            let report = without_threads(5, config(algorithm)).unwrap();
            assert_eq!((report.value, report.best_move), (Value::Win, Some(1)), "{algorithm:?}");
            assert!(refused(without_threads(40, config(algorithm))), "{algorithm:?}");
            // Rules that need a large stack have it.
            assert!(refused(without_threads(5, config(algorithm).stack(4 << 20))));
        }
        assert!(refused(without_threads(5, config(Algorithm::Pns))), "its tree is not a table");
    }

    /// [`Sticks`] that give the search up when so many moves were played.
    struct Impatient(CancelToken, AtomicU64);

    impl Game for Impatient {
        type State = (u32, usize);
        type Move = u32;

        fn initial_state(&self) -> (u32, usize) {
            (40, 0)
        }
        fn turn(&self, state: &(u32, usize)) -> Turn {
            Sticks.turn(state)
        }
        fn legal_moves(&self, state: &(u32, usize), moves: &mut Vec<u32>) {
            Sticks.legal_moves(state, moves);
        }
        fn play(&self, state: &mut (u32, usize), taken: u32) {
            if self.1.fetch_add(1, Ordering::Relaxed) == 60 {
                self.0.cancel();
            }
            Sticks.play(state, taken);
        }
        fn payoff(&self, state: &(u32, usize), player: usize) -> i32 {
            Sticks.payoff(state, player)
        }
        fn zero_sum(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_glance_ends_when_it_is_cancelled() {
        for algorithm in [Algorithm::Auto, Algorithm::Ab, Algorithm::Dfpn, Algorithm::Pds] {
            let token = CancelToken::new();
            let game = Impatient(token.clone(), AtomicU64::new(0));
            let config = ProverConfig::default().algorithm(algorithm).threads(1).table(1 << 20);
            let report = prove(game, (40, 0), config, &Budget::default().cancel(&token)).unwrap();
            assert_eq!(report.stop_reason, Some(StopReason::Cancelled), "{algorithm:?}");
            assert!(report.effort.nodes < GLANCE / 2, "{algorithm:?}: {report:?}");
        }
    }

    #[test]
    fn a_glance_counts() {
        let config = ProverConfig::default().threads(1).table(1 << 20);
        for nodes in [1, GLANCE, GLANCE + 1, GLANCE + 100] {
            let budget = Budget::default().nodes(nodes);
            let report = prove(Sticks, (40, 0), config.clone(), &budget).unwrap();
            assert_eq!(report.stop_reason, Some(StopReason::Nodes));
            // An expansion makes three at most, and may be the last one of each part.
            assert!((nodes..nodes + 6).contains(&report.effort.nodes), "{nodes}: {report:?}");
        }
    }
}
