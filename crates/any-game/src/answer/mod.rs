//! Answers of positions, searches and proofs, with moves as text.
//!
//! The program's `--json` output, the Python package, the page and messages between machines are
//! written from these types, so all of them share the names of their fields. The book's page on
//! JSON lists the names with their meanings. Unknown values are null. Players are numbers from 0,
//! indices into `players`.

mod write;

use proofwood::certificate::{Checked, CheckedClaim, Promise};
use proofwood::internals::Counters;
use proofwood::options::Source;
use proofwood::{
    Algorithm, Bounds, Expected, Goal, Outcome, ProofGoal, ProofNumber, SettingInForce, StopReason,
    Value, Verdict,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::time::Duration;

/// A position, described by its text form, its drawing and its legal moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The text form on one line; empty, and null in JSON, if the game has none.
    #[serde(rename = "position", serialize_with = "write::text")]
    pub text: String,
    /// The drawing for human readers, over several lines.
    pub board: String,
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// The legal moves, or the possible outcomes of chance.
    pub legal_moves: Vec<String>,
    /// The probability of each outcome, at a chance node.
    pub probabilities: Option<Vec<f64>>,
    /// The players' payoffs, when the game is over.
    pub payoffs: Option<Vec<i32>>,
}

impl View {
    /// Returns whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.payoffs.is_some()
    }
}

/// An answer with its game and position.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Answered<'a> {
    /// The game's description.
    pub game: &'a str,
    /// The position's text form; empty, and null in JSON, if the game has none.
    #[serde(serialize_with = "write::text")]
    pub position: &'a str,
    /// The answer.
    #[serde(flatten)]
    pub answer: AnyAnswer<'a>,
}

/// The answer of a search or of a prover.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum AnyAnswer<'a> {
    /// The answer of a search.
    Played(&'a Answer),
    /// The answer of a prover.
    Proven(&'a ProofAnswer),
}

impl<'a> From<&'a Answer> for AnyAnswer<'a> {
    fn from(answer: &'a Answer) -> AnyAnswer<'a> {
        AnyAnswer::Played(answer)
    }
}

impl<'a> From<&'a ProofAnswer> for AnyAnswer<'a> {
    fn from(answer: &'a ProofAnswer) -> AnyAnswer<'a> {
        AnyAnswer::Proven(answer)
    }
}

/// The answer of a search: its [`Report`](proofwood::Report) with moves as text.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// The question.
    #[serde(serialize_with = "write::named")]
    pub goal: Goal,
    /// The reason why the search ended; `None` while it runs.
    #[serde(serialize_with = "write::named")]
    pub stop_reason: Option<StopReason>,
    /// The question is answered, whatever ended the search.
    pub settled: bool,
    /// The proven outcome for the player to move.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Proven bounds on the payoff.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// Proven bounds on the expected payoff, in games with chance.
    #[serde(serialize_with = "write::expected")]
    pub expected: Option<Expected>,
    /// Mean value of all playouts, −1 to 1, clamped to the proven bounds.
    pub mean: Option<f64>,
    /// The move to play.
    pub best_move: Option<String>,
    /// The line of best play, as far as it is known.
    pub pv: Vec<String>,
    /// The number of moves of both sides until a proven win ends the game at the latest, by the
    /// proof in the tree.
    pub ends_in: Option<u32>,
    /// The players' proof numbers.
    pub proof_numbers: ProofNumbers,
    /// Proof numbers are counted. Otherwise each is 0, 1 or infinite.
    pub counts_proof_numbers: bool,
    /// A proof number has reached its greatest finite value.
    pub saturated: bool,
    /// Proofs hold against a coalition of all other players.
    pub paranoid: bool,
    /// Such proofs excluded moves from the search.
    pub paranoid_pruning: bool,
    /// Playouts of this search, without those of earlier searches of the tree.
    pub playouts: u64,
    /// Playouts per second of this search.
    pub playouts_per_second: f64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Bytes of the tree.
    pub bytes: u64,
    /// The time taken by the search.
    #[serde(rename = "seconds", serialize_with = "write::seconds")]
    pub elapsed: Duration,
    /// The number of threads.
    pub threads: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The settings in force, by the names of the options; empty while the search runs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<&'static str, Setting>,
    /// Counts of the search's mechanisms; `None` without the feature `counters`.
    #[serde(serialize_with = "write::counters", skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// Each move at the root, in the order of the rules.
    pub moves: Vec<MoveAnswer>,
}

