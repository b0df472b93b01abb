//! Formats the answers of provers as text for users.

use super::grid::{grid, left, right};
use super::screen::{self, Line};
use super::search_text::{board, counters_text, row, style_of, why_it_ended};
use proofwood::{Outcome, ProofGoal, Value, Verdict};
use proofwood_any_game::{ProofAnswer, QuestionAnswer, View};
use proofwood_session::words::{numbers, players};
use std::fmt::Write;

/// Writes a question in words: `can X keep the loss to 8 or less?`
pub(crate) fn question(players: &[String], asked: &QuestionAnswer) -> String {
    let player = players::name(players, asked.player);
    format!("can {player} {}?", aim(players, asked))
}

/// Writes a question for a narrow line: `X: keep the loss to 8 or less?`
pub(crate) fn short_question(players: &[String], asked: &QuestionAnswer) -> String {
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

/// Writes the answer to a question in a few words; an estimate is marked as one.
pub(crate) fn verdict(asked: &QuestionAnswer) -> String {
    match (asked.verdict, asked.estimate) {
        (Some(Verdict::Proven), _) => "yes".into(),
        (Some(Verdict::Disproven), _) => "no".into(),
        (None, None) => "open".into(),
        (None, Some(estimate)) => format!("open, estimated {estimate:.6}"),
    }
}

pub(crate) fn answer(view: &View, answer: &ProofAnswer) -> String {
    let mut text = board(view);
    let style = style_of(answer.proven).bold();
    let _ = writeln!(text, "\n{style}{}{style:#}\n", headline(view, answer));
    if !answer.questions.is_empty() {
        let columns = [left("question", 0), left("answer", 0), right("nodes", 2), right("time", 1)];
        // The questions alone would fill a narrow terminal.
        let is_narrow = screen::of_output().is_some_and(|columns| columns < 70);
        let question = if is_narrow { short_question } else { question };
        let rows = answer.questions.iter().map(|asked| {
            vec![
                question(&answer.players, asked),
                verdict(asked),
                numbers::count(asked.nodes as f64),
                numbers::time(asked.elapsed),
            ]
        });
        let _ = writeln!(text, "{}", grid(&columns, rows));
    }
    if !answer.pv.is_empty() {
        let _ = writeln!(text, "Line     {}", answer.pv.join(" "));
    }
    let mut provers: Vec<&str> = Vec::new();
    for prover in answer.questions.iter().filter_map(|asked| asked.answered_by) {
        if !provers.contains(&prover.name()) {
            provers.push(prover.name());
        }
    }
    if !provers.is_empty() {
        let _ = writeln!(text, "Prover   {}", provers.join(", then "));
    }
    let threads = match answer.threads {
        1 => "1 thread".to_string(),
        n => format!("{n} threads"),
    };
    let _ = writeln!(
        text,
        "Search   {} nodes in {}, {} a second on {threads}\nMemory   {}",
        numbers::count(answer.nodes as f64),
        numbers::time(answer.elapsed),
        numbers::count(answer.nodes_per_second),
        numbers::bytes(answer.bytes),
    );
    text.push_str(&counters_text(answer.counters.as_ref()));
    text
}

/// Writes the answer, or the result of a finished game, in one sentence.
pub(crate) fn headline(view: &View, answer: &ProofAnswer) -> String {
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
    match answer.settled {
        true => format!("{known}."),
        false if answer.stop_reason.is_none() => format!("{known}."),
        false => {
            let why = why_it_ended(answer.stop_reason);
            let estimated = answer.questions.last().and_then(|asked| asked.estimate);
            let estimated = estimated.map_or_else(String::new, |estimate| {
                format!("; an estimate says yes with a probability of {estimate:.6}, unproven")
            });
            format!("{known} ({why} after {}{estimated}).", numbers::time(answer.elapsed))
        }
    }
}

/// Writes the answer and its cost on one line, for a file of positions.
pub(crate) fn result_line(label: &str, answer: &ProofAnswer) -> Line {
    let exact = answer.bounds.exact().filter(|_| answer.goal == ProofGoal::Score);
    let value = exact.map_or_else(|| answer.proven.to_string(), |score| format!("score {score}"));
    let estimate = answer.questions.last().and_then(|asked| asked.estimate);
    let open = match (answer.settled, estimate) {
        (true, _) => String::new(),
        (false, None) => "not solved".into(),
        (false, Some(estimate)) => format!("not solved, estimated {estimate:.6}"),
    };
    let best = answer.best_move.as_deref();
    row(label, (answer.proven, &value), best, answer.elapsed, None, answer.nodes).item(2, open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::{Budget, ProverConfig};
    use proofwood_any_game::find;

    #[test]
    fn rows_have_the_answer_alone() {
        let position = find("connect-four").unwrap().start();
        let mut search =
            position.prove(&ProverConfig::default().threads(1).table(1 << 16)).unwrap();
        search.start(&Budget::default().nodes(200)).unwrap();
        let line = result_line("line-17", &search.wait().unwrap());
        crate::display::screen::tests::check(&line, &[(20, "unknown"), (40, "not solved")]);
        assert!(!line.text(200).contains("force"), "{line:?}");
    }
}
