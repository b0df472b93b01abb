//! The answers of proof searches, for people.

use crate::figures;
use crate::sides;
use crate::table::{board, grid, style_of, why_it_ended};
use comfy_table::CellAlignment::{Left, Right};
use proofwood::{Outcome, ProofGoal, Value, Verdict};
use proofwood_any_game::{AskedAnswer, ProofAnswer, View};
use std::fmt::Write;

/// What was asked, in words.
pub(crate) fn question(players: &[String], asked: &AskedAnswer) -> String {
    let proofwood::Question { player, at_least, .. } = asked.asked.question;
    let player = sides::name(players, player);
    let what = match asked.outcome {
        Outcome::Win => "a win",
        Outcome::Draw => "at least a draw",
        Outcome::Loss => "no worse a loss",
    };
    format!("can {player} make sure of {what} ({at_least} or more)?")
}

/// What came of a question, in a few words. An estimate is called one.
fn verdict(asked: &AskedAnswer) -> String {
    match (asked.asked.verdict, asked.asked.estimate) {
        (Some(Verdict::Proven), _) => "yes".into(),
        (Some(Verdict::Disproven), _) => "no".into(),
        (None, None) => "open".into(),
        (None, Some(estimate)) => format!("open, estimated {estimate:.6}"),
    }
}

/// The whole answer.
pub(crate) fn answer(view: &View, answer: &ProofAnswer) -> String {
    let mut text = board(view);
    let style = style_of(answer.value).bold();
    let _ = writeln!(text, "\n{style}{}{style:#}\n", headline(view, answer));
    if !answer.asked.is_empty() {
        let columns = [("question", Left), ("answer", Left), ("nodes", Right), ("time", Right)];
        let rows = answer.asked.iter().map(|asked| {
            vec![
                question(&answer.players, asked),
                verdict(asked),
                figures::count(asked.asked.effort.nodes as f64),
                figures::time(asked.asked.elapsed),
            ]
        });
        let _ = writeln!(text, "{}", grid(&columns, rows));
    }
    if !answer.pv.is_empty() {
        let _ = writeln!(text, "Line     {}", answer.pv.join(" "));
    }
    let threads = match answer.threads {
        1 => "1 thread".to_string(),
        n => format!("{n} threads"),
    };
    let _ = writeln!(
        text,
        "Search   {} nodes in {}, {} a second on {threads}\nMemory   {}",
        figures::count(answer.nodes as f64),
        figures::time(answer.elapsed),
        figures::count(answer.nodes_per_second),
        figures::bytes(answer.bytes),
    );
    text
}

/// The answer in one sentence, or how the game ended.
fn headline(view: &View, answer: &ProofAnswer) -> String {
    match &view.payoffs {
        Some(payoffs) => format!("The game is over. {}.", sides::result(&view.players, payoffs)),
        None => sides::sentence(&sentence(answer)),
    }
}

/// The answer in one sentence.
fn sentence(answer: &ProofAnswer) -> String {
    let player = sides::name(&answer.players, answer.player);
    let coalition = if answer.paranoid { " against all others together" } else { "" };
    let with = answer.best_move.as_ref().map_or_else(String::new, |best| format!(" with {best}"));
    let exact = answer.bounds.exact().filter(|_| answer.goal == ProofGoal::Score);
    let known = match (exact, answer.value) {
        (Some(score), _) => {
            format!("{player} can make sure of {score} and no more{coalition}{with}, proven")
        }
        (None, Value::Win) => format!("{player} wins{coalition}{with}, proven"),
        (None, Value::Draw) if answer.paranoid => {
            format!("{player} can force a draw and no more{coalition}{with}, proven")
        }
        (None, Value::Draw) => format!("A draw{with}, proven"),
        (None, Value::Loss) => format!("{player} loses{coalition}{with}, proven"),
        (None, Value::NotWin) => format!("{player} cannot force a win{coalition}, proven"),
        (None, Value::NotLoss) => format!("{player} does not lose{coalition}, proven"),
        _ if answer.goal == ProofGoal::Score => {
            format!("Not settled: the score is {}", figures::bounds(answer.bounds))
        }
        _ => "Not settled".to_string(),
    };
    match answer.settled {
        true => format!("{known}."),
        false => {
            let why = why_it_ended(answer.stop_reason);
            let estimated = answer.asked.last().and_then(|asked| asked.asked.estimate);
            let estimated = estimated.map_or_else(String::new, |estimate| {
                format!("; an estimate says yes with a probability of {estimate:.6}, unproven")
            });
            format!("{known} ({why} after {}{estimated}).", figures::time(answer.elapsed))
        }
    }
}

/// One line for one position of a file.
pub(crate) fn result_line(label: &str, answer: &ProofAnswer) -> String {
    let exact = answer.bounds.exact().filter(|_| answer.goal == ProofGoal::Score);
    let value = exact.map_or_else(|| answer.value.to_string(), |score| format!("score {score}"));
    let style = style_of(answer.value);
    let last = answer.asked.last().map_or_else(String::new, |asked| {
        format!("{} {}", question(&answer.players, asked), verdict(asked))
    });
    let open = if answer.settled { "" } else { "not settled: " };
    let line = format!(
        "{label:<8} {style}{value:<9}{style:#} {:<8} {:>9} {:>10} nodes  {open}{last}",
        answer.best_move.as_deref().unwrap_or("-"),
        figures::time(answer.elapsed),
        figures::count(answer.nodes as f64),
    );
    line.trim_end().to_string() + "\n"
}
