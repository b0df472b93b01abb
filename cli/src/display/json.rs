//! What `--json` prints: one object on one line for every position.
//!
//! The names of the fields are a promise to scripts, which the book's page on JSON
//! makes and a test holds us to. What is not known is `null`; an infinite proof
//! number is the string `"inf"`. Players are numbers counted from 0, which count in
//! `players`, the list of their names. Values, means and bounds are those of the
//! side to move, or of player 0 when the game is over or chance decides.

use proofwood::certificate::{Checked, CheckedClaim, Promise};
use proofwood::{
    Algorithm, Bounds, Config, Counters, Expected, Fixed, Goal, ProofNumber, ProverConfig,
    StopReason, Suited, Verdict,
};
use proofwood_any_game::{Answer, AskedAnswer, MoveAnswer, ProofAnswer, ShortestAnswer, View};
use serde::Serialize;
use std::collections::BTreeMap;

/// The answer of a search.
#[derive(Debug, Serialize)]
pub(crate) struct SearchJson<'a> {
    /// The line of a file of positions that this answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// What the file's column `id` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a str>,
    /// The game as it was asked for.
    pub(crate) game: &'a str,
    /// The position's text form; null where the game has none.
    position: Option<&'a str>,
    /// What the players are called.
    players: &'a [String],
    /// The player to move; null when the game is over and where chance decides.
    to_move: Option<usize>,
    /// The question: `outcome` or `score`.
    goal: &'static str,
    /// `settled`, `game-over`, `time`, `cpu-time`, `playouts`, `nodes`, `bytes`,
    /// `memory` or `cancelled`.
    stop_reason: Option<&'static str>,
    /// Whether the question is answered.
    pub(crate) settled: bool,
    /// `win`, `draw`, `loss`, `not-win`, `not-loss` or `unknown`.
    value: &'static str,
    /// Proven bounds on the payoff; with chance on the expected one, rounded
    /// outward to whole numbers.
    bounds: [Option<i32>; 2],
    /// Proven bounds on the expected payoff; null in games without chance.
    expected: Option<ExpectedJson>,
    /// The mean value of all playouts, −1 to 1.
    mean: Option<f64>,
    best_move: Option<&'a str>,
    pv: &'a [String],
    /// Moves of both sides until a proven win ends the game at the latest.
    ends_in: Option<u32>,
    /// Every player's proof number.
    proof_numbers: Vec<NumberJson>,
    /// Proof numbers are counted; otherwise one that is neither 0 nor infinite is null.
    counts_proof_numbers: bool,
    /// A proof number of the root is only a lower limit.
    saturated: bool,
    /// Values are guarantees against a coalition of all other players.
    paranoid: bool,
    /// Moves were left out because of such guarantees.
    paranoid_pruning: bool,
    playouts: u64,
    playouts_per_second: f64,
    nodes: u64,
    bytes: u64,
    seconds: f64,
    threads: usize,
    seed: u64,
    /// What the mechanisms of the search did, in a program built with `counters`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<CountersJson>,
    /// With `--audit on`: `"ok"`, or what is wrong with the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) audit: Option<String>,
    /// With `--certificate`: what was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<CertificateJson>,
    /// With `--shortest`: how soon the winner wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shortest: Option<ShortestJson<'a>>,
    moves: Vec<MoveJson<'a>>,
}

/// A certificate that was written and checked.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CertificateJson {
    pub(crate) file: String,
    /// Positions in it, each time one is listed.
    pub(crate) positions: u64,
    /// References to positions listed before.
    pub(crate) references: u64,
}

/// What is known of a move at the root.
#[derive(Debug, Serialize)]
struct MoveJson<'a> {
    #[serde(rename = "move")]
    mv: &'a str,
    /// How likely this outcome is; null for moves.
    probability: Option<f64>,
    visits: u64,
    /// What is proven of the outcome for who plays it: a word as for the position.
    value: &'static str,
    /// The mean value of the playouts through it for who plays it, −1 to 1.
    mean: Option<f64>,
    /// The evaluator's prior, a share of one; left out where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    bounds: [Option<i32>; 2],
    expected: Option<ExpectedJson>,
    proof_numbers: Vec<NumberJson>,
}