/// A setting in force.
#[derive(Clone, Debug, Serialize)]
pub struct Setting {
    /// The value, as the command line takes it.
    pub value: String,
    /// Its origin: the user, the game or the default.
    #[serde(serialize_with = "write::named")]
    pub source: Source,
}

/// The settings in force of a search that has ended; none while it runs.
pub(crate) fn settings(
    in_force: &[SettingInForce],
    ended: Option<StopReason>,
) -> BTreeMap<&'static str, Setting> {
    let settings = in_force.iter().filter(|_| ended.is_some());
    settings.map(|s| (s.name, Setting { value: s.value.clone(), source: s.source })).collect()
}

/// A move at the root of a search. Values are those of the side that plays it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move as the game writes it.
    #[serde(rename = "move")]
    pub text: String,
    /// Its probability, at a chance node.
    pub probability: Option<f64>,
    /// Playouts through this move.
    pub visits: u64,
    /// The proven outcome.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Mean value of these playouts, −1 to 1, clamped to the proven bounds.
    pub mean: Option<f64>,
    /// The evaluator's prior, from 0 to 1, if it has any.
    pub prior: Option<f64>,
    /// Proven bounds on the payoff.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// Proven bounds on the expected payoff, in games with chance.
    #[serde(serialize_with = "write::expected")]
    pub expected: Option<Expected>,
    /// The players' proof numbers.
    pub proof_numbers: ProofNumbers,
    /// The line of play that begins with this move; filled for the page alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// A position in the tree of a search with its subtree: a
/// [`NodeView`](proofwood::inspect::NodeView) with moves as text. Values are those of the side that
/// plays the move.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The move, or the outcome of chance, that leads here; `None` at the tree's root.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// Playouts through this node.
    pub visits: u64,
    /// The mean value of these playouts.
    pub mean: Option<f64>,
    /// The proven outcome.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Proven bounds on the payoff.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// Proven bounds on the expected payoff, in games with chance.
    #[serde(serialize_with = "write::expected")]
    pub expected: Option<Expected>,
    /// The players' proof numbers.
    pub proof_numbers: ProofNumbers,
    /// The children with the most visits, in that order.
    pub children: Vec<Branch>,
    /// The number of omitted children.
    pub more: usize,
}

/// The players' proof numbers, first player first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    numbers: Vec<ProofNumber>,
    /// Proof numbers are counted; otherwise one that is neither 0 nor infinite is written as null.
    counted: bool,
}

impl ProofNumbers {
    pub(crate) fn new(numbers: Vec<ProofNumber>, counted: bool) -> ProofNumbers {
        ProofNumbers { numbers, counted }
    }
}

impl Deref for ProofNumbers {
    type Target = [ProofNumber];

    fn deref(&self) -> &[ProofNumber] {
        &self.numbers
    }
}

