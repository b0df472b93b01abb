//! The order to prove one position on other machines, and the answer to it.

use proofwood::{Bounds, Outcome, ProofGoal, StopReason, Value};
use proofwood_any_game::{ProofAnswer, View};
use proofwood_session::input::position_file::EntryText;
use proofwood_session::solving::machines::ProofOrder;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Returns the order's position after further moves, in the form that workers read. It includes the
/// earlier moves, since legal moves may depend on them.
pub(crate) fn after(order: &ProofOrder, moves: &[&str]) -> EntryText {
    let own = order.moves.iter().map(String::as_str);
    let moves: Vec<&str> = own.chain(moves.iter().copied()).collect();
    let moves = moves.join(" ");
    match &order.start {
        Some(position) => EntryText::After { position: position.clone(), moves },
        None => EntryText::Moves(moves),
    }
}

/// The joint answer of several machines about a position.
#[derive(Clone, Debug)]
pub struct OneAnswer {
    /// The player whom the answer is about.
    pub player: usize,
    /// Whether the player can force a win; `None` if that is open.
    pub wins: Option<bool>,
    /// Whether the opponent can force a win; `None` if that is open.
    pub loses: Option<bool>,
    /// A winning move of the side to move; `None` if no win of that side is proven.
    pub best_move: Option<String>,
    /// The elapsed time.
    pub elapsed: Duration,
    /// The numbers of positions and references in the certificate, if one was written.
    pub certificate: Option<(u64, u64)>,
    /// Whether the proof was cancelled.
    pub cancelled: bool,
    /// The number of jobs that the workers did in parallel at the end.
    pub slots: usize,
    /// The workers' effort.
    pub work: Work,
}

/// The workers' effort for one proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The number of nodes in answered jobs.
    pub nodes: u64,
    /// The number of answered jobs.
    pub jobs: u64,
    /// The time that provers spent on answered jobs, in seconds.
    pub seconds: f64,
    /// The time spent on cancelled jobs, in seconds.
    pub called_off: f64,
    /// The time for which workers were available, in seconds, times their numbers of parallel jobs.
    pub there: f64,
}

impl Work {
    pub(crate) fn add(&mut self, nodes: u64, seconds: f64) {
        self.nodes = self.nodes.saturating_add(nodes);
        self.jobs += 1;
        self.seconds += seconds;
    }

    /// Returns the share of the workers' time in which they had no job, from 0 to 1.
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

    /// Records whether the player `asks` can force a win.
    pub(crate) fn receive(&mut self, asks: usize, verdict: bool) {
        let known = if asks == self.player { &mut self.wins } else { &mut self.loses };
        *known = Some(verdict);
        if verdict {
            let other = if asks == self.player { &mut self.loses } else { &mut self.wins };
            *other = Some(false);
        }
    }

    /// Returns the value that follows from the answers so far.
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

    /// Returns whether the goal's question is answered.
    pub fn is_solved(&self, goal: ProofGoal) -> bool {
        match goal {
            ProofGoal::Win => self.wins.is_some(),
            ProofGoal::DrawOrBetter => self.loses.is_some(),
            _ => self.value().is_decided(),
        }
    }

    /// Converts this into a prover's answer.
    pub fn proof_answer(self, order: &ProofOrder, view: &View) -> ProofAnswer {
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
        let solved = self.is_solved(order.config.goal);
        let stop_reason = match (solved, self.cancelled) {
            (true, _) => StopReason::Solved,
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
            solved,
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