/// Bounds on an expected payoff.
#[derive(Debug, Serialize)]
struct ExpectedJson {
    lower: Option<f64>,
    upper: Option<f64>,
    /// The two are the same number, proven.
    exact: bool,
    /// All is known, and the two differ by rounding alone.
    rounded: bool,
}

impl ExpectedJson {
    fn new(expected: Expected) -> ExpectedJson {
        let end = |end: Option<Fixed>, above| end.map(|end| end.to_f64_outward(above));
        ExpectedJson {
            lower: end(expected.lower, false),
            upper: end(expected.upper, true),
            exact: expected.exact().is_some(),
            rounded: expected.rounded,
        }
    }
}

/// A proof number: a number, `"inf"`, or null where it is not counted.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum NumberJson {
    Finite(u32),
    Infinite(&'static str),
    NotCounted,
}

impl<'a> SearchJson<'a> {
    /// What a search of `game` from a position answers.
    pub(crate) fn new(
        game: &'a str,
        position: &'a str,
        config: &Config,
        answer: &'a Answer,
    ) -> SearchJson<'a> {
        SearchJson {
            line: None,
            id: None,
            game,
            position: Some(position).filter(|text| !text.is_empty()),
            players: &answer.players,
            to_move: answer.to_move,
            goal: goal_name(config.goal),
            stop_reason: answer.stop_reason.map(StopReason::name),
            settled: is_settled(answer, config.goal),
            value: answer.value.name(),
            bounds: ends(answer.bounds),
            expected: answer.expected.map(ExpectedJson::new),
            mean: answer.mean,
            best_move: answer.best_move.as_deref(),
            pv: &answer.pv,
            ends_in: answer.ends_in,
            proof_numbers: numbers(&answer.proof_numbers, answer.counts_proof_numbers),
            counts_proof_numbers: answer.counts_proof_numbers,
            saturated: answer.saturated,
            paranoid: answer.paranoid,
            paranoid_pruning: answer.paranoid_pruning,
            playouts: answer.playouts,
            playouts_per_second: answer.playouts_per_second,
            nodes: answer.nodes,
            bytes: answer.bytes,
            seconds: answer.elapsed.as_secs_f64(),
            threads: answer.threads,
            seed: config.seed,
            counters: answer.counters.as_ref().map(counters_json),
            audit: None,
            certificate: None,
            shortest: None,
            moves: answer
                .moves
                .iter()
                .map(|mv| MoveJson::new(mv, answer.counts_proof_numbers))
                .collect(),
        }
    }
}

impl MoveJson<'_> {
    fn new(known: &MoveAnswer, counts_proof_numbers: bool) -> MoveJson<'_> {
        MoveJson {
            mv: &known.text,
            probability: known.probability,
            visits: known.visits,
            value: known.proven.name(),
            mean: known.mean,
            prior: known.prior,
            bounds: ends(known.bounds),
            expected: known.expected.map(ExpectedJson::new),
            proof_numbers: numbers(&known.proof_numbers, counts_proof_numbers),
        }
    }
}

/// Whether the question is answered, whatever ended the search.
pub(crate) fn is_settled(answer: &Answer, goal: Goal) -> bool {
    let proven = match goal {
        Goal::Score => match answer.expected {
            Some(expected) => expected.is_final(),
            None => answer.bounds.exact().is_some(),
        },
        _ => answer.value.is_decided(),
    };
    proven || matches!(answer.stop_reason, Some(StopReason::Settled | StopReason::GameOver))
}

pub(crate) fn goal_name(goal: Goal) -> &'static str {
    match goal {
        Goal::Score => "score",
        _ => "outcome",
    }
}