/// The answer of a proof search: its [`ProofReport`](proofwood::ProofReport) with moves as text.
#[derive(Clone, Debug, Serialize)]
pub struct ProofAnswer {
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` for chance and when the game is over.
    pub to_move: Option<usize>,
    /// The prover.
    #[serde(serialize_with = "write::named")]
    pub algorithm: Algorithm,
    /// The question.
    #[serde(serialize_with = "write::named")]
    pub goal: ProofGoal,
    /// The player whose value and bounds are given.
    pub player: usize,
    /// The reason why the search ended; `None` while it runs.
    #[serde(serialize_with = "write::named")]
    pub stop_reason: Option<StopReason>,
    /// The question is answered.
    pub settled: bool,
    /// The proven outcome for `player`.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Proven bounds on the payoff of `player`.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// The move to play.
    pub best_move: Option<String>,
    /// The line of best play, as far as it is known.
    pub pv: Vec<String>,
    /// Proofs hold against a coalition of all other players.
    pub paranoid: bool,
    /// The questions and their answers, in order.
    pub questions: Vec<QuestionAnswer>,
    /// Nodes of all questions.
    pub nodes: u64,
    /// Positions whose moves were listed.
    pub expansions: u64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// Bytes of tables and trees.
    pub bytes: u64,
    /// The time taken by the search.
    #[serde(rename = "seconds", serialize_with = "write::seconds")]
    pub elapsed: Duration,
    /// The number of threads.
    pub threads: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Counts of the provers' mechanisms; `None` without the feature `counters`.
    #[serde(serialize_with = "write::counters", skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
}

/// A question and its answer: can `player` force `at_least`?
#[derive(Clone, Copy, Debug, Serialize)]
pub struct QuestionAnswer {
    /// The claimant, from 0.
    pub player: usize,
    /// The least payoff for which the answer is yes.
    pub at_least: i32,
    /// The outcome of this payoff for the player.
    #[serde(skip)]
    pub outcome: Outcome,
    /// The answer; `None` for an open question.
    #[serde(rename = "answer", serialize_with = "write::named")]
    pub verdict: Option<Verdict>,
    /// For `auto`, with an answer: the prover that found it.
    #[serde(serialize_with = "write::named")]
    pub answered_by: Option<Algorithm>,
    /// For algorithms that estimate, without an answer: the probability of a yes. It proves
    /// nothing.
    pub estimate: Option<f64>,
    /// Nodes of the search.
    pub nodes: u64,
    /// Positions whose moves were listed.
    pub expansions: u64,
    /// The time taken.
    #[serde(rename = "seconds", serialize_with = "write::seconds")]
    pub elapsed: Duration,
}

/// The proof and disproof numbers of a question: its
/// [`RootNumbers`](proofwood::prover::RootNumbers) with moves as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumbersAnswer {
    /// The least number of positions to be won until the root is proven.
    pub proof: u32,
    /// The least number of positions to be refuted until the root is disproven.
    pub disproof: u32,
    /// Both numbers after each legal move; `None` if unknown.
    pub moves: Vec<(String, Option<(u32, u32)>)>,
}

/// The shortest win of a player: its [`ShortestWin`](proofwood::prover::ShortestWin) with moves as
/// text.
#[derive(Clone, Debug, Serialize)]
pub struct ShortestAnswer {
    /// The player who wins.
    pub winner: usize,
    /// The number of moves of both sides together; `None` if a limit came first.
    pub moves: Option<u32>,
    /// A proven lower bound: the win takes more moves than this.
    pub more_than: u32,
    /// Best play of both sides.
    pub pv: Vec<String>,
    /// Nodes of the search.
    pub nodes: u64,
    /// The reason why the search ended without an answer.
    #[serde(serialize_with = "write::named")]
    pub stop_reason: Option<StopReason>,
}

/// The content of a checked certificate: [`Checked`] with the players' names.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedAnswer {
    /// The game's description.
    pub game: String,
    /// The position that the certificate is about.
    pub position: String,
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The claims that were shown.
    pub claims: Vec<ClaimAnswer>,
    /// Bytes of the text before compression.
    pub bytes: u64,
    /// Bytes of memory that the check took.
    pub memory: u64,
}

impl CheckedAnswer {
    /// The content of a certificate about a game with these players.
    pub fn new(checked: &Checked, players: &[String]) -> CheckedAnswer {
        CheckedAnswer {
            game: checked.game.clone(),
            position: checked.position.clone(),
            players: players.to_vec(),
            claims: checked.claims.iter().map(ClaimAnswer::from).collect(),
            bytes: checked.bytes,
            memory: checked.memory,
        }
    }
}

/// A proven claim.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimAnswer {
    /// The player whose payoff it bounds.
    pub player: usize,
    /// The player can force at least this payoff.
    pub at_least: Option<i32>,
    /// Alternatively, the others can hold the player below this payoff.
    pub below: Option<i32>,
    /// The claim holds by endless play.
    pub endless: bool,
    /// Positions in the proof.
    pub positions: u64,
    /// References to earlier positions.
    pub references: u64,
}

impl From<&CheckedClaim> for ClaimAnswer {
    fn from(checked: &CheckedClaim) -> ClaimAnswer {
        let (at_least, below) = match checked.claim.promise {
            Promise::AtLeast(payoff) => (Some(payoff), None),
            Promise::Below(payoff) => (None, Some(payoff)),
        };
        ClaimAnswer {
            player: checked.claim.player,
            at_least,
            below,
            endless: checked.endless,
            positions: checked.positions,
            references: checked.references,
        }
    }
}
