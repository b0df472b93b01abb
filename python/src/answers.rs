//! What a search has to say, as dictionaries: the fields of the program's `--json`, by their
//! names. Python makes frozen dataclasses of them.

use proofwood::certificate::{Checked, CheckedClaim, Promise};
use proofwood::{
    Algorithm, Bounds, Config, Counters, Expected, Fixed, Goal, ProofNumber, ProverConfig,
    StopReason, Verdict,
};
use proofwood_any_game::{Answer, AskedAnswer, MoveAnswer, ProofAnswer, ShortestAnswer, View};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A dictionary, or why it cannot be made.
type Made<'py> = PyResult<Bound<'py, PyDict>>;

/// What there is to see of a position.
pub(crate) fn view<'py>(py: Python<'py>, view: &View) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("text", &view.text)?;
    dict.set_item("board", &view.board)?;
    dict.set_item("players", PyTuple::new(py, &view.players)?)?;
    dict.set_item("to_move", view.to_move)?;
    dict.set_item("legal_moves", PyTuple::new(py, &view.legal_moves)?)?;
    let tuple = |list: &Vec<f64>| PyTuple::new(py, list);
    dict.set_item("probabilities", view.probabilities.as_ref().map(tuple).transpose()?)?;
    let tuple = |list: &Vec<i32>| PyTuple::new(py, list);
    dict.set_item("payoffs", view.payoffs.as_ref().map(tuple).transpose()?)?;
    Ok(dict)
}

/// What a search knows.
pub(crate) fn played<'py>(py: Python<'py>, config: &Config, answer: &Answer) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("players", PyTuple::new(py, &answer.players)?)?;
    dict.set_item("to_move", answer.to_move)?;
    dict.set_item("goal", if config.goal == Goal::Score { "score" } else { "outcome" })?;
    dict.set_item("stop_reason", answer.stop_reason.map(StopReason::name))?;
    dict.set_item("settled", is_settled(answer, config.goal))?;
    dict.set_item("value", answer.value.name())?;
    dict.set_item("bounds", ends(answer.bounds))?;
    dict.set_item("expected", answer.expected.map(|e| expected(py, e)).transpose()?)?;
    dict.set_item("mean", answer.mean)?;
    dict.set_item("best_move", &answer.best_move)?;
    dict.set_item("pv", PyTuple::new(py, &answer.pv)?)?;
    dict.set_item("proof_numbers", numbers(py, &answer.proof_numbers)?)?;
    dict.set_item("counts_proof_numbers", answer.counts_proof_numbers)?;
    dict.set_item("saturated", answer.saturated)?;
    dict.set_item("paranoid", answer.paranoid)?;
    dict.set_item("paranoid_pruning", answer.paranoid_pruning)?;
    dict.set_item("playouts", answer.playouts)?;
    dict.set_item("playouts_per_second", answer.playouts_per_second)?;
    dict.set_item("nodes", answer.nodes)?;
    dict.set_item("bytes", answer.bytes)?;
    dict.set_item("seconds", answer.elapsed.as_secs_f64())?;
    dict.set_item("threads", answer.threads)?;
    dict.set_item("seed", config.seed)?;
    dict.set_item("counters", answer.counters.as_ref().map(|c| counters(py, c)).transpose()?)?;
    let moves = answer.moves.iter().map(|known| known_move(py, known));
    dict.set_item("moves", PyTuple::new(py, moves.collect::<PyResult<Vec<_>>>()?)?)?;
    Ok(dict)
}

fn known_move<'py>(py: Python<'py>, known: &MoveAnswer) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("move", &known.text)?;
    dict.set_item("probability", known.probability)?;
    dict.set_item("visits", known.visits)?;
    dict.set_item("value", known.proven.name())?;
    dict.set_item("mean", known.mean)?;
    dict.set_item("prior", known.prior)?;
    dict.set_item("bounds", ends(known.bounds))?;
    dict.set_item("expected", known.expected.map(|e| expected(py, e)).transpose()?)?;
    dict.set_item("proof_numbers", numbers(py, &known.proof_numbers)?)?;
    Ok(dict)
}

/// What a prover knows.
pub(crate) fn proven<'py>(
    py: Python<'py>,
    config: &ProverConfig,
    answer: &ProofAnswer,
) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("players", PyTuple::new(py, &answer.players)?)?;
    dict.set_item("to_move", answer.to_move)?;
    dict.set_item("algorithm", config.algorithm.name())?;
    dict.set_item("goal", answer.goal.name())?;
    dict.set_item("player", answer.player)?;
    dict.set_item("stop_reason", answer.stop_reason.map(StopReason::name))?;
    dict.set_item("settled", answer.settled)?;
    dict.set_item("value", answer.value.name())?;
    dict.set_item("bounds", ends(answer.bounds))?;
    dict.set_item("best_move", &answer.best_move)?;
    dict.set_item("pv", PyTuple::new(py, &answer.pv)?)?;
    dict.set_item("paranoid", answer.paranoid)?;
    let asked = answer.asked.iter().map(|asked| question(py, asked));
    dict.set_item("questions", PyTuple::new(py, asked.collect::<PyResult<Vec<_>>>()?)?)?;
    dict.set_item("nodes", answer.nodes)?;
    dict.set_item("expansions", answer.expansions)?;
    dict.set_item("nodes_per_second", answer.nodes_per_second)?;
    dict.set_item("bytes", answer.bytes)?;
    dict.set_item("seconds", answer.elapsed.as_secs_f64())?;
    dict.set_item("threads", answer.threads)?;
    dict.set_item("seed", config.seed)?;
    dict.set_item("counters", answer.counters.as_ref().map(|c| counters(py, c)).transpose()?)?;
    Ok(dict)
}

