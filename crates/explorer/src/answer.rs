//! What searches and provers answer, in the fields of the messages.

use proofwood::{Algorithm, Bounds, Expected, ProofNumber, StopReason};
use proofwood_any_game::{Answer, Branch, MoveAnswer, ProofAnswer};
use serde::Serialize;
use serde_json::Value;

/// What a search has found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SearchJson {
    pub(crate) playouts: u64,
    /// Of this request, beside those of the tree.
    pub(crate) seconds: f64,
    /// Playouts a second.
    pub(crate) rate: f64,
    pub(crate) nodes: u64,
    /// Bytes of the tree.
    pub(crate) memory: u64,
    pub(crate) to_move: Option<usize>,
    pub(crate) value: &'static str,
    pub(crate) mean: Option<f64>,
    pub(crate) bounds: [Option<i32>; 2],
    pub(crate) expected: Option<[Option<f64>; 2]>,
    pub(crate) proof_numbers: Vec<Value>,
    /// Values are guarantees against all other players together.
    pub(crate) paranoid: bool,
    pub(crate) best_move: Option<String>,
    pub(crate) line: Vec<String>,
    /// Moves until a proven win ends the game at the latest.
    pub(crate) ends_in: Option<u32>,
    pub(crate) stop_reason: Option<&'static str>,
    pub(crate) settled: bool,
    pub(crate) moves: Vec<MoveJson>,
}

/// What is known of a move.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MoveJson {
    #[serde(rename = "move")]
    text: String,
    visits: u64,
    mean: Option<f64>,
    value: &'static str,
    bounds: [Option<i32>; 2],
    expected: Option<[Option<f64>; 2]>,
    probability: Option<f64>,
    proof_numbers: Vec<Value>,
    line: Vec<String>,
}

impl SearchJson {
    /// An answer; `line` tells how play goes on after a move.
    pub(crate) fn new(answer: Answer, line: impl Fn(&str) -> Vec<String>) -> SearchJson {
        let moves = answer.moves.into_iter().map(|known| MoveJson::new(known, &line)).collect();
        SearchJson {
            playouts: answer.playouts,
            seconds: answer.elapsed.as_secs_f64(),
            rate: answer.playouts_per_second,
            nodes: answer.nodes,
            memory: answer.bytes,
            to_move: answer.to_move,
            value: answer.value.name(),
            mean: answer.mean,
            bounds: ends(answer.bounds),
            expected: answer.expected.map(expected),
            proof_numbers: numbers(&answer.proof_numbers),
            paranoid: answer.paranoid,
            best_move: answer.best_move,
            line: answer.pv,
            ends_in: answer.ends_in,
            stop_reason: None,
            settled: false,
            moves,
        }
    }
}

impl MoveJson {
    fn new(known: MoveAnswer, line: impl Fn(&str) -> Vec<String>) -> MoveJson {
        MoveJson {
            line: line(&known.text),
            visits: known.visits,
            mean: known.mean,
            value: known.proven.name(),
            bounds: ends(known.bounds),
            expected: known.expected.map(expected),
            probability: known.probability,
            proof_numbers: numbers(&known.proof_numbers),
            text: known.text,
        }
    }
}

/// What a prover has found.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ProofJson {
    pub(crate) algorithm: &'static str,
    pub(crate) goal: &'static str,
    /// Whom value and bounds are about.
    pub(crate) player: usize,
    pub(crate) to_move: Option<usize>,
    pub(crate) value: &'static str,
    pub(crate) bounds: [Option<i32>; 2],
    pub(crate) paranoid: bool,
    pub(crate) best_move: Option<String>,
    pub(crate) line: Vec<String>,
    pub(crate) nodes: u64,
    pub(crate) memory: u64,
    pub(crate) seconds: f64,
    /// Nodes a second.
    pub(crate) rate: f64,
    /// Which prover found the newest answer, where there are several.
    pub(crate) answered_by: Option<&'static str>,
    pub(crate) stop_reason: Option<&'static str>,
    pub(crate) settled: bool,
}

impl ProofJson {
    pub(crate) fn new(algorithm: Algorithm, answer: ProofAnswer) -> ProofJson {
        let newest = answer.asked.iter().rev().find(|asked| asked.asked.verdict.is_some());
        let found = newest.map(|asked| asked.asked.answered_by.unwrap_or(algorithm));
        ProofJson {
            algorithm: algorithm.name(),
            goal: answer.goal.name(),
            player: answer.player,
            to_move: answer.to_move,
            value: answer.value.name(),
            bounds: ends(answer.bounds),
            paranoid: answer.paranoid,
            best_move: answer.best_move,
            line: answer.pv,
            nodes: answer.nodes,
            memory: answer.bytes,
            seconds: answer.elapsed.as_secs_f64(),
            rate: answer.nodes_per_second,
            answered_by: found.map(Algorithm::name),
            stop_reason: answer.stop_reason.map(StopReason::name),
            settled: answer.settled,
        }
    }
}

/// Part of a tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BranchJson {
    #[serde(rename = "move")]
    text: Option<String>,
    visits: u64,
    mean: Option<f64>,
    value: &'static str,
    bounds: [Option<i32>; 2],
    expected: Option<[Option<f64>; 2]>,
    proof_numbers: Vec<Value>,
    children: Vec<BranchJson>,
    /// Children that are not shown.
    more: usize,
}

impl From<Branch> for BranchJson {
    fn from(branch: Branch) -> BranchJson {
        BranchJson {
            text: branch.text,
            visits: branch.visits,
            mean: branch.mean,
            value: branch.value.name(),
            bounds: ends(branch.bounds),
            expected: branch.expected.map(expected),
            proof_numbers: numbers(&branch.proof_numbers),
            children: branch.children.into_iter().map(BranchJson::from).collect(),
            more: branch.more,
        }
    }
}

fn ends(bounds: Bounds) -> [Option<i32>; 2] {
    [bounds.lower, bounds.upper]
}

/// The proven ends of an expected payoff.
fn expected(expected: Expected) -> [Option<f64>; 2] {
    [(expected.lower, false), (expected.upper, true)]
        .map(|(end, above)| end.map(|end| end.to_f64_outward(above)))
}

fn numbers(numbers: &[ProofNumber]) -> Vec<Value> {
    numbers.iter().map(|number| number.get().map_or("inf".into(), Value::from)).collect()
}
