//! Answers for people: a board, a sentence, a table.

use crate::figures;
use crate::output::{CertificateJson, is_settled};
use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use proofwood::{Chance, Config, Goal, StopReason, Value};
use proofwood_any_game::{Answer, MoveAnswer, View};
use std::fmt::Write;

/// The most moves that the table lists.
const MOST_ROWS: usize = 24;

const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const EVEN: Style = AnsiColor::Yellow.on_default();

/// A position: its drawing, its text form, whose turn it is and the moves.
pub(crate) fn position(view: &View) -> String {
    let mut text = board(view);
    if !view.text.is_empty() && view.text.trim() != view.board.trim() {
        let _ = writeln!(text, "Position   {}", view.text);
    }
    match (&view.payoffs, view.to_move) {
        (Some(payoffs), _) => {
            let _ = writeln!(text, "Game over  {}", payoffs_text(payoffs));
        }
        (None, Some(player)) => {
            let _ = writeln!(text, "To move    player {player}");
        }
        (None, None) => text.push_str("To move    chance\n"),
    }
    let count = view.legal_moves.len();
    if let Some(probabilities) = &view.probabilities {
        let alike = probabilities.iter().all(|&one| one == probabilities[0]);
        let outcomes: Vec<String> = match alike {
            true => view.legal_moves.clone(),
            false => std::iter::zip(&view.legal_moves, probabilities)
                .map(|(outcome, &one)| format!("{outcome} ({})", figures::probability(one)))
                .collect(),
        };
        let alike = if alike { ", equally likely" } else { "" };
        let _ = writeln!(text, "Outcomes   {} ({count}{alike})", outcomes.join(" "));
    } else if count > 0 {
        let _ = writeln!(text, "Moves      {} ({count})", view.legal_moves.join(" "));
    }
    text
}

/// The drawing alone.
pub(crate) fn board(view: &View) -> String {
    match view.board.trim_end() {
        "" => String::new(),
        board => format!("{board}\n"),
    }
}

/// The players' payoffs in words.
pub(crate) fn payoffs_text(payoffs: &[i32]) -> String {
    let each: Vec<String> =
        payoffs.iter().enumerate().map(|(p, payoff)| format!("player {p}: {payoff}")).collect();
    each.join(", ")
}

/// The whole answer of a search.
pub(crate) fn answer(view: &View, answer: &Answer, config: &Config) -> String {
    // In open loop nothing is proven, and there is nothing to be told of it.
    let proves = config.chance != Chance::Open;
    let mut text = board(view);
    let (style, sentence) = headline(view, answer, config.goal);
    let _ = writeln!(text, "\n{style}{sentence}{style:#}\n");
    if !answer.moves.is_empty() {
        text.push_str(&moves(answer, proves));
        text.push('\n');
    }
    if !answer.pv.is_empty() {
        let _ = writeln!(text, "Line     {}", answer.pv.join(" "));
    }
    text.push_str(&figures_text(answer, proves));
    text
}

/// A certificate that was written.
pub(crate) fn certificate(proof: &CertificateJson) -> String {
    format!(
        "Proof    {}: {} positions, checked\n",
        proof.file,
        figures::count(proof.positions as f64),
    )
}

fn figures_text(answer: &Answer, proves: bool) -> String {
    let mut root = format!(
        "{} {}, proof numbers {}",
        if answer.expected.is_some() { "expected payoff" } else { "bounds" },
        figures::payoff(answer.bounds, answer.expected),
        figures::proof_numbers(&answer.proof_numbers)
    );
    if answer.saturated {
        root.push_str(" (at the limit of what can be counted)");
    }
    let threads = match answer.threads {
        1 => "1 thread".to_string(),
        n => format!("{n} threads"),
    };
    let root = if proves { format!("Root     {root}\n") } else { String::new() };
    format!(
        "{root}Search   {} playouts in {}, {} a second on {threads}\n\
         Tree     {} nodes, {}\n",
        figures::count(answer.playouts as f64),
        figures::time(answer.elapsed),
        figures::count(answer.playouts_per_second),
        figures::count(answer.nodes as f64),
        figures::bytes(answer.bytes),
    )
}

