//! Formats the answers of provers as text for users.

use super::grid::{grid, left, right};
use super::screen::{self, Line};
use super::search_text::{row, style_of};
use proofwood::ProofGoal;
use proofwood_any_game::{ProofAnswer, View};
use proofwood_session::words::answers::{board, counters_text};
use proofwood_session::words::numbers;
use proofwood_session::words::proofs::{headline, question, short_question, verdict};
use std::fmt::Write;

pub(crate) fn answer(view: &View, answer: &ProofAnswer) -> String {
    let mut text = board(view);
    let style = style_of(answer.proven).bold();
    let _ = writeln!(text, "\n{style}{}{style:#}\n", headline(view, answer));
    if !answer.questions.is_empty() {
        let columns = [left("question", 0), left("answer", 0), right("nodes", 2), right("time", 1)];
        // On a narrow terminal, the long questions would leave no room for other columns.
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

/// Formats the answer and its cost on one line, for a file of positions.
pub(crate) fn result_line(label: &str, answer: &ProofAnswer) -> Line {
    let exact = answer.bounds.exact().filter(|_| answer.goal == ProofGoal::Score);
    let value = exact.map_or_else(|| answer.proven.to_string(), |score| format!("score {score}"));
    let estimate = answer.questions.last().and_then(|asked| asked.estimate);
    let open = match (answer.solved, estimate) {
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
