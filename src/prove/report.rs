//! What a proof search answers.

use super::Effort;
use super::derive::clone_and_debug;
use super::question::{Question, Verdict};
use crate::bounds::{Bounds, Value};
use crate::game::Game;
use crate::settings::{Algorithm, ProofGoal, StopReason};
use crate::threads::Counters;
use std::time::Duration;

/// A question that was asked, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The answer; `None` when the search ended before there was one.
    pub verdict: Option<Verdict>,
    /// The prover that found the answer, where several were at it.
    pub answered_by: Option<Algorithm>,
    /// The probability that the answer is yes, where the prover estimates it
    /// and there is no verdict. It proves nothing.
    pub estimate: Option<f64>,
    /// What it has taken.
    pub effort: Effort,
    /// How long it has taken.
    pub elapsed: Duration,
}

/// What a proof search knows of its position.
#[non_exhaustive]
pub struct ProofReport<G: Game> {
    /// The prover.
    pub algorithm: Algorithm,
    /// What was to be found out.
    pub goal: ProofGoal,
    /// The player whom value and bounds are about.
    pub player: usize,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// Whether the goal is reached.
    pub settled: bool,
    /// What is proven for [`player`](ProofReport::player). Where dice are
    /// thrown, a win is one however they fall, and what the player cannot make
    /// sure of is [`Value::NotWin`], since they may still give it.
    pub value: Value,
    /// Bounds on the payoff of the same player; with
    /// [`ProofGoal::Score`](crate::ProofGoal::Score) on the payoff that it can make
    /// sure of, however dice fall.
    pub bounds: Bounds,
    /// Value and bounds are guarantees against a coalition of all other
    /// players.
    pub paranoid: bool,
    /// A move that shows the last answer in favour of the side to move. `None` where no
    /// answer favours it: in a lost position a prover shows that all moves lose, and has
    /// none to play. A [`search`](crate::search()) names one there too. While nothing is
    /// known of the value, a prover with proof numbers in its table names the move that
    /// looks best; nothing is claimed of it.
    pub best_move: Option<G::Move>,
    /// A line that shows the same answer, starting with the best move.
    pub pv: Vec<G::Move>,
    /// The questions in the order in which they were asked.
    pub asked: Vec<Asked>,
    /// What all questions have taken together; the bytes are the most that
    /// one of them has.
    pub effort: Effort,
    /// How long the search has taken.
    pub elapsed: Duration,
    /// Worker threads.
    pub threads: usize,
    /// What the provers' mechanisms did in all runs; `None` without the feature `counters`.
    pub counters: Option<Counters>,
}

clone_and_debug! { ProofReport:
    algorithm, goal, player, to_move, stop_reason, settled, value, bounds, paranoid, best_move,
    pv, asked, effort, elapsed, threads, counters,
}

/// A move, and the proof and the disproof number after it; `None` where nothing is known.
pub type MoveNumbers<M> = (M, Option<(u32, u32)>);

/// What it still takes to answer the question that was asked last, as a prover with proof
/// numbers sees it. They are estimates: 0 says that something is so, the greatest number of a
/// table (67,108,863) that it is not.
#[non_exhaustive]
pub struct RootNumbers<G: Game> {
    /// Positions to be won at least until the root is proven.
    pub proof: u32,
    /// Positions to be refuted at least until it is disproven.
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