/// The answer in one sentence.
pub(crate) fn headline(view: &View, answer: &Answer, goal: Goal) -> (Style, String) {
    if let Some(payoffs) = &view.payoffs {
        return (BOLD, format!("The game is over: {}.", payoffs_text(payoffs)));
    }
    let player = answer.to_move.unwrap_or(0);
    let best = answer.best_move.as_deref();
    let with = best.map_or_else(String::new, |best| format!(" with {best}"));
    let tried = best.map_or_else(String::new, |best| format!("; {best} is tried"));
    let coalition = if answer.paranoid { " against all others together" } else { "" };
    let luck = if answer.expected.is_some() { " whatever chance brings" } else { "" };
    let style = style_of(answer.value).bold();
    let sentence = match (score(answer, goal), answer.value) {
        (Some(score), _) => format!("Player {player} gets {score}{coalition}{with}, proven"),
        (None, Value::Win) => format!("Player {player} wins{coalition}{luck}{with}, proven"),
        (None, Value::Draw) if answer.paranoid => {
            format!("Player {player} can force a draw and no more{coalition},{with}, proven")
        }
        (None, Value::Draw) => format!("A draw{with}, proven"),
        (None, Value::Loss) if answer.paranoid => {
            format!("Player {player} loses when all others play together{luck}, proven{tried}")
        }
        (None, Value::Loss) => format!("Player {player} loses{luck}, proven{tried}"),
        (None, value) => open_sentence(player, value, best, coalition),
    };
    (style, format!("{sentence}{}.", rest_of_sentence(answer, goal)))
}

/// The score that was asked for, in words, once nothing can narrow it.
fn score(answer: &Answer, goal: Goal) -> Option<String> {
    match answer.expected {
        _ if goal != Goal::Score => None,
        Some(expected) if expected.exact().is_some() => Some(format!("{expected} on average")),
        Some(expected) => {
            expected.rounded.then(|| format!("{expected} on average (rounded outward)"))
        }
        None => answer.bounds.exact().map(|score| format!("exactly {score}")),
    }
}

fn open_sentence(player: usize, value: Value, best: Option<&str>, coalition: &str) -> String {
    let best_move = best.map_or_else(String::new, |best| format!("; best {best}"));
    match (value, best) {
        (Value::NotWin, _) => {
            format!("Player {player} cannot force a win{coalition}, proven{best_move}")
        }
        (Value::NotLoss, _) => {
            format!("Player {player} draws at least{coalition}, proven{best_move}")
        }
        (_, Some(best)) => format!("Not settled: player {player}'s best is {best}"),
        (_, None) => format!("Not settled: chance decides, player {player} expects"),
    }
}

/// What is open, and why the search ended.
fn rest_of_sentence(answer: &Answer, goal: Goal) -> String {
    if is_settled(answer, goal) {
        return String::new();
    }
    let mut rest = String::new();
    if let Some(mean) = answer.mean.filter(|_| !answer.value.is_decided()) {
        let share = figures::share(mean);
        let _ = match (&answer.best_move, answer.value) {
            (Some(_), _) => write!(rest, ", {share}"),
            // It completes "player 0 expects".
            (None, Value::Unknown) => write!(rest, " {share}"),
            (None, _) => write!(rest, "; {share} of the points in playouts"),
        };
    }
    if goal == Goal::Score || answer.expected.is_some() {
        let payoff = figures::payoff(answer.bounds, answer.expected);
        let name = if answer.expected.is_some() { "expected payoff" } else { "score" };
        let _ = write!(rest, ", {name} {payoff}");
    }
    let why = why_it_ended(answer.stop_reason);
    let _ = write!(rest, " ({why} after {})", figures::time(answer.elapsed));
    rest
}

/// Why a search ended before its question was settled.
pub(crate) fn why_it_ended(reason: Option<StopReason>) -> &'static str {
    match reason {
        Some(StopReason::Estimated) => "the estimate is near enough",
        Some(StopReason::Time) => "time is up",
        Some(StopReason::CpuTime) => "the processor time is used up",
        Some(StopReason::Playouts) => "playouts are done",
        Some(StopReason::Nodes) => "nodes are used up",
        Some(StopReason::Bytes) => "bytes are used up",
        Some(StopReason::Memory) => "memory is full",
        Some(StopReason::Decided) => "the best move cannot be overtaken",
        Some(StopReason::Cancelled) => "interrupted",
        _ => "stopped",
    }
}

