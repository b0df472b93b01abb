//! Formats the questions and the answers of provers.

use super::answers::why_it_ended;
use super::{numbers, players};
use proofwood::{Outcome, ProofGoal, Value, Verdict};
use proofwood_any_game::{ProofAnswer, QuestionAnswer, View};

/// Formats a question: `can X keep the loss to 8 or less?`
pub fn question(players: &[String], asked: &QuestionAnswer) -> String {
    let player = players::name(players, asked.player);
    format!("can {player} {}?", aim(players, asked))
}

/// Formats a question for a narrow line: `X: keep the loss to 8 or less?`
pub fn short_question(players: &[String], asked: &QuestionAnswer) -> String {
    let player = players::name(players, asked.player);
    format!("{player}: {}?", aim(players, asked))
}

/// Describes the result that the question is about.
fn aim(players: &[String], asked: &QuestionAnswer) -> String {
    match (asked.outcome, asked.at_least) {
        (Outcome::Win, 1) => "force a win".into(),
        (Outcome::Draw, 0) => "force at least a draw".into(),
        (Outcome::Win, by @ 2..) if players.len() == 2 => format!("win by {by} or more"),
        (Outcome::Loss, by @ ..0) if players.len() == 2 => {
            format!("keep the loss to {} or less", -i64::from(by))
        }
        (_, payoff) => format!("secure {payoff} or more"),
    }
}

/// Formats the answer to a question in a few words; an estimate is labelled as one.
pub fn verdict(asked: &QuestionAnswer) -> String {
    match (asked.verdict, asked.estimate) {
        (Some(Verdict::Proven), _) => "yes".into(),
        (Some(Verdict::Disproven), _) => "no".into(),
        (None, None) => "open".into(),
        (None, Some(estimate)) => format!("open, estimated {estimate:.6}"),
    }
}

/// Returns the answer, or the result of a finished game, as one sentence.
pub fn headline(view: &View, answer: &ProofAnswer) -> String {
    match &view.payoffs {
        Some(payoffs) => format!("The game is over. {}.", players::result(&view.players, payoffs)),
        None => players::sentence(&sentence(answer)),
    }
}

fn sentence(answer: &ProofAnswer) -> String {
    let player = players::name(&answer.players, answer.player);
    let coalition = if answer.paranoid { " against all others together" } else { "" };
    let with = answer.best_move.as_ref().map_or_else(String::new, |best| format!(" with {best}"));
    let exact = answer.bounds.exact().filter(|_| answer.goal == ProofGoal::Score);
    let known = match (exact, answer.proven) {
        (Some(score), _) => {
            let opposed = answer.players.len() == 2 && !answer.paranoid;
            let best = answer.best_move.as_deref();
            format!("Proven: {}{coalition}", players::scores(player, score, opposed, best))
        }
        (None, Value::Win) => format!("{player} wins{coalition}{with}, proven"),
        (None, Value::Draw) if answer.paranoid => {
            format!("{player} can force a draw and no more{coalition}{with}, proven")
        }
        (None, Value::Draw) => format!("A draw{with}, proven"),
        (None, Value::Loss) => {
            let best = answer.best_move.as_deref();
            let tried = best.map_or_else(String::new, |best| format!("; best try {best}"));
            format!("{player} loses{coalition}, proven{tried}")
        }
        (None, Value::NotWin) => format!("{player} cannot force a win{coalition}, proven"),
        (None, Value::NotLoss) => format!("{player} does not lose{coalition}, proven"),
        _ if answer.goal == ProofGoal::Score => match numbers::bounds(answer.bounds).as_str() {
            "-" => "Not solved".to_string(),
            bounds => format!("Not solved: {player} scores {bounds}"),
        },
        (None, Value::Unknown) if answer.best_move.is_some() => {
            format!("Not solved; {} looks best", answer.best_move.as_deref().unwrap_or_default())
        }
        _ => "Not solved".to_string(),
    };
    match answer.solved {
        true => format!("{known}."),
        false if answer.stop_reason.is_none() => format!("{known}."),
        false => {
            let why = why_it_ended(answer.stop_reason);
            let estimated = answer.questions.last().and_then(|asked| asked.estimate);
            let estimated = estimated.map_or_else(String::new, |estimate| {
                format!("; the estimated probability of yes is {estimate:.6}, unproven")
            });
            format!("{known} ({why} after {}{estimated}).", numbers::time(answer.elapsed))
        }
    }
}
