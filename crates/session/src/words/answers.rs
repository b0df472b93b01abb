//! Formats positions and the answers of searches.

use super::numbers;
use super::players::{self, sentence};
use crate::json::CertificateJson;
use proofwood::internals::Counters;
use proofwood::options::Bias;
use proofwood::{Bounds, Config, Goal, StopReason, Value};
use proofwood_any_game::{Answer, MoveAnswer, ShortestAnswer, View};
use std::fmt::Write;

/// Formats a position: its drawing, its text form, the player to move and the moves.
pub fn position(view: &View) -> String {
    let mut text = drawing(view);
    if !view.text.is_empty() && view.text.trim() != view.board.trim() {
        let _ = writeln!(text, "Position   {}", view.text);
    }
    match (&view.payoffs, view.to_move) {
        (Some(payoffs), _) => {
            let _ = writeln!(text, "Game over  {}", players::result(&view.players, payoffs));
        }
        (None, Some(player)) => {
            let _ = writeln!(text, "To move    {}", players::name(&view.players, player));
        }
        (None, None) => text.push_str("To move    chance\n"),
    }
    let count = view.legal_moves.len();
    if let Some(probabilities) = &view.probabilities {
        let alike = probabilities.iter().all(|&one| one == probabilities[0]);
        let outcomes: Vec<String> = match alike {
            true => view.legal_moves.clone(),
            false => std::iter::zip(&view.legal_moves, probabilities)
                .map(|(outcome, &one)| format!("{outcome} ({})", numbers::probability(one)))
                .collect(),
        };
        let alike = if alike { ", equally likely" } else { "" };
        let _ = writeln!(text, "Outcomes   {} ({count}{alike})", outcomes.join(" "));
    } else if count > 0 {
        let _ = writeln!(text, "Moves      {} ({count})", view.legal_moves.join(" "));
    }
    text
}

/// Formats the drawing of a position and the player to move.
pub fn board(view: &View) -> String {
    drawing(view) + &players::to_move(view)
}

fn drawing(view: &View) -> String {
    match view.board.trim_end() {
        "" => String::new(),
        board => format!("{board}\n"),
    }
}

/// Formats the counters of the search's mechanisms, one per line.
pub fn counters_text(counters: Option<&Counters>) -> String {
    let mut text = String::new();
    for (number, (_, meaning, times)) in counters.iter().flat_map(|c| c.iter()).enumerate() {
        let gap = if number == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{gap}{:>9}  {meaning}", numbers::count(times as f64));
    }
    text
}

/// Formats the length and the moves of the shortest win.
pub fn shortest(players: &[String], found: Option<&ShortestAnswer>) -> String {
    let Some(found) = found else { return "Shortest no forced win was proven\n".into() };
    let winner = players::name(players, found.winner);
    match found.moves {
        None => format!(
            "Shortest {winner} needs more than {} moves; {}\n",
            found.more_than,
            why_it_ended(found.stop_reason)
        ),
        Some(moves) => {
            let s = if moves == 1 { "" } else { "s" };
            let line = found.pv.join(" ");
            format!("Shortest {winner} wins in {moves} move{s}, counting both sides: {line}\n")
        }
    }
}

/// Describes a certificate that was written.
pub fn certificate(proof: &CertificateJson) -> String {
    format!(
        "Proof    {}: {} positions, checked\n",
        proof.file,
        numbers::count(proof.positions as f64),
    )
}

