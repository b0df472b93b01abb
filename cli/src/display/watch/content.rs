//! What there is to see of a search's answer so far.

use super::{Column, Row, Scale, Watched};
use crate::display::screen::Line;
use crate::display::{proof_text, search_text};
use proofwood::{Config, Value, Verdict};
use proofwood_any_game::{Answer, ProofAnswer, View};
use proofwood_session::words::numbers;
use std::time::Duration;

fn left(name: &str, rank: u8) -> Column {
    Column { name: name.into(), right: false, rank }
}

fn right(name: &str, rank: u8) -> Column {
    Column { name: name.into(), right: true, rank }
}

/// The time that has passed, and that is left.
fn time(elapsed: Duration, limit: Option<Duration>) -> String {
    match limit {
        Some(limit) => {
            let rest = limit.saturating_sub(elapsed);
            format!("{}, {} left", numbers::time(elapsed), numbers::time(rest))
        }
        None => numbers::time(elapsed),
    }
}

impl Watched {
    /// What there is to see of a search with playouts. `limit` is its time.
    pub(crate) fn of_search(
        view: &View,
        answer: &Answer,
        config: &Config,
        limit: Option<Duration>,
    ) -> Watched {
        let chance = answer.moves.iter().any(|mv| mv.probability.is_some());
        let bounds = if answer.expected.is_some() { "expected" } else { "bounds" };
        // Each column, and whether there is anything in it.
        let columns = [
            (left(if chance { "outcome" } else { "move" }, 0), true),
            (right(search_text::mean_name(config.goal), 1), true),
            (right("visits", 2), true),
            (right(bounds, 3), true),
            (left("proof numbers", 4), answer.counts_proof_numbers),
        ];
        let row = |mv: &&proofwood_any_game::MoveAnswer| {
            let mean = search_text::sampled(mv, config.goal);
            let cells = [
                mv.text.clone(),
                match (mean, mv.proven) {
                    (Some(mean), _) => numbers::share(mean),
                    (None, Value::Unknown) => "-".into(),
                    (None, known) => known.name().into(),
                },
                numbers::count(mv.visits as f64),
                numbers::payoff(mv.bounds, mv.expected),
                numbers::proof_numbers(&mv.proof_numbers),
            ];
            let cells = std::iter::zip(cells, &columns).filter(|(_, (_, shown))| *shown);
            let bar = match mv.proven {
                Value::Win => Some(1.0),
                Value::Draw => Some(0.5),
                Value::Loss => Some(0.0),
                _ => mv.mean.map(|value| (value + 1.0) / 2.0),
            };
            Row { cells: cells.map(|(cell, _)| cell).collect(), bar, value: mv.proven }
        };
        let rows = search_text::sorted(answer).iter().map(row).collect();
        let points = match answer.proven {
            Value::Win => Some(1.0),
            Value::Draw => Some(0.0),
            Value::Loss => Some(-1.0),
            _ => search_text::mean(answer, config.goal),
        };
        let mut figures = vec![
            ("time", time(answer.elapsed, limit)),
            ("speed", format!("{} playouts/s", numbers::count(answer.playouts_per_second))),
            ("playouts", numbers::count(answer.playouts as f64)),
            ("nodes", numbers::count(answer.nodes as f64)),
            ("memory", numbers::bytes(answer.bytes)),
            ("threads", answer.threads.to_string()),
        ];
        figures.push((bounds, numbers::payoff(answer.bounds, answer.expected)));
        if answer.counts_proof_numbers {
            figures.push(("proof numbers", numbers::proof_numbers(&answer.proof_numbers)));
        }
        let short = Line::new()
            .item(0, time(answer.elapsed, limit))
            .item(1, format!("{} playouts/s", numbers::count(answer.playouts_per_second)))
            .item(3, format!("{} nodes", numbers::count(answer.nodes as f64)))
            .item(2, numbers::bytes(answer.bytes));
        Watched {
            sentence: search_text::headline(view, answer, config.goal).1,
            value: answer.proven,
            header: columns
                .iter()
                .filter(|(_, shown)| *shown)
                .map(|(one, _)| one.clone())
                .collect(),
            rows,
            line: answer.pv.join(" "),
            figures,
            short,
            elapsed: answer.elapsed,
            graph: points.map(|points| (points + 1.0) / 2.0),
            scale: Scale::Points,
        }
    }

    /// What there is to see of a prover's search.
    pub(crate) fn of_proof(view: &View, answer: &ProofAnswer, limit: Option<Duration>) -> Watched {
        let header =
            vec![left("question", 0), left("answer", 1), right("nodes", 3), right("time", 2)];
        let row = |asked: &proofwood_any_game::QuestionAnswer| Row {
            cells: vec![
                proof_text::short_question(&answer.players, asked),
                proof_text::verdict(asked),
                numbers::count(asked.nodes as f64),
                numbers::time(asked.elapsed),
            ],
            bar: None,
            value: match asked.verdict {
                Some(Verdict::Proven) => Value::Win,
                Some(Verdict::Disproven) => Value::Loss,
                None => Value::Unknown,
            },
        };
        let speed = format!("{} nodes/s", numbers::count(answer.nodes_per_second));
        let nodes = numbers::count(answer.nodes as f64);
        let (memory, threads) = (numbers::bytes(answer.bytes), answer.threads.to_string());
        let bounds = numbers::bounds(answer.bounds);
        let short = Line::new()
            .item(0, time(answer.elapsed, limit))
            .item(1, speed.clone())
            .item(3, format!("{nodes} nodes"))
            .item(2, memory.clone());
        Watched {
            sentence: proof_text::headline(view, answer),
            value: answer.proven,
            header,
            rows: answer.questions.iter().map(row).collect(),
            line: answer.pv.join(" "),
            figures: vec![
                ("time", time(answer.elapsed, limit)),
                ("speed", speed),
                ("nodes", nodes),
                ("memory", memory),
                ("threads", threads),
                ("bounds", bounds),
            ],
            short,
            elapsed: answer.elapsed,
            graph: (answer.nodes > 0).then_some(answer.nodes_per_second),
            scale: Scale::Nodes,
        }
    }
}
