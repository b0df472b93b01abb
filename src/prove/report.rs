//! The report of a proof search.

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
    /// The question.
    pub question: Question,
    /// The answer; `None` if the search ended without one.
    pub verdict: Option<Verdict>,
    /// The prover that found the answer, if several worked on it.
    pub answered_by: Option<Algorithm>,
    /// The probability that the answer is yes, if the prover estimates it and there is no verdict.
    /// It proves nothing.
    pub estimate: Option<f64>,
    /// The work done for the question.
    pub effort: Effort,
    /// The time taken by the question.
    pub elapsed: Duration,
}

/// The results of a proof search so far.
#[non_exhaustive]
pub struct ProofReport<G: Game> {
    /// The prover.
    pub algorithm: Algorithm,
    /// The goal of the search.
    pub goal: ProofGoal,
    /// The player whose value and bounds are given.
    pub player: usize,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// The reason why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// The goal is reached.
    pub settled: bool,
    /// The value proven for [`player`](ProofReport::player). With chance, a win holds for every
    /// outcome of chance, and a result that the player cannot force is [`Value::NotWin`], since it
    /// may still happen by chance.
    pub proven: Value,
    /// Bounds on the payoff of the same player; with [`ProofGoal::Score`](crate::ProofGoal::Score)
    /// on the payoff that it can force for every outcome of chance.
    pub bounds: Bounds,
    /// Value and bounds are guarantees against a coalition of all other
    /// players.
    pub paranoid: bool,
    /// A move that shows the last answer in favour of the side to move. `None` if no answer favours
    /// it: in a lost position a prover shows that all moves lose, and recommends none. A
    /// [`search`](crate::search()) names one there too. While the value is unknown, a prover with
    /// proof numbers in its table names the most promising move, which proves nothing.
    pub best_move: Option<G::Move>,
    /// A line that shows the same answer, starting with the best move.
    pub pv: Vec<G::Move>,
    /// The questions in the order in which they were asked.
    pub asked: Vec<Asked>,
    /// The work for all questions together; the bytes are the maximum over the questions.
    pub effort: Effort,
    /// The time that the search has taken.
    pub elapsed: Duration,
    /// Worker threads.
    pub threads: usize,
    /// Counters of the provers' mechanisms in all runs; `None` without the feature `counters`.
    pub counters: Option<Counters>,
}

clone_and_debug! { ProofReport:
    algorithm, goal, player, to_move, stop_reason, settled, proven, bounds, paranoid, best_move,
    pv, asked, effort, elapsed, threads, counters,
}

/// A move, with the proof and the disproof number after it; `None` if unknown.
pub type MoveNumbers<M> = (M, Option<(u32, u32)>);

/// The proof and disproof numbers of the last question, from a prover with such numbers. They
/// estimate the remaining effort: 0 means done, and the greatest number of a table (67,108,863)
/// means impossible.
#[non_exhaustive]
pub struct RootNumbers<G: Game> {
    /// The least number of positions to be won until the root is proven.
    pub proof: u32,
    /// The least number of positions to be refuted until the root is disproven.
    pub disproof: u32,
    /// Both numbers after each legal move.
    pub moves: Vec<MoveNumbers<G::Move>>,
}

clone_and_debug! { RootNumbers: proof, disproof, moves, }

impl<G: Game> ProofReport<G> {
    /// Nodes per second of all threads together.
    pub fn nodes_per_second(&self) -> f64 {
        self.effort.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}