/// Formats the figures of the root and the costs of the search.
pub fn figures_text(answer: &Answer) -> String {
    let numbers = std::iter::zip(&answer.players, answer.proof_numbers.iter());
    let numbers: Vec<String> = numbers.map(|(name, number)| format!("{name} {number}")).collect();
    let mut root = String::new();
    if has_bounds(answer) {
        let _ = write!(
            root,
            "{} {} for {}",
            if answer.expected.is_some() { "expected payoff" } else { "bounds" },
            numbers::payoff(answer.bounds, answer.expected),
            players::name(&answer.players, answer.to_move.unwrap_or(0)),
        );
    }
    if answer.counts_proof_numbers {
        let comma = if root.is_empty() { "" } else { ", " };
        let _ = write!(root, "{comma}proof numbers {}", numbers.join(", "));
    }
    if answer.saturated {
        root.push_str(" (at the counting limit)");
    }
    let threads = match answer.threads {
        1 => "1 thread".to_string(),
        n => format!("{n} threads"),
    };
    let root = if root.is_empty() { root } else { format!("Root     {root}\n") };
    format!(
        "{root}Search   {} playouts in {}, {} a second on {threads}\nTree     {} nodes, {}\n",
        numbers::count(answer.playouts as f64),
        numbers::time(answer.elapsed),
        numbers::count(answer.playouts_per_second),
        numbers::count(answer.nodes as f64),
        numbers::bytes(answer.bytes),
    )
}

/// Returns the answer as one sentence.
pub fn headline(view: &View, answer: &Answer, goal: Goal) -> String {
    if let Some(payoffs) = &view.payoffs {
        return format!("The game is over. {}.", players::result(&view.players, payoffs));
    }
    let player = players::name(&answer.players, answer.to_move.unwrap_or(0));
    let best = answer.best_move.as_deref();
    let with = best.map_or_else(String::new, |best| format!(" with {best}"));
    let tried = best.map_or_else(String::new, |best| format!("; best try {best}"));
    let coalition = if answer.paranoid { " against all others together" } else { "" };
    let luck = if answer.expected.is_some() { " whatever chance brings" } else { "" };
    let known = match (score(answer, goal), answer.proven) {
        (Some(score), _) => format!("Proven: {score}{coalition}"),
        (None, Value::Win) => format!("{player} wins{coalition}{luck}{with}, proven"),
        (None, Value::Draw) if answer.paranoid => {
            format!("{player} can force a draw and no more{coalition}{with}, proven")
        }
        (None, Value::Draw) => format!("A draw{with}, proven"),
        (None, Value::Loss) if answer.paranoid => {
            format!("{player} loses if all the others join forces{luck}, proven{tried}")
        }
        (None, Value::Loss) => format!("{player} loses{luck}, proven{tried}"),
        (None, value) => open_sentence(player, value, best, coalition),
    };
    sentence(&format!("{known}{}.", rest_of_sentence(answer, goal)))
}

/// Returns the score in words, or `None` if its bounds can still be narrowed.
fn score(answer: &Answer, goal: Goal) -> Option<String> {
    let player = players::name(&answer.players, answer.to_move.unwrap_or(0));
    let best = answer.best_move.as_deref();
    match answer.expected {
        _ if goal != Goal::Score => None,
        Some(expected) if expected.is_final() => {
            let rounded = if expected.exact().is_none() { " (rounded outward)" } else { "" };
            let with = best.map_or_else(String::new, |best| format!(" with {best}"));
            Some(format!("{player} gets {expected} on average{rounded}{with}"))
        }
        Some(_) => None,
        None => {
            let opposed = answer.players.len() == 2 && !answer.paranoid;
            answer.bounds.exact().map(|score| players::scores(player, score, opposed, best))
        }
    }
}

fn open_sentence(player: &str, value: Value, best: Option<&str>, coalition: &str) -> String {
    let best_move = best.map_or_else(String::new, |best| format!("; best {best}"));
    match (value, best) {
        (Value::NotWin, _) => {
            format!("{player} cannot force a win{coalition}, proven{best_move}")
        }
        (Value::NotLoss, _) => {
            format!("{player} can force at least a draw{coalition}, proven{best_move}")
        }
        (_, Some(best)) => format!("Not solved: {player}'s best is {best}"),
        (_, None) => format!("Not solved: chance decides; {player} expects"),
    }
}