fn ends(bounds: Bounds) -> [Option<i32>; 2] {
    [bounds.lower, bounds.upper]
}

fn numbers(numbers: &[ProofNumber], counted: bool) -> Vec<NumberJson> {
    let number = |n: &ProofNumber| match n.get() {
        None => NumberJson::Infinite("inf"),
        Some(number) if counted || number == 0 => NumberJson::Finite(number),
        Some(_) => NumberJson::NotCounted,
    };
    numbers.iter().map(number).collect()
}

/// The answer of a proof search. Value and bounds are those of `player`.
#[derive(Debug, Serialize)]
pub(crate) struct ProofJson<'a> {
    /// The line of a file of positions that this answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u64>,
    /// What the file's column `id` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a str>,
    game: &'a str,
    position: Option<&'a str>,
    players: &'a [String],
    to_move: Option<usize>,
    /// The prover's name.
    algorithm: &'static str,
    /// `outcome`, `win`, `draw-or-better` or `score`.
    goal: &'static str,
    /// The player whom value and bounds are about.
    player: usize,
    stop_reason: Option<&'static str>,
    settled: bool,
    value: &'static str,
    /// What the player can make sure of, and cannot make sure to exceed.
    bounds: [Option<i32>; 2],
    best_move: Option<&'a str>,
    pv: &'a [String],
    /// Values are guarantees against a coalition of all other players.
    paranoid: bool,
    /// What was asked, in order.
    questions: Vec<QuestionJson>,
    nodes: u64,
    expansions: u64,
    nodes_per_second: f64,
    bytes: u64,
    seconds: f64,
    threads: usize,
    seed: u64,
    /// What the provers' mechanisms did, in a program built with `counters`.
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<CountersJson>,
    /// With `--certificate`: what was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) certificate: Option<CertificateJson>,
    /// With `--shortest`: how soon the winner wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shortest: Option<ShortestJson<'a>>,
}

/// How soon a win can be forced.
#[derive(Debug, Serialize)]
pub(crate) struct ShortestJson<'a> {
    /// Who wins; null when nobody can force a win, or that is not settled.
    winner: Option<usize>,
    /// In how many moves of both sides together; null when a limit came first.
    moves: Option<u32>,
    /// It takes more moves than this.
    more_than: Option<u32>,
    /// Best play of both sides.
    line: &'a [String],
    nodes: u64,
}

impl<'a> ShortestJson<'a> {
    /// What was found, if somebody wins.
    pub(crate) fn new(found: Option<&'a ShortestAnswer>) -> ShortestJson<'a> {
        ShortestJson {
            winner: found.map(|found| found.winner),
            moves: found.and_then(|found| found.moves),
            more_than: found.map(|found| found.more_than),
            line: found.map_or(&[], |found| &found.line),
            nodes: found.map_or(0, |found| found.nodes),
        }
    }
}

/// Counts by their names.
type CountersJson = BTreeMap<&'static str, u64>;

fn counters_json(counters: &Counters) -> CountersJson {
    counters.iter().map(|(name, _, times)| (name, times)).collect()
}

/// A question: can `player` make sure of `at_least`?
#[derive(Debug, Serialize)]
struct QuestionJson {
    player: usize,
    at_least: i32,
    /// `proven`, `disproven` or null.
    answer: Option<&'static str>,
    /// For `auto`, with an answer: the prover that found it.
    #[serde(skip_serializing_if = "Option::is_none")]
    answered_by: Option<&'static str>,
    /// For algorithms that estimate, without an answer: the probability of a
    /// yes. It proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<f64>,
    nodes: u64,
    expansions: u64,
    seconds: f64,
}

impl<'a> ProofJson<'a> {
    /// What a proof search of `game` from a position answers.
    pub(crate) fn new(
        game: &'a str,
        position: &'a str,
        config: &ProverConfig,
        answer: &'a ProofAnswer,
    ) -> ProofJson<'a> {
        let questions = answer.asked.iter().map(|AskedAnswer { asked, .. }| QuestionJson {
            player: asked.question.player,
            at_least: asked.question.at_least,
            answer: asked.verdict.map(|verdict| match verdict {
                Verdict::Proven => "proven",
                Verdict::Disproven => "disproven",
            }),
            answered_by: asked.answered_by.map(Algorithm::name),
            estimate: asked.estimate,
            nodes: asked.effort.nodes,
            expansions: asked.effort.expansions,
            seconds: asked.elapsed.as_secs_f64(),
        });
        ProofJson {
            line: None,
            id: None,
            game,
            position: Some(position).filter(|text| !text.is_empty()),
            players: &answer.players,
            to_move: answer.to_move,
            algorithm: config.algorithm.name(),
            goal: answer.goal.name(),
            player: answer.player,
            stop_reason: answer.stop_reason.map(StopReason::name),
            settled: answer.settled,
            value: answer.value.name(),
            bounds: ends(answer.bounds),
            best_move: answer.best_move.as_deref(),
            pv: &answer.pv,
            paranoid: answer.paranoid,
            questions: questions.collect(),
            nodes: answer.nodes,
            expansions: answer.expansions,
            nodes_per_second: answer.nodes_per_second,
            bytes: answer.bytes,
            seconds: answer.elapsed.as_secs_f64(),
            threads: answer.threads,
            seed: config.seed,
            counters: answer.counters.as_ref().map(counters_json),
            certificate: None,
            shortest: None,
        }
    }
}