/// The moves at the root, best first.
fn moves(answer: &Answer, proves: bool) -> String {
    let mut sorted: Vec<&MoveAnswer> = answer.moves.iter().collect();
    sorted.sort_by(|a, b| rank(answer, b).partial_cmp(&rank(answer, a)).expect("no NaN"));
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let chance = answer.moves.iter().any(|mv| mv.probability.is_some());
    let first = if chance { "outcome" } else { "move" };
    let bounds = if answer.expected.is_some() { "expected payoff" } else { "bounds" };
    table.set_header([first, "proven", "points", "visits", "share", bounds, "proof numbers"]);
    for column in 2..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let visits: u64 = answer.moves.iter().map(|mv| mv.visits).sum();
    for mv in sorted.iter().take(MOST_ROWS) {
        let proven = if mv.proven == Value::Unknown { "" } else { mv.proven.name() };
        table.add_row([
            match mv.probability {
                Some(probability) => format!("{} ({})", mv.text, figures::probability(probability)),
                None => mv.text.clone(),
            },
            proven.to_string(),
            mv.value.map_or_else(String::new, figures::share),
            mv.visits.to_string(),
            format!("{:.0} %", mv.visits as f64 * 100.0 / visits.max(1) as f64),
            figures::payoff(mv.bounds, mv.expected),
            figures::proof_numbers(&mv.proof_numbers),
        ]);
    }
    for column in [1, 5, 6].into_iter().filter(|_| !proves) {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::Hidden);
        }
    }
    let mut text = String::new();
    for (number, line) in table.lines().enumerate() {
        let mv = number.checked_sub(1).map(|row| sorted[row]);
        let style = mv.map_or(BOLD, |mv| style_of(mv.proven));
        let _ = writeln!(text, "{style}{}{style:#}", line.trim_end());
    }
    if sorted.len() > MOST_ROWS {
        let _ = writeln!(text, " and {} more; --json has them all", sorted.len() - MOST_ROWS);
    }
    text
}

/// A table of figures: the columns with their alignment, and the rows.
pub(crate) fn grid(
    header: &[(&str, CellAlignment)],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().map(|(name, _)| *name));
    for (number, &(_, alignment)) in header.iter().enumerate() {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(alignment);
        }
    }
    table.add_rows(rows);
    let mut text = String::new();
    for (number, line) in table.lines().enumerate() {
        let style = if number == 0 { BOLD } else { Style::new() };
        let _ = writeln!(text, "{style}{}{style:#}", line.trim_end());
    }
    text
}

/// By what moves are sorted: the one to play, then proofs, then visits.
fn rank(answer: &Answer, mv: &MoveAnswer) -> (bool, i32, i64, u64, f64) {
    let proven = match mv.proven {
        Value::Win => 2,
        Value::NotLoss | Value::Draw => 1,
        Value::Loss => -1,
        _ => 0,
    };
    let best = answer.best_move.as_deref() == Some(mv.text.as_str());
    let secured = match mv.expected {
        Some(expected) => expected.lower.map(|lower| lower.to_bits()),
        None => mv.bounds.lower.map(i64::from),
    };
    let secured = secured.unwrap_or(i64::MIN);
    (best, proven, secured, mv.visits, mv.value.unwrap_or(-1.0))
}

pub(crate) fn style_of(value: Value) -> Style {
    match value {
        Value::Win => GOOD,
        Value::Loss => BAD,
        Value::Draw => EVEN,
        _ => Style::new(),
    }
}

/// One line for one position of a file.
pub(crate) fn result_line(label: &str, answer: &Answer, goal: Goal) -> String {
    let score = match answer.expected {
        Some(expected) => expected.is_final().then(|| expected.to_string()),
        None => answer.bounds.exact().map(|score| score.to_string()),
    };
    let value = match score.filter(|_| goal == Goal::Score) {
        Some(score) => format!("score {score}"),
        None => answer.value.to_string(),
    };
    let style = style_of(answer.value);
    let open = if is_settled(answer, goal) { "" } else { "not settled" };
    let line = format!(
        "{label:<8} {style}{value:<9}{style:#} {:<8} {:>9} {:>10} playouts {:>9} nodes  {open}",
        answer.best_move.as_deref().unwrap_or("-"),
        figures::time(answer.elapsed),
        figures::count(answer.playouts as f64),
        figures::count(answer.nodes as f64),
    );
    line.trim_end().to_string() + "\n"
}