/// Returns the mean of the best move's playouts, or the position's mean at a chance node; `None` if
/// a proven value is shown instead.
pub fn mean(answer: &Answer, goal: Goal) -> Option<f64> {
    match &answer.best_move {
        Some(best) => sampled(answer.moves.iter().find(|mv| mv.text == *best)?, goal),
        None => answer.mean.filter(|_| !answer.proven.is_decided()),
    }
}

/// Returns the name of the mean in tables. With the goal `score`, the mean combines outcomes and
/// scores and is therefore not a win rate.
pub fn mean_name(goal: Goal) -> &'static str {
    if goal == Goal::Score { "value" } else { "win rate" }
}

/// Describes what the answer leaves open, and why the search ended.
fn rest_of_sentence(answer: &Answer, goal: Goal) -> String {
    if answer.solved {
        return String::new();
    }
    let mut rest = String::new();
    if let Some(mean) = mean(answer, goal).filter(|_| !answer.proven.is_decided()) {
        let share = numbers::share(mean);
        let _ = match (&answer.best_move, answer.proven) {
            (Some(_), _) => write!(rest, ", {share}"),
            // The sentence begins with "x expects".
            (None, Value::Unknown) => write!(rest, " {share}"),
            (None, _) => write!(rest, "; {} {share}", mean_name(goal)),
        };
    }
    if (goal == Goal::Score || answer.expected.is_some()) && has_bounds(answer) {
        let payoff = numbers::payoff(answer.bounds, answer.expected);
        let name = if answer.expected.is_some() { "expected payoff" } else { "score" };
        let _ = write!(rest, ", {name} {payoff}");
    }
    if answer.stop_reason.is_some() {
        let why = why_it_ended(answer.stop_reason);
        let _ = write!(rest, " ({why} after {})", numbers::time(answer.elapsed));
    }
    rest
}

/// Explains why a search ended before it answered its question.
pub fn why_it_ended(reason: Option<StopReason>) -> &'static str {
    match reason {
        Some(StopReason::Estimated) => "the estimate is precise enough",
        Some(StopReason::Time) => "time is up",
        Some(StopReason::CpuTime) => "the processor time is used up",
        Some(StopReason::Playouts) => "all playouts are done",
        Some(StopReason::Nodes) => "the node limit is reached",
        Some(StopReason::Bytes) => "the byte limit is reached",
        Some(StopReason::Memory) => "memory is full",
        Some(StopReason::Decided) => "the best move cannot be overtaken",
        Some(StopReason::Cancelled) => "interrupted",
        _ => "stopped",
    }
}

/// Explains the table: its point of view, its figures, and why the best move may not have the best
/// mean.
pub fn legend(answer: &Answer, config: &Config) -> String {
    let name = players::name(&answer.players, answer.to_move.unwrap_or(0));
    let mut text = String::new();
    if let Some(why) = why_not_the_greatest(answer, config) {
        let _ = writeln!(text, "{why}");
    }
    if says_little(answer, config.goal) {
        text.push_str(
            "All moves are near 50 %: nearly all playouts seem to have been drawn or cut off, so \
             win rates say little.\n",
        );
    }
    let bounds = match (has_bounds(answer), answer.expected.is_some()) {
        (false, _) => "",
        (true, true) => "expected payoffs and ",
        (true, false) => "bounds and ",
    };
    let proven = format!("{bounds}outcomes are proven");
    if answer.solved {
        let _ = writeln!(text, "From {name}'s point of view. {}.", players::sentence(&proven));
    } else {
        let even = match answer.players.len() {
            0 | 1 => String::new(),
            2 => "50 % = even".into(),
            n => format!("{:.1} % = even", 100.0 / n as f64),
        };
        let mean = match (config.goal, answer.expected) {
            (Goal::Score, Some(_)) => {
                "Values are playout averages of the payoff, scaled to its range"
            }
            (Goal::Score, None) => {
                "Values are playout averages: half outcome, half score, scaled to its range"
            }
            _ => "Win rates are playout averages; a draw counts as half",
        };
        let even = if even.is_empty() { even } else { format!(" ({even})") };
        let _ = writeln!(text, "From {name}'s point of view. {mean}{even};\n{proven}.");
    }
    if answer.counts_proof_numbers {
        let players = answer.players.join(" / ");
        let _ =
            writeln!(text, "Proof numbers of {players}: 0 is a proven win, ∞ an impossible one.");
    }
    text
}