/// A line of a file of positions that could not be answered.
#[derive(Debug, Serialize)]
pub(crate) struct ErrorJson<'a> {
    pub(crate) line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<&'a str>,
    pub(crate) error: &'a str,
}

/// A position and the move that led to it.
#[derive(Debug, Serialize)]
pub(crate) struct PlyJson<'a> {
    game: &'a str,
    /// How many moves were played.
    ply: usize,
    /// The last of them; null before the first.
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    /// The text form; null where the game has none.
    position: Option<&'a str>,
    /// The drawing over several lines.
    board: &'a str,
    players: &'a [String],
    to_move: Option<usize>,
    legal_moves: &'a [String],
    /// How likely each of them is, where chance decides.
    probabilities: Option<&'a [f64]>,
    over: bool,
    payoffs: Option<&'a [i32]>,
}

impl<'a> PlyJson<'a> {
    /// The position after `ply` moves, the last of which was `mv`.
    pub(crate) fn new(game: &'a str, ply: usize, mv: Option<&'a str>, view: &'a View) -> Self {
        PlyJson {
            game,
            ply,
            mv,
            position: Some(view.text.as_str()).filter(|text| !text.is_empty()),
            board: &view.board,
            players: &view.players,
            to_move: view.to_move,
            legal_moves: &view.legal_moves,
            probabilities: view.probabilities.as_deref(),
            over: view.is_over(),
            payoffs: view.payoffs.as_deref(),
        }
    }
}

/// The count of move sequences from a position.
#[derive(Debug, Serialize)]
pub(crate) struct PerftJson<'a> {
    pub(crate) game: &'a str,
    pub(crate) position: Option<&'a str>,
    pub(crate) depth: u32,
    /// Sequences of exactly `depth` moves.
    pub(crate) nodes: u64,
    /// The same for every depth from 1.
    pub(crate) nodes_by_depth: &'a [u64],
    pub(crate) seconds: f64,
}

/// The values that options have in a game where nothing else is said.
#[derive(Debug, Serialize)]
pub(crate) struct RecommendedJson {
    pub(crate) c: f64,
    pub(crate) c_pn: f64,
    pub(crate) c_pn_fade: u64,
    pub(crate) expand_after: u64,
    pub(crate) playout_cap: u32,
    pub(crate) prover_share: f64,
}

