//! The report of a proof search, and the numbers that it contains.

use super::Effort;
use super::derive::clone_and_debug;
use super::question::{Question, Verdict};
use crate::bounds::{Bounds, Value};
use crate::game::Game;
use crate::settings::{Algorithm, ProofGoal, StopReason};
use crate::threads::Counters;
use std::time::Duration;

/// A question and its result.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The question that was asked.
    pub question: Question,
    /// The answer; `None` if the search ended without one.
    pub verdict: Option<Verdict>,
    /// The prover that found the answer, if several worked on the question.
    pub answered_by: Option<Algorithm>,
    /// The estimated probability that the answer is yes, if the prover makes estimates and there is
    /// no answer. An estimate proves nothing.
    pub estimate: Option<f64>,
    /// The work done for the question.
    pub effort: Effort,
    /// The time that the question took.
    pub elapsed: Duration,
}

/// The results of a proof search so far.
#[non_exhaustive]
pub struct ProofReport<G: Game> {
    /// The prover that was configured.
    pub algorithm: Algorithm,
    /// The goal of the search.
    pub goal: ProofGoal,
    /// The player to whom [`proven`](ProofReport::proven) and [`bounds`](ProofReport::bounds)
    /// apply.
    pub player: usize,
    /// The player to move; `None` if chance decides or the game is over.
    pub to_move: Option<usize>,
    /// The reason why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// Whether the goal has been reached.
    pub solved: bool,
    /// The value proven for [`player`](ProofReport::player). In a game with chance, a proven win
    /// holds for every outcome of chance. If the player cannot force a better result but may still
    /// get one by chance, the value is [`Value::NotWin`] or [`Value::NotLoss`].
    pub proven: Value,
    /// Bounds on the payoff of [`player`](ProofReport::player); with
    /// [`ProofGoal::Score`](crate::ProofGoal::Score), on the payoff that this player can force for
    /// every outcome of chance.
    pub bounds: Bounds,
    /// Whether the value and the bounds hold against a coalition of all other players.
    pub paranoid: bool,
    /// A move that proves the last answer in favour of the side to move; `None` if no answer
    /// favours that side. In a lost position a prover recommends no move, whereas
    /// [`search`](crate::search()) does. If the value is unknown, a prover with proof numbers in
    /// its table returns the most promising move, which proves nothing.
    pub best_move: Option<G::Move>,
    /// A line of play that begins with `best_move` and proves the same answer.
    pub pv: Vec<G::Move>,
    /// The questions in the order in which they were asked.
    pub asked: Vec<Asked>,
    /// The work for all questions; `bytes` is the maximum over the questions.
    pub effort: Effort,
    /// The time that the search has taken.
    pub elapsed: Duration,
    /// The number of worker threads.
    pub threads: usize,
    /// Counts of events inside the provers, in all runs; `None` without the feature `counters`.
    pub counters: Option<Counters>,
}

clone_and_debug! { ProofReport:
    algorithm, goal, player, to_move, stop_reason, solved, proven, bounds, paranoid, best_move,
    pv, asked, effort, elapsed, threads, counters,
}

/// A move with the proof and disproof numbers of the position after it; `None` if they are unknown.
pub type MoveNumbers<M> = (M, Option<(u32, u32)>);

/// The proof and disproof numbers of the last question, from a prover that has such numbers. The
/// numbers estimate the remaining effort: 0 means that nothing remains, and 67,108,863, the
/// greatest number in a table, means that the proof or disproof is impossible.
#[non_exhaustive]
pub struct RootNumbers<G: Game> {
    /// The least number of positions that must be proven for the root to be proven.
    pub proof: u32,
    /// The least number of positions that must be disproven for the root to be disproven.
    pub disproof: u32,
    /// The legal moves, with both numbers of the position after each move.
    pub moves: Vec<MoveNumbers<G::Move>>,
}

clone_and_debug! { RootNumbers: proof, disproof, moves, }

impl<G: Game> ProofReport<G> {
    /// Returns the nodes per second, over all threads.
    pub fn nodes_per_second(&self) -> f64 {
        self.effort.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
