//! Answers about positions, searches and proofs, with moves as text.
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
    /// The text form, on one line; empty, and null in JSON, if the game has none.
    #[serde(rename = "position", serialize_with = "write::text")]
    pub text: String,
    /// The drawing for human readers, several lines long.
    pub board: String,
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` if chance decides or the game is over.
    pub to_move: Option<usize>,
    /// The legal moves, or the possible outcomes if chance decides.
    pub legal_moves: Vec<String>,
    /// The probability of each outcome, in the order of `legal_moves`, if chance decides; otherwise
    /// `None`.
    pub probabilities: Option<Vec<f64>>,
    /// Each player's payoff if the game is over; otherwise `None`.
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
    /// The answer of the search or the prover.
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

/// The answer of a search: its [`Report`](proofwood::Report) with moves as text. Values are from
/// the point of view of the player to move, or of player 0 if chance decides or the game is over.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The players' names, first player first.
    pub players: Vec<String>,
    /// The player to move; `None` if chance decides or the game is over.
    pub to_move: Option<usize>,
    /// The goal of the search: who wins (`outcome`) or the exact payoff (`score`).
    #[serde(serialize_with = "write::named")]
    pub goal: Goal,
    /// The reason why the search ended; `None` while it runs.
    #[serde(serialize_with = "write::named")]
    pub stop_reason: Option<StopReason>,
    /// Whether the goal has been reached, regardless of the reason why the search ended.
    pub solved: bool,
    /// The proven outcome for the player to move.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Proven bounds on the payoff of the player to move, the lower one first; `None` for an
    /// unknown bound.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// Proven bounds on the expected payoff of the player to move; `None` in games without chance.
    #[serde(serialize_with = "write::expected")]
    pub expected: Option<Expected>,
    /// The mean value of all playouts for the player to move, from −1 to 1, limited to the proven
    /// range; `None` before the first playout.
    pub mean: Option<f64>,
    /// The move to play; `None` if chance decides or the game is over.
    pub best_move: Option<String>,
    /// The expected line of play, beginning with the best move.
    pub pv: Vec<String>,
    /// If a win is proven, the greatest number of moves of both sides until the game is over,
    /// according to the proof in the tree; otherwise `None`.
    pub ends_in: Option<u32>,
    /// The players' proof numbers, first player first; `None` for a number that is not counted.
    pub proof_numbers: ProofNumbers,
    /// Whether proof numbers are counted; if not, each is 0, 1 or infinite, and a 1 is null in
    /// JSON.
    pub counts_proof_numbers: bool,
    /// Whether a proof number of the position has reached the greatest finite number.
    pub saturated: bool,
    /// Whether proven values hold against a coalition of all other players.
    pub paranoid: bool,
    /// Whether the search skipped moves because a proof against a coalition made them superfluous.
    pub paranoid_pruning: bool,
    /// The number of playouts of this search, without those of earlier searches of the same tree.
    pub playouts: u64,
    /// Playouts per second of this search.
    pub playouts_per_second: f64,
    /// The number of nodes in the tree.
    pub nodes: u64,
    /// The size of the tree's nodes in bytes.
    pub bytes: u64,
    /// The time taken by the search.
    #[serde(rename = "seconds", serialize_with = "write::seconds")]
    pub elapsed: Duration,
    /// The number of worker threads.
    pub threads: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The settings in force, by the names of their options; empty, and missing in JSON, while the
    /// search runs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<&'static str, Setting>,
    /// Counts of events inside the search, by name; only in a program built with the feature
    /// `counters`.
    #[serde(serialize_with = "write::counters", skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
    /// The legal moves in the order of the rules, or the outcomes if chance decides.
    pub moves: Vec<MoveAnswer>,
}

/// A setting of a search and its origin.
#[derive(Clone, Debug, Serialize)]
pub struct Setting {
    /// The value, in the form that the command line accepts.
    pub value: String,
    /// The origin of the value: given by the user, recommended by the game, or the default.
    #[serde(serialize_with = "write::named")]
    pub source: Source,
}

/// Returns the settings that were in force in a search that has ended; none while it runs.
pub(crate) fn settings(
    in_force: &[SettingInForce],
    ended: Option<StopReason>,
) -> BTreeMap<&'static str, Setting> {
    let settings = in_force.iter().filter(|_| ended.is_some());
    settings.map(|s| (s.name, Setting { value: s.value.clone(), source: s.source })).collect()
}

/// A move at the root of a search. Values are from the point of view of the side that plays it.
#[derive(Clone, Debug, Serialize)]
pub struct MoveAnswer {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub text: String,
    /// The probability of this outcome if chance decides; otherwise `None`.
    pub probability: Option<f64>,
    /// The number of playouts through this move.
    pub visits: u64,
    /// The proven outcome.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// The mean value of these playouts, from −1 to 1, limited to the proven range; `None` before
    /// the first one.
    pub mean: Option<f64>,
    /// The evaluator's prior, from 0 to 1; `None` without priors.
    pub prior: Option<f64>,
    /// Proven bounds on the payoff, the lower one first; `None` for an unknown bound.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// Proven bounds on the expected payoff; `None` in games without chance.
    #[serde(serialize_with = "write::expected")]
    pub expected: Option<Expected>,
    /// The players' proof numbers after the move, first player first; `None` for a number that is
    /// not counted.
    pub proof_numbers: ProofNumbers,
    /// The expected line of play that begins with this move; only the explorer's page receives it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv: Vec<String>,
}

/// A position in the tree of a search with its subtree: a
/// [`NodeView`](proofwood::inspect::NodeView) with moves as text. Values are from the point of view
/// of the side that plays the move.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The move, or the outcome of chance, that leads here; `None` at the tree's root.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// The number of playouts through this node.
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
    /// The most visited children, in descending order of visits.
    pub children: Vec<Branch>,
    /// The number of omitted children.
    pub more: usize,
}

/// The players' proof numbers, first player first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    numbers: Vec<ProofNumber>,
    /// Whether proof numbers are counted; if not, numbers other than 0 and infinity become null.
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
    /// The player to move; `None` if chance decides or the game is over.
    pub to_move: Option<usize>,
    /// The name of the prover.
    #[serde(serialize_with = "write::named")]
    pub algorithm: Algorithm,
    /// The goal of the search.
    #[serde(serialize_with = "write::named")]
    pub goal: ProofGoal,
    /// The player to whom `proven` and `bounds` apply.
    pub player: usize,
    /// The reason why the search ended; `None` while it runs.
    #[serde(serialize_with = "write::named")]
    pub stop_reason: Option<StopReason>,
    /// Whether the goal has been reached.
    pub solved: bool,
    /// The proven outcome for `player`.
    #[serde(serialize_with = "write::named")]
    pub proven: Value,
    /// Proven bounds on the payoff of `player`, the lower one first; `None` for an unknown bound.
    #[serde(serialize_with = "write::bounds")]
    pub bounds: Bounds,
    /// The move to play; `None` if no answer favours the side to move.
    pub best_move: Option<String>,
    /// A line of play that begins with the best move.
    pub pv: Vec<String>,
    /// Whether proven values hold against a coalition of all other players.
    pub paranoid: bool,
    /// The questions and their answers, in the order in which they were asked.
    pub questions: Vec<QuestionAnswer>,
    /// The number of nodes, over all questions.
    pub nodes: u64,
    /// The number of positions whose moves were generated, over all questions.
    pub expansions: u64,
    /// Nodes per second, over all threads.
    pub nodes_per_second: f64,
    /// The size of tables and trees in bytes, for the question that needed most.
    pub bytes: u64,
    /// The time taken by the search.
    #[serde(rename = "seconds", serialize_with = "write::seconds")]
    pub elapsed: Duration,
    /// The number of worker threads.
    pub threads: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Counts of events inside the provers, by name; only in a program built with the feature
    /// `counters`.
    #[serde(serialize_with = "write::counters", skip_serializing_if = "Option::is_none")]
    pub counters: Option<Counters>,
}

/// A question and its answer: can `player` force a payoff of `at_least`?
#[derive(Clone, Copy, Debug, Serialize)]
pub struct QuestionAnswer {
    /// The player whom the question is about, counted from 0.
    pub player: usize,
    /// The payoff that the question is about: the answer is yes if the player can force at least
    /// this.
    pub at_least: i32,
    /// The outcome that this payoff means for the player.
    #[serde(skip)]
    pub outcome: Outcome,
    /// The answer: `proven` is a yes, `disproven` a no; `None` if the search ended without one.
    #[serde(rename = "answer", serialize_with = "write::named")]
    pub verdict: Option<Verdict>,
    /// The prover that found the answer, if the algorithm `auto` chose it; otherwise `None`.
    #[serde(serialize_with = "write::named")]
    pub answered_by: Option<Algorithm>,
    /// The estimated probability of a yes, from 0 to 1, which proves nothing; `None` if there is an
    /// answer or the prover makes no estimates.
    pub estimate: Option<f64>,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of positions whose moves were generated.
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
    /// The least number of positions that must be won to prove the root.
    pub proof: u32,
    /// The least number of positions that must be refuted to disprove the root.
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
    /// The number of moves of both sides together; `None` if a limit ended the search first.
    pub moves: Option<u32>,
    /// A proven lower bound: the win takes more moves than this number.
    pub more_than: u32,
    /// The best line of play of both sides.
    pub pv: Vec<String>,
    /// The number of nodes of the search.
    pub nodes: u64,
    /// The reason why the search ended without an answer; `None` if it found one.
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
    /// The proven claims.
    pub claims: Vec<ClaimAnswer>,
    /// The size of the text in bytes, before compression.
    pub bytes: u64,
    /// The memory that the check took, in bytes.
    pub memory: u64,
}

impl CheckedAnswer {
    /// Creates the answer about a checked certificate for a game with these players.
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

/// A proven claim, with either `at_least` or `below`.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimAnswer {
    /// The player whose payoff the claim bounds.
    pub player: usize,
    /// The least payoff that the player can force; `None` in the other kind of claim.
    pub at_least: Option<i32>,
    /// The payoff below which the others can hold the player; `None` in the other kind of claim.
    pub below: Option<i32>,
    /// Whether the proof relies on endless play at some position.
    pub endless: bool,
    /// The number of positions listed in the proof.
    pub positions: u64,
    /// The number of references to positions that are listed earlier.
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
