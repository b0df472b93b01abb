//! Formats the answers of searches as text for users: a board, a sentence, a table.

use super::grid::{Column, Grid, TableStyle, left, right};
use super::screen::{self, Line};
use anstyle::{AnsiColor, Style};
use proofwood::options::Source;
use proofwood::{Config, Goal, Value};
use proofwood_any_game::{Answer, View};
use proofwood_session::words::answers::{
    board, counters_text, figures_text, has_bounds, headline, legend, mean_name, sampled, sorted,
};
use proofwood_session::words::numbers;
use std::fmt::Write;
use std::time::Duration;

const MOST_ROWS: usize = 24;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const EVEN: Style = AnsiColor::Yellow.on_default();

pub(crate) fn answer(view: &View, answer: &Answer, config: &Config) -> String {
    let mut text = board(view);
    let style = if view.payoffs.is_some() { BOLD } else { style_of(answer.proven).bold() };
    let sentence = headline(view, answer, config.goal);
    let _ = writeln!(text, "\n{style}{sentence}{style:#}\n");
    if !answer.moves.is_empty() {
        text.push_str(&moves(answer, config.goal));
        text.push('\n');
        text.push_str(&legend(answer, config));
        text.push('\n');
    }
    if !answer.pv.is_empty() {
        let _ = writeln!(text, "Line     {}", answer.pv.join(" "));
    }
    if let Some(plies) = answer.ends_in.filter(|&plies| plies > 0) {
        let plies = if plies == 1 { "1 ply".into() } else { format!("{plies} plies") };
        let _ = writeln!(text, "Ends     in at most {plies}");
    }
    text.push_str(&figures_text(answer));
    text.push_str(&settings_text(answer));
    text.push_str(&counters_text(answer.counters.as_ref()));
    text
}

/// Lists the settings that differ from the defaults, grouped by origin.
fn settings_text(answer: &Answer) -> String {
    let from = |source, origin: &str| {
        let settings = answer.settings.iter().filter(|(_, setting)| setting.source == source);
        let list: Vec<String> =
            settings.map(|(name, set)| format!("{name} {}", set.value)).collect();
        (!list.is_empty()).then(|| format!("{} ({origin})", list.join(", ")))
    };
    let groups =
        [from(Source::Recommended, "recommended by the game"), from(Source::Given, "given")];
    let groups: Vec<String> = groups.into_iter().flatten().collect();
    if groups.is_empty() {
        return String::new();
    }
    let text = screen::fit(&format!("Settings {}\n", groups.join("; ")));
    format!("{DIM}{text}{DIM:#}")
}

/// Formats the table of the root's moves, best first. Once the question is answered, the column with
/// the playouts' means is left out.
fn moves(answer: &Answer, goal: Goal) -> String {
    let sorted = sorted(answer);
    let chance = answer.moves.iter().any(|mv| mv.probability.is_some());
    let bounds = if answer.expected.is_some() { "expected payoff" } else { "bounds" };
    // Each column, and whether it is shown.
    let columns = [
        (left(if chance { "outcome" } else { "move" }, 0), true),
        (left("proven", 1), true),
        (right(mean_name(goal), 1), !answer.solved),
        (right("visits", 3), true),
        (right("share", 4), true),
        (right("prior", 2), answer.moves.iter().any(|mv| mv.prior.is_some())),
        (right(bounds, 2), has_bounds(answer)),
        (left("proof numbers", 5), answer.counts_proof_numbers),
    ];
    let visits: u64 = answer.moves.iter().map(|mv| mv.visits).sum();
    let rows = sorted.iter().take(MOST_ROWS).map(|mv| {
        let proven = if mv.proven == Value::Unknown { "" } else { mv.proven.name() };
        let cells = [
            match mv.probability {
                Some(probability) => format!("{} ({})", mv.text, numbers::probability(probability)),
                None => mv.text.clone(),
            },
            proven.to_string(),
            sampled(mv, goal).map_or_else(|| "-".to_string(), numbers::share),
            mv.visits.to_string(),
            format!("{:.0} %", mv.visits as f64 * 100.0 / visits.max(1) as f64),
            mv.prior.map_or_else(String::new, |prior| format!("{:.1} %", prior * 100.0)),
            numbers::payoff(mv.bounds, mv.expected),
            numbers::proof_numbers(&mv.proof_numbers),
        ];
        let cells = cells.into_iter().zip(&columns);
        cells.filter(|(_, (_, shown))| *shown).map(|(cell, _)| cell).collect()
    });
    let shown = columns.iter().filter(|(_, shown)| *shown);
    let header: Vec<Column<'_>> = shown.map(|(column, _)| column.clone()).collect();
    let grid = Grid::new(&header, rows, TableStyle::Plain, screen::of_output());
    let mut text = grid.styled(|row| style_of(sorted[row].proven));
    if sorted.len() > MOST_ROWS {
        let _ = writeln!(text, " and {} more; --json has them all", sorted.len() - MOST_ROWS);
    }
    text
}

pub(crate) fn style_of(value: Value) -> Style {
    match value {
        Value::Win => GOOD,
        Value::Loss => BAD,
        Value::Draw => EVEN,
        _ => Style::new(),
    }
}

/// Formats the answer and its cost on one line, for a file of positions.
pub(crate) fn result_line(label: &str, answer: &Answer, goal: Goal) -> Line {
    let score = match answer.expected {
        Some(expected) => expected.is_final().then(|| expected.to_string()),
        None => answer.bounds.exact().map(|score| score.to_string()),
    };
    let value = match score.filter(|_| goal == Goal::Score) {
        Some(score) => format!("score {score}"),
        None => answer.proven.to_string(),
    };
    let open = if answer.solved { "" } else { "not solved" };
    let best = answer.best_move.as_deref();
    row(label, (answer.proven, &value), best, answer.elapsed, Some(answer.playouts), answer.nodes)
        .item(2, open)
}

/// Returns the beginning of the result line for a position from a file, which is the same for all
/// solvers.
pub(crate) fn row(
    label: &str,
    (value, text): (Value, &str),
    best: Option<&str>,
    elapsed: Duration,
    playouts: Option<u64>,
    nodes: u64,
) -> Line {
    let style = style_of(value);
    let count = |number: u64, what| format!("{:>7} {what}", numbers::count(number as f64));
    let rank = if playouts.is_some() { 5 } else { 4 };
    Line::new()
        .item(0, format!("{label:<8}"))
        .item(0, format!("{style}{text:<8}{style:#}"))
        .item(1, format!("{:<6}", best.unwrap_or("-")))
        .item(3, format!("{:>9}", numbers::time(elapsed)))
        .item(4, playouts.map_or_else(String::new, |playouts| count(playouts, "playouts")))
        .item(rank, count(nodes, "nodes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::{check, check_text};
    use proofwood::Budget;
    use proofwood_any_game::find;

    #[test]
    fn moves_and_rows_fit() {
        for game in ["othello", "pig:20", "minishogi", "chinese-checkers:players=6"] {
            let position = find(game).unwrap().start();
            let config = Config::default().threads(1).memory(16 << 20);
            let mut search = position.search(&config).unwrap();
            search.start(&Budget::default().playouts(2000)).unwrap();
            let mut answer = search.wait().unwrap();
            answer.moves[0].visits = 1_234_567_890;
            let best = answer.moves[0].text.clone();
            for goal in [Goal::default(), Goal::Score] {
                check_text(|| moves(&answer, goal), &[best.as_str(), mean_name(goal)]);
            }
            check(
                &result_line("line-17", &answer, Goal::default()),
                &[(30, "line-17"), (80, "playouts")],
            );
        }
    }
}
