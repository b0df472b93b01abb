//! One position that other machines are to prove, and what comes of it.

use proofwood::{Bounds, Outcome, ProofGoal, ProverConfig, StopReason, Value};
use proofwood_any_game::{Position, ProofAnswer, Rules, View};
use proofwood_session::input::given::Given;
use proofwood_session::input::position_file::EntryText;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One position, to be proven elsewhere.
pub struct OneOrder {
    /// The game.
    pub game: String,
    /// Its rules.
    pub rules: Box<dyn Rules>,
    /// The position.
    pub position: Box<dyn Position>,
    /// The text of the position before the moves; none for the game's start.
    pub start: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
    /// Options of the prover: all but goal, player and limits.
    pub options: Given,
    /// The prover, the question and the player.
    pub config: ProverConfig,
    /// The time for all of it.
    pub time: Option<Duration>,
}

impl OneOrder {
    /// How a worker finds the position after more moves. Where the future depends on the past,
    /// so does what it finds.
    pub(crate) fn after(&self, moves: &[&str]) -> EntryText {
        let own = self.moves.iter().map(String::as_str);
        let moves: Vec<&str> = own.chain(moves.iter().copied()).collect();
        let moves = moves.join(" ");
        match &self.start {
            Some(position) => EntryText::After { position: position.clone(), moves },
            None => EntryText::Moves(moves),
        }
    }
}

/// What other machines have proven of a position.
#[derive(Clone, Debug)]
pub struct OneAnswer {
    /// The player who it is about.
    pub player: usize,
    /// The player can force a win, or cannot.
    pub wins: Option<bool>,
    /// The opponent can force a win, or cannot.
    pub loses: Option<bool>,
    /// The move to play.
    pub best_move: Option<String>,
    /// The time that it took.
    pub elapsed: Duration,
    /// Positions and references of the certificate, where one was written.
    pub certificate: Option<(u64, u64)>,
    /// It was cancelled.
    pub cancelled: bool,
    /// Jobs that workers did at a time, at the end.
    pub slots: usize,
    /// What workers have done.
    pub work: Work,
}

/// What workers have done for one proof, in jobs that were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// Nodes.
    pub nodes: u64,
    /// Jobs.
    pub jobs: u64,
    /// Seconds in which provers were at work on them.
    pub seconds: f64,
    /// Seconds of jobs that were called off.
    pub called_off: f64,
    /// Seconds in which they were there, of each job at a time.
    pub there: f64,
}

impl Work {
    /// A job is done.
    pub(crate) fn add(&mut self, nodes: u64, seconds: f64) {
        self.nodes = self.nodes.saturating_add(nodes);
        self.jobs += 1;
        self.seconds += seconds;
    }

    /// The share of the workers' time in which no job was under way.
    pub fn between_jobs(self) -> f64 {
        let share = 1.0 - (self.seconds + self.called_off) / self.there;
        if self.there > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl OneAnswer {
    pub(crate) fn new(player: usize) -> OneAnswer {
        OneAnswer {
            player,
            wins: None,
            loses: None,
            best_move: None,
            elapsed: Duration::ZERO,
            certificate: None,
            cancelled: false,
            slots: 0,
            work: Work::default(),
        }
    }

    /// Takes in whether somebody can force a win.
    pub(crate) fn receive(&mut self, asks: usize, verdict: bool) {
        let known = if asks == self.player { &mut self.wins } else { &mut self.loses };
        *known = Some(verdict);
        if verdict {
            let other = if asks == self.player { &mut self.loses } else { &mut self.wins };
            *other = Some(false);
        }
    }

    /// What is known.
    pub fn value(&self) -> Value {
        match (self.wins, self.loses) {
            (Some(true), _) => Value::Win,
            (_, Some(true)) => Value::Loss,
            (Some(false), Some(false)) => Value::Draw,
            (Some(false), None) => Value::NotWin,
            (None, Some(false)) => Value::NotLoss,
            (None, None) => Value::Unknown,
        }
    }

    /// Whether the goal is reached.
    pub fn is_settled(&self, goal: ProofGoal) -> bool {
        match goal {
            ProofGoal::Win => self.wins.is_some(),
            ProofGoal::DrawOrBetter => self.loses.is_some(),
            _ => self.value().is_decided(),
        }
    }

    /// The answer as a prover gives it.
    pub fn proof_answer(self, order: &OneOrder, view: &View) -> ProofAnswer {
        let range = order.rules.payoff_range(self.player);
        let least = |outcome| order.rules.threshold(self.player, outcome);
        let mut bounds = Bounds { lower: Some(*range.start()), upper: Some(*range.end()) };
        if self.wins == Some(true) {
            bounds.lower = least(Outcome::Win).or(bounds.lower);
        } else if self.loses == Some(true) {
            bounds.upper = least(Outcome::Draw).map(|payoff| payoff - 1).or(bounds.upper);
        } else if self.wins == Some(false) {
            bounds.upper = least(Outcome::Win).map(|payoff| payoff - 1).or(bounds.upper);
        }
        let settled = self.is_settled(order.config.goal);
        let stop_reason = match (settled, self.cancelled) {
            (true, _) => StopReason::Settled,
            (false, true) => StopReason::Cancelled,
            (false, false) => StopReason::Time,
        };
        ProofAnswer {
            player: self.player,
            players: view.players.clone(),
            to_move: view.to_move,
            algorithm: order.config.algorithm,
            goal: order.config.goal,
            stop_reason: Some(stop_reason),
            settled,
            proven: self.value(),
            bounds,
            paranoid: false,
            pv: self.best_move.iter().cloned().collect(),
            best_move: self.best_move,
            questions: Vec::new(),
            nodes: self.work.nodes,
            expansions: 0,
            nodes_per_second: self.work.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9),
            bytes: 0,
            elapsed: self.elapsed,
            threads: self.slots.max(1),
            seed: order.config.seed,
            counters: None,
        }
    }
}
