//! The state that a proof search's coordinator shares with its caller and its watchers.

use crate::bounds::{Interval, Value};
use crate::error::{ConfigError, SearchError};
use crate::game::{Game, Turn};
use crate::prove::plan::QuestionPlan;
use crate::prove::question::{Question, Verdict};
use crate::prove::report::{Asked, ProofReport, RootNumbers};
use crate::prove::run::Spent;
use crate::prove::table::Table;
use crate::prove::{Effort, Prospects, Prover};
use crate::rules::{Audited, Declared, canonical_root_key, check_turn, read_payoff, root_key};
use crate::settings::{ProverConfig, StopReason};
use crate::sync::{AtomicBool, Instant, Ordering};
use crate::threads::{Control, Counted, Presence, Watched};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

pub(super) struct SharedProof<G: Game> {
    pub(super) game: G,
    pub(super) root: G::State,
    pub(super) config: ProverConfig,
    pub(super) declared: Declared,
    pub(super) audited: Option<Audited<G>>,
    pub(super) player: usize,
    pub(super) to_move: Option<usize>,
    pub(super) paranoid: bool,
    pub(super) control: Control,
    pub(super) presence: Presence,
    /// Whether a caller has stopped the search. Relaxed: the thread that sets the flag locks the
    /// control's mutex afterwards, and the coordinator reads the flag after locking the same mutex.
    pub(super) stop_asked: AtomicBool,
    pub(super) known: Mutex<SoFar<G>>,
    pub(super) counted: Counted,
    /// The table of results, which all runs share. Locked only between questions.
    pub(super) table: Mutex<Option<Arc<Table>>>,
    pub(super) prospects: OnceLock<Prospects>,
}

impl<G: Game> SharedProof<G> {
    pub(super) fn root_key(&self) -> u64 {
        match self.config.symmetries && self.declared.symmetric {
            false => root_key(&self.game, &self.root),
            true => canonical_root_key(&self.game, &self.root),
        }
    }

    /// Returns the table. Creates one of `bytes` bytes if there is none, or only a small table.
    pub(super) fn table(&self, bytes: u64) -> Result<Arc<Table>, SearchError> {
        let mut kept = self.table.lock();
        // Sizes are powers of two. A small table stays if a larger one does not fit into `bytes`.
        let is_kept = |table: &Table| table.bytes() > SMALL_TABLE || bytes / 2 < table.bytes();
        let table = match &*kept {
            Some(table) if is_kept(table) => return Ok(Arc::clone(table)),
            Some(small) => Arc::new(small.in_a_larger(bytes)?),
            None => Arc::new(Table::new(bytes)?),
        };
        Ok(Arc::clone(kept.insert(table)))
    }

    /// Returns a table for a question's first nodes: the existing table, or a new small table of at
    /// most `bytes` bytes. Allocating and freeing a large table takes longer than an easy question.
    pub(super) fn table_at_first(&self, bytes: u64) -> Result<Arc<Table>, SearchError> {
        let kept = self.table.lock().clone();
        kept.map_or_else(|| self.table(bytes.min(SMALL_TABLE)), Ok)
    }
}

const SMALL_TABLE: u64 = 16 << 10;

/// The results so far. Locked only between questions and for reports.
pub(super) struct SoFar<G: Game> {
    pub(super) plan: QuestionPlan,
    pub(super) asked: Vec<Asked>,
    pub(super) best_move: Option<G::Move>,
    /// Whether finite lines of play prove that the best move wins.
    pub(super) best_wins: bool,
    pub(super) guess: Option<G::Move>,
    pub(super) numbers: Option<RootNumbers<G>>,
    pub(super) line: Vec<G::Move>,
    pub(super) effort: Effort,
    pub(super) asking: Option<(Question, Instant, Arc<Spent>)>,
    pub(super) reason: Option<StopReason>,
    pub(super) error: Option<SearchError>,
    pub(super) started: Instant,
    pub(super) elapsed: Duration,
}

pub(super) fn prepare<G: Game>(
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
            solved: known.plan.next().is_none(),
            proven: known.plan.value(),
            bounds: known.plan.bounds(),
            paranoid: *paranoid,
            // An outcome of chance is not a move.
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

impl<G: Game> SoFar<G> {
    /// Returns the best move or, while the value is unknown, the most promising one.
    pub(super) fn shown_move(&self) -> Option<G::Move> {
        match self.plan.value() {
            Value::Unknown => self.best_move.or(self.guess),
            _ => self.best_move,
        }
    }

    /// Records an answer and the prover's other results. `wins` returns whether the side to move
    /// wins, given a player and bounds on that player's payoff.
    pub(super) fn take(
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
        // Each answer in favour of the side to move replaces the previous one. But endless play
        // does not replace a win by finite lines.
        let ends = prover.bounds();
        if let Some(best) = prover.best_move().filter(|_| ends.is_some() || !self.best_wins) {
            self.best_move = Some(best);
            self.best_wins = ends.is_some_and(|bounds| wins(question.player, bounds));
            self.line = prover.line();
        }
    }
}

/// Adds up the work for two questions; `bytes` is the greater of both sizes.
pub(super) fn together(before: Effort, now: Effort) -> Effort {
    Effort {
        expansions: before.expansions + now.expansions,
        nodes: before.nodes + now.nodes,
        bytes: before.bytes.max(now.bytes),
    }
}