fn question<'py>(py: Python<'py>, AskedAnswer { asked, .. }: &AskedAnswer) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("player", asked.question.player)?;
    dict.set_item("at_least", asked.question.at_least)?;
    let answer = asked.verdict.map(|verdict| match verdict {
        Verdict::Proven => "proven",
        Verdict::Disproven => "disproven",
    });
    dict.set_item("answer", answer)?;
    dict.set_item("answered_by", asked.answered_by.map(Algorithm::name))?;
    dict.set_item("estimate", asked.estimate)?;
    dict.set_item("nodes", asked.effort.nodes)?;
    dict.set_item("expansions", asked.effort.expansions)?;
    dict.set_item("seconds", asked.elapsed.as_secs_f64())?;
    Ok(dict)
}

/// How soon a win can be forced.
pub(crate) fn shortest<'py>(py: Python<'py>, found: &ShortestAnswer) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("winner", found.winner)?;
    dict.set_item("moves", found.moves)?;
    dict.set_item("more_than", found.more_than)?;
    dict.set_item("line", PyTuple::new(py, &found.line)?)?;
    dict.set_item("nodes", found.nodes)?;
    dict.set_item("stop_reason", found.stop_reason.map(StopReason::name))?;
    Ok(dict)
}

/// What a certificate shows.
pub(crate) fn checked<'py>(py: Python<'py>, checked: &Checked, players: &[String]) -> Made<'py> {
    let dict = PyDict::new(py);
    dict.set_item("game", &checked.game)?;
    dict.set_item("position", &checked.position)?;
    dict.set_item("players", PyTuple::new(py, players)?)?;
    let claims = checked.claims.iter().map(|claim| shown(py, claim));
    dict.set_item("claims", PyTuple::new(py, claims.collect::<PyResult<Vec<_>>>()?)?)?;
    dict.set_item("bytes", checked.bytes)?;
    dict.set_item("memory", checked.memory)?;
    Ok(dict)
}

fn shown<'py>(py: Python<'py>, shown: &CheckedClaim) -> Made<'py> {
    let (at_least, below) = match shown.claim.promise {
        Promise::AtLeast(payoff) => (Some(payoff), None),
        Promise::Below(payoff) => (None, Some(payoff)),
    };
    let dict = PyDict::new(py);
    dict.set_item("player", shown.claim.player)?;
    dict.set_item("at_least", at_least)?;
    dict.set_item("below", below)?;
    dict.set_item("endless", shown.endless)?;
    dict.set_item("positions", shown.positions)?;
    dict.set_item("references", shown.references)?;
    Ok(dict)
}

/// Whether the question is answered, whatever ended the search.
fn is_settled(answer: &Answer, goal: Goal) -> bool {
    let proven = match goal {
        Goal::Score => match answer.expected {
            Some(expected) => expected.is_final(),
            None => answer.bounds.exact().is_some(),
        },
        _ => answer.value.is_decided(),
    };
    proven || matches!(answer.stop_reason, Some(StopReason::Settled | StopReason::GameOver))
}

fn ends(bounds: Bounds) -> (Option<i32>, Option<i32>) {
    (bounds.lower, bounds.upper)
}

fn expected(py: Python<'_>, expected: Expected) -> Made<'_> {
    let end = |end: Option<Fixed>, above| end.map(|end| end.to_f64_outward(above));
    let dict = PyDict::new(py);
    dict.set_item("lower", end(expected.lower, false))?;
    dict.set_item("upper", end(expected.upper, true))?;
    dict.set_item("exact", expected.exact().is_some())?;
    dict.set_item("rounded", expected.rounded)?;
    Ok(dict)
}

/// Whole numbers, and the float `inf` for what is impossible.
fn numbers<'py>(py: Python<'py>, numbers: &[ProofNumber]) -> PyResult<Bound<'py, PyTuple>> {
    let number = |number: &ProofNumber| match number.get() {
        Some(number) => Ok(number.into_pyobject(py)?.into_any()),
        None => Ok(f64::INFINITY.into_pyobject(py)?.into_any()),
    };
    PyTuple::new(py, numbers.iter().map(number).collect::<PyResult<Vec<_>>>()?)
}

fn counters<'py>(py: Python<'py>, counters: &Counters) -> Made<'py> {
    let dict = PyDict::new(py);
    counters.iter().try_for_each(|(name, _, times)| dict.set_item(name, times))?;
    Ok(dict)
}
