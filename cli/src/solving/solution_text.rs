//! Writes the solution of a position as text for users.

use crate::display::search_text::row;
use crate::display::{proof_text, screen, search_text};
use proofwood::Value;
use proofwood_any_game::View;
use proofwood_session::cut;
use proofwood_session::solving::earlier::EarlierResult;
use proofwood_session::solving::remote::Answered;
use proofwood_session::solving::search::audit_text;
use proofwood_session::solving::solution::{Kind, Solution};
use proofwood_session::words::answers;
use std::time::Duration;

pub(crate) fn text(solution: &Solution, view: &View) -> String {
    let mut text = match &solution.kind {
        Kind::Played(config, answer, audit) => {
            let mut text = search_text::answer(view, answer, config);
            if let Some(audit) = audit.clone().map(audit_text) {
                text.push_str(&format!("Audit    {audit}\n"));
            }
            text
        }
        Kind::Proven(_, answer) => proof_text::answer(view, answer),
    };
    text.push_str(&shortest_text(solution, view));
    if let Some(file) = &solution.resumed {
        text.push_str(&format!("Resumed  from {file}; nodes and time are for this run only\n"));
    }
    if let Some(certificate) = solution.certificate.written() {
        text.push_str(&answers::certificate(certificate));
        let by_chance = matches!(&solution.kind, Kind::Played(_, a, _) if a.expected.is_some());
        if by_chance {
            text.push_str("         covers the outcome only, not the expected payoff\n");
        }
    }
    text
}

/// Formats the length of the shortest win; empty if it was not requested.
pub(crate) fn shortest_text(solution: &Solution, view: &View) -> String {
    let found = solution.shortest.as_ref();
    found.map_or_else(String::new, |found| answers::shortest(&view.players, found.as_ref()))
}

pub(crate) fn line(solution: &Solution, label: &str) -> String {
    let line = match &solution.kind {
        Kind::Played(config, answer, _) => search_text::result_line(label, answer, config.goal),
        Kind::Proven(_, answer) => proof_text::result_line(label, answer),
    };
    let text = line.text(screen::of_output().unwrap_or(usize::MAX));
    text.trim_end().to_string() + "\n"
}

/// Formats a remote answer on one line that begins with `label`.
pub(crate) fn line_of_other(answered: &Answered, label: &str) -> String {
    let EarlierResult { proven: value, solved, best_move, playouts, nodes, seconds, .. } =
        &answered.result;
    let text = match answered.result.bounds {
        [Some(low), Some(high)]
            if low == high && answered.result.goal.as_deref() == Some("score") =>
        {
            format!("score {low}")
        }
        _ => value.clone(),
    };
    let value = match value.as_str() {
        "win" => Value::Win,
        "draw" => Value::Draw,
        "loss" => Value::Loss,
        _ => Value::Unknown,
    };
    let best = best_move.as_deref().map(cut);
    let time = Duration::from_secs_f64(*seconds);
    let line = row(label, (value, &text), best.as_deref(), time, *playouts, *nodes)
        .item(2, if *solved { "" } else { "not solved" })
        .item(6, format!("by {}", answered.worker));
    let text = line.text(screen::of_output().unwrap_or(usize::MAX));
    text.trim_end().to_string() + "\n"
}