impl RecommendedJson {
    /// Those of a game that recommends this, with the search's own values elsewhere.
    pub(crate) fn new(suited: Suited, players: usize) -> RecommendedJson {
        let usual_c_pn = if players > 2 { 0.0 } else { 0.1 };
        RecommendedJson {
            c: suited.c.unwrap_or(0.8),
            c_pn: suited.c_pn.unwrap_or(usual_c_pn),
            c_pn_fade: if suited.c_pn.is_none() && players <= 2 { 1000 } else { 0 },
            expand_after: suited.expand_after.unwrap_or(1),
            playout_cap: suited.playout_cap.unwrap_or(1000),
            prover_share: suited.prover_share.unwrap_or(0.0),
        }
    }
}

/// One of the games.
#[derive(Debug, Serialize)]
pub(crate) struct GameJson {
    pub(crate) name: &'static str,
    /// Other names that people use.
    pub(crate) also: &'static [&'static str],
    pub(crate) summary: &'static str,
    pub(crate) rules: &'static str,
    pub(crate) notation: &'static str,
    pub(crate) options: Vec<GameOptionJson>,
    /// A description with options.
    pub(crate) example: &'static str,
    /// All that follows is about this description: the name, or the example where
    /// the name alone is no game.
    pub(crate) game: String,
    pub(crate) players: Vec<String>,
    pub(crate) chance: bool,
    pub(crate) zero_sum: bool,
    /// The least and the greatest payoff of the first player.
    pub(crate) payoffs: [i32; 2],
    pub(crate) recommended: RecommendedJson,
    /// The start.
    pub(crate) start: String,
    /// A position after some moves.
    pub(crate) position: String,
}

/// An option of a game.
#[derive(Debug, Serialize)]
pub(crate) struct GameOptionJson {
    pub(crate) option: &'static str,
    pub(crate) meaning: &'static str,
}

/// What came of checking a certificate.
#[derive(Debug, Serialize)]
pub(crate) struct CheckJson<'a> {
    file: &'a str,
    /// Whether everything in it holds.
    accepted: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(flatten)]
    checked: Option<CheckedJson<'a>>,
}

/// What a certificate shows.
#[derive(Debug, Serialize)]
struct CheckedJson<'a> {
    game: &'a str,
    position: &'a str,
    players: &'a [String],
    claims: Vec<ClaimJson>,
    /// Bytes of the text before compression.
    bytes: u64,
    /// Bytes of memory that the check took, of those that --memory limits.
    memory: u64,
}

/// A claim that was shown.
#[derive(Debug, Serialize)]
struct ClaimJson {
    player: usize,
    /// The player can make sure of this.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<i32>,
    /// The others can hold the player below this.
    #[serde(skip_serializing_if = "Option::is_none")]
    below: Option<i32>,
    /// Or keep the player going round for ever.
    endless: bool,
    positions: u64,
    references: u64,
}

impl<'a> CheckJson<'a> {
    /// What came of a file: what it shows, or why it was not accepted.
    pub(crate) fn new(
        file: &'a str,
        checked: Option<(&'a Checked, &'a [String])>,
        reason: Option<&'a str>,
    ) -> CheckJson<'a> {
        let checked = checked.map(|(checked, players)| CheckedJson {
            game: &checked.game,
            position: &checked.position,
            players,
            claims: checked.claims.iter().map(ClaimJson::new).collect(),
            bytes: checked.bytes,
            memory: checked.memory,
        });
        CheckJson { file, accepted: checked.is_some(), reason, checked }
    }
}

impl ClaimJson {
    fn new(checked: &CheckedClaim) -> ClaimJson {
        let (at_least, below) = match checked.claim.promise {
            Promise::AtLeast(payoff) => (Some(payoff), None),
            Promise::Below(payoff) => (None, Some(payoff)),
        };
        ClaimJson {
            player: checked.claim.player,
            at_least,
            below,
            endless: checked.endless,
            positions: checked.positions,
            references: checked.references,
        }
    }
}
