//! What a position, a search and a proof have to say, as text and plain numbers.

use proofwood::{
    Asked, Bounds, Counters, Expected, Outcome, ProofGoal, ProofNumber, StopReason, Value,
};
use std::time::Duration;

/// What there is to see of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The text form on one line; empty where the game has none.
    pub text: String,
    /// The drawing for people, over several lines.
    pub board: String,
    /// What each player is called, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// The legal moves, or the possible outcomes of chance.
    pub legal_moves: Vec<String>,
    /// How likely each outcome is, where chance decides.
    pub probabilities: Option<Vec<f64>>,
    /// What the players receive, when the game is over.
    pub payoffs: Option<Vec<i32>>,
}

impl View {
    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.payoffs.is_some()
    }
}

/// What a search answers: its [`Report`] with moves as text.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What each player is called, first player first.
    pub players: Vec<String>,
    /// Whose turn it is; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// What is proven of the outcome for the player.
    pub value: Value,
    /// What is proven of the payoff.
    pub bounds: Bounds,
    /// What is proven of the expected payoff, in games with chance.
    pub expected: Option<Expected>,
    /// Mean value of all playouts, −1 to 1, held to what is proven.
    pub mean: Option<f64>,
    /// The players' proof numbers, first player first.
    pub proof_numbers: Vec<ProofNumber>,
    /// Whether proofs hold against a coalition of all others.
    pub paranoid: bool,
    /// Whether such proofs kept moves from being searched.
    pub paranoid_pruning: bool,
    /// Whether a proof number has reached its largest finite value.
    pub saturated: bool,
    /// Proof numbers are counted. Where they are not, one is 0, 1 or infinite.
    pub counts_proof_numbers: bool,
    /// The move to play.
    pub best_move: Option<String>,
    /// The line of best play, as far as it is known.
    pub pv: Vec<String>,
    /// Moves of both sides until a proven win ends the game at the latest, as far as the
    /// tree tells.
    pub ends_in: Option<u32>,
    /// What is known of every move.
    pub moves: Vec<MoveAnswer>,
    /// Playouts of this search; those of earlier searches of the tree are left out.
    pub playouts: u64,
    /// Playouts a second of this search.
    pub playouts_per_second: f64,
    /// Nodes.
    pub nodes: u64,
    /// Bytes that they take.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// On how many threads.
    pub threads: usize,
    /// What the mechanisms of the search did; `None` without the feature `counters`.
    pub counters: Option<Counters>,
}

/// What a search knows of one move at the root.
#[derive(Clone, Debug)]
pub struct MoveAnswer {
    /// The move as the game writes it.
    pub text: String,
    /// Playouts through it.
    pub visits: u64,
    /// Mean value of these playouts for the side that plays it, −1 to 1, held to what is
    /// proven of the move.
    pub mean: Option<f64>,
    /// The evaluator's prior, a share of one, where it has any.
    pub prior: Option<f64>,
    /// What is proven of the payoff.
    pub bounds: Bounds,
    /// What is proven of the expected payoff, in games with chance.
    pub expected: Option<Expected>,
    /// How likely it is, where chance decides.
    pub probability: Option<f64>,
    /// The players' proof numbers, first player first.
    pub proof_numbers: Vec<ProofNumber>,
    /// What is proven of the outcome after it for the side that plays it.
    pub proven: Value,
}

/// What a search's tree knows of a position and of those below it: what
/// [`NodeView`](proofwood::NodeView) tells, with moves as text.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The move, or the outcome of chance, that leads here; `None` at the tree's root.
    pub text: Option<String>,
    /// Playouts that have passed.
    pub visits: u64,
    /// Their mean value, for who plays the move.
    pub mean: Option<f64>,
    /// What is proven of the outcome for who plays the move.
    pub value: Value,
    /// What is proven of the payoff for who plays the move.
    pub bounds: Bounds,
    /// What is proven of the expected payoff for who plays the move, in games with chance.
    pub expected: Option<Expected>,
    /// The players' proof numbers, first player first.
    pub proof_numbers: Vec<ProofNumber>,
    /// Those with the most visits first.
    pub children: Vec<Branch>,
    /// How many children are not among them.
    pub more: usize,
}

/// What a proof search answers: its [`ProofReport`] with moves as text.
#[derive(Clone, Debug)]
pub struct ProofAnswer {
    /// For whom the questions were asked.
    pub player: usize,
    /// What each player is called, first player first.
    pub players: Vec<String>,
    /// Whose turn it is; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// What was to be found out.
    pub goal: ProofGoal,
    /// Why the search ended; `None` while it runs.
    pub stop_reason: Option<StopReason>,
    /// Whether it was.
    pub settled: bool,
    /// What is proven of the outcome for the player.
    pub value: Value,
    /// What is proven of the payoff.
    pub bounds: Bounds,
    /// Whether proofs hold against a coalition of all others.
    pub paranoid: bool,
    /// The move to play.
    pub best_move: Option<String>,
    /// The line of best play, as far as it is known.
    pub pv: Vec<String>,
    /// The questions and their answers.
    pub asked: Vec<AskedAnswer>,
    /// Nodes.
    pub nodes: u64,
    /// Positions whose moves were listed.
    pub expansions: u64,
    /// Nodes a second.
    pub nodes_per_second: f64,
    /// Bytes that they take.
    pub bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// On how many threads.
    pub threads: usize,
    /// What the provers' mechanisms did; `None` without the feature `counters`.
    pub counters: Option<Counters>,
}

/// A question and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct AskedAnswer {
    /// The question.
    pub asked: Asked,
    /// What the payoff that was asked for means to the player.
    pub outcome: Outcome,
}

/// What it still takes to answer a question: its [`RootNumbers`](proofwood::RootNumbers) with
/// moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumbersAnswer {
    /// Positions to be won at least until the root is proven.
    pub proof: u32,
    /// Positions to be refuted at least until it is disproven.
    pub disproof: u32,
    /// Both numbers after each legal move; `None` where nothing is known.
    pub moves: Vec<(String, Option<(u32, u32)>)>,
}

/// How soon a player can force a win: its [`ShortestWin`](proofwood::ShortestWin) with moves as
/// text.
#[derive(Clone, Debug)]
pub struct ShortestAnswer {
    /// The player who wins.
    pub winner: usize,
    /// In how many moves of both sides together; `None` where a limit came first.
    pub moves: Option<u32>,
    /// It takes more moves than this, as far as is proven.
    pub more_than: u32,
    /// Best play of both sides.
    pub line: Vec<String>,
    /// Nodes.
    pub nodes: u64,
    /// Why it ended without an answer.
    pub stop_reason: Option<StopReason>,
}