/// Returns whether all moves have a mean of about 50 %, which suggests that most playouts were
/// draws or were cut off.
fn says_little(answer: &Answer, goal: Goal) -> bool {
    /// The maximum distance of such a mean from 0; 0.01 is half a percentage point.
    const NEAR: f64 = 0.01;
    const VISITS: u64 = 100;
    let mut seen = answer.moves.iter().filter(|mv| mv.visits > 0).peekable();
    let near = |mv: &MoveAnswer| sampled(mv, goal).is_some_and(|mean| mean.abs() < NEAR);
    answer.playouts >= VISITS && answer.moves.len() > 1 && seen.peek().is_some() && seen.all(near)
}

/// Returns whether any bound on the position or on a move is known.
pub fn has_bounds(answer: &Answer) -> bool {
    let any = |bounds: Bounds| bounds.lower.is_some() || bounds.upper.is_some();
    answer.expected.is_some() || any(answer.bounds) || answer.moves.iter().any(|mv| any(mv.bounds))
}

/// Explains why the best move does not have the greatest mean; returns `None` if it does.
fn why_not_the_greatest(answer: &Answer, config: &Config) -> Option<String> {
    if answer.solved || answer.proven.is_decided() {
        return None;
    }
    let best = answer.best_move.as_deref()?;
    let best = answer.moves.iter().find(|mv| mv.text == best)?;
    let worth = match best.proven {
        Value::Win => 1.0,
        Value::Draw => 0.0,
        Value::Loss => -1.0,
        _ => sampled(best, config.goal)?,
    };
    let open = answer.moves.iter().filter_map(|mv| Some((sampled(mv, config.goal)?, mv)));
    let (mean, most) = open.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    // A difference that the table does not show needs no explanation.
    if mean <= worth || numbers::share(mean) == numbers::share(worth) {
        return None;
    }
    let weighed =
        answer.counts_proof_numbers && config.bias != Bias::None && config.c_pn != Some(0.0);
    let option = config.c_pn.map_or("--c-pn".into(), |c_pn| format!("--c-pn {c_pn}"));
    let why = match answer.moves.iter().all(|mv| mv.visits <= best.visits) {
        false => "the move with the best guaranteed result is played".to_string(),
        true if weighed => format!(
            "the most visited move is played;\nproof numbers also attract visits ({option})"
        ),
        true => "the most visited move is played".to_string(),
    };
    Some(format!("{} scores higher, but {why}.", most.text))
}

/// Returns the mean of a move's playouts. Returns `None` if the move's value is proven, because the
/// mean could seem to contradict the proof.
pub fn sampled(mv: &MoveAnswer, goal: Goal) -> Option<f64> {
    let solved = match (goal, mv.expected) {
        (Goal::Score, Some(expected)) => expected.is_final(),
        (Goal::Score, None) => mv.bounds.exact().is_some(),
        _ => mv.proven.is_decided(),
    };
    mv.mean.filter(|_| !solved)
}

/// Returns the moves, best first.
pub fn sorted(answer: &Answer) -> Vec<&MoveAnswer> {
    let mut sorted: Vec<&MoveAnswer> = answer.moves.iter().collect();
    sorted.sort_by(|a, b| rank(answer, b).partial_cmp(&rank(answer, a)).expect("no NaN"));
    sorted
}

/// Returns the sort key of a move. The best move ranks first; the others are ordered by proven
/// value, lower bound, visits and mean.
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
    (best, proven, secured, mv.visits, mv.mean.unwrap_or(-1.0))
}
