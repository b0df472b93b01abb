//! What a job answers: the fields of `search --json` and `solve --json`, and KataGo's
//! where it has a name for something.

use super::super::table::rate;
use super::query::Job;
use crate::display::json::{ProofJson, SearchJson};
use proofwood::{Config, ProverConfig};
use proofwood_any_game::{Answer, MoveAnswer, ProofAnswer};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The answer of a job that was ended before it began.
pub(super) fn nothing(job: &Job) -> Value {
    json!({
        "id": job.asked.id,
        "turnNumber": job.turn,
        "isDuringSearch": false,
        "noResults": true,
    })
}

/// The answer of a job that failed, with the field at fault where the error names it.
pub(super) fn error(job: &Job, error: &str) -> Value {
    let mut answer = json!({
        "id": job.asked.id,
        "turnNumber": job.turn,
        "isDuringSearch": false,
        "error": error,
    });
    let named = error.split_once(": ").map(|(field, _)| field);
    if let Some(field) = named.filter(|field| ["loadTree", "saveTree"].contains(field)) {
        answer["field"] = field.into();
    }
    answer
}

/// What a prover knows.
pub(super) fn proven(
    job: &Job,
    config: &ProverConfig,
    answer: &ProofAnswer,
    during: bool,
) -> Value {
    let text = job.position.text();
    framed(job, during, &ProofJson::new(&job.asked.game, &text, config, answer)).into()
}

/// What a search knows.
pub(super) fn played(job: &Job, config: &Config, answer: &Answer, during: bool) -> Value {
    let text = job.position.text();
    let mut map = framed(job, during, &SearchJson::new(&job.asked.game, &text, config, answer));
    let infos = match map.remove("moves") {
        Some(Value::Array(infos)) => infos,
        _ => Vec::new(),
    };
    let mut moves: Vec<(&MoveAnswer, Value)> = answer.moves.iter().zip(infos).collect();
    let is_best = |known: &MoveAnswer| answer.best_move.as_ref() == Some(&known.text);
    // The best move first, then those with the most visits.
    moves.sort_by_key(|(known, _)| (!is_best(known), u64::MAX - known.visits));
    let infos = moves.into_iter().enumerate().map(|(order, (known, mut info))| {
        info["order"] = order.into();
        info["winrate"] = rate(known.proven, known.mean).into();
        // Only the best line is known.
        info["pv"] = match is_best(known) {
            true => json!(answer.pv),
            false => json!([known.text]),
        };
        info
    });
    let infos = infos.collect();
    map.insert("moveInfos".into(), Value::Array(infos));
    let root = json!({
        "visits": answer.playouts,
        "winrate": rate(answer.value, answer.mean),
    });
    map.insert("rootInfo".into(), root);
    map.into()
}

/// The fields of an answer, and those that say what it answers.
fn framed(job: &Job, during: bool, answer: &impl Serialize) -> Map<String, Value> {
    let mut map = match serde_json::to_value(answer) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    };
    map.insert("id".into(), job.asked.id.clone());
    map.insert("turnNumber".into(), job.turn.into());
    map.insert("isDuringSearch".into(), during.into());
    map
}
