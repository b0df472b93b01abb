//! Parses `go` and formats reports on a search.

use super::super::table::{Table, on_clock, ranked};
use super::dialect::{Dialect, Protocol};
use proofwood::{Budget, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer, Position};
use proofwood_session::words::numbers;
use std::fmt::Write;
use std::time::Duration;

pub(super) const EVERY: Duration = Duration::from_secs(1);

/// The arguments of `go`.
pub(super) struct Asked {
    pub(super) budget: Budget,
    /// Whether the best move is reported only after `stop`.
    pub(super) infinite: bool,
    /// Whether the engine thinks on the opponent's time; its clock then starts at `ponderhit`.
    pub(super) ponders: bool,
    /// The moves to choose from; `None` for all.
    pub(super) among: Option<Vec<String>>,
    /// For `go mate`, the limit of the proof: moves in UCI, milliseconds in USI; `Some(None)` for
    /// no limit.
    pub(super) mate: Option<Option<u64>>,
    /// An error to report; the search runs anyway.
    pub(super) odd: Option<String>,
}

/// The clock times given to `go`.
#[derive(Default)]
struct Times {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves: Option<u32>,
    byoyomi: Duration,
}

/// All argument names of `go`.
const WORDS: &[&str] = &[
    "binc",
    "btime",
    "byoyomi",
    "depth",
    "infinite",
    "mate",
    "movestogo",
    "movetime",
    "nodes",
    "p1inc",
    "p1time",
    "p2inc",
    "p2time",
    "ponder",
    "searchmoves",
    "winc",
    "wtime",
];

impl Asked {
    pub(super) fn usual(table: &Table) -> Asked {
        let budget = table.usual();
        Asked { budget, infinite: false, ponders: false, among: None, mate: None, odd: None }
    }

    /// Returns whether the best move may be sent only after a further command.
    pub(super) fn holds(&self) -> bool {
        self.infinite || self.ponders
    }

    /// Parses the arguments of `go`; returns an error if no legal move remains to choose from.
    pub(super) fn read(words: &[&str], table: &Table, dialect: Dialect) -> Result<Asked, String> {
        let mut words = words.iter().copied().peekable();
        let (mut budget, mut times) = (Budget::default(), Times::default());
        let mut asked = Asked::usual(table);
        // White moves first, except in shogi.
        let first = if dialect.protocol == Protocol::Usi { b'b' } else { b'w' };
        while let Some(word) = words.next() {
            match word {
                "infinite" => asked.infinite = true,
                "ponder" => asked.ponders = true,
                "searchmoves" => {
                    let mut among = Vec::new();
                    while let Some(mv) = words.next_if(|word| !WORDS.contains(word)) {
                        let here = dialect.read_move(mv);
                        let played = table.position.copy().play(&here);
                        among.push(played.map_err(|error| format!("searchmoves {mv}: {error}"))?);
                    }
                    asked.among = Some(among);
                }
                "mate" if words.next_if_eq(&"infinite").is_some() => asked.mate = Some(None),
                word if WORDS.contains(&word) => {
                    let number = words.next_if(|text| !WORDS.contains(text));
                    let Some(number) = number.and_then(|text| text.parse::<i64>().ok()) else {
                        asked.odd = Some(format!("go: {word} needs a number"));
                        continue;
                    };
                    let count = number.max(1).unsigned_abs();
                    let time = Duration::from_millis(number.max(0).unsigned_abs());
                    let player =
                        usize::from(!word.starts_with("p1") && word.as_bytes()[0] != first);
                    match word {
                        "movetime" => budget = budget.time(time.max(Duration::from_millis(1))),
                        // A node of other engines corresponds to a playout here.
                        "nodes" => budget = budget.playouts(count),
                        "mate" => asked.mate = Some(Some(count)),
                        "movestogo" => {
                            times.moves = Some(u32::try_from(count).unwrap_or(u32::MAX));
                        }
                        "byoyomi" => times.byoyomi = time,
                        "wtime" | "btime" | "p1time" | "p2time" => times.left[player] = Some(time),
                        "winc" | "binc" | "p1inc" | "p2inc" => times.increment[player] = time,
                        // A best-first search has no depth limit.
                        _ => {}
                    }
                }
                odd => {
                    asked.odd.get_or_insert_with(|| format!("go: unknown word '{odd}'"));
                }
            }
        }
        let mover = match table.position.turn() {
            Turn::Player(player) => player.min(1),
            _ => 0,
        };
        if let Some(time) = times.planned(mover) {
            budget = budget.time(time);
        }
        asked.budget = match budget.time.is_some() || budget.playouts.is_some() {
            true => budget,
            false if asked.infinite => Budget::pondering(),
            false => table.usual(),
        };
        Ok(asked)
    }
}

impl Times {
    /// Returns the time for this player's move; `None` if no clock runs.
    fn planned(&self, mover: usize) -> Option<Duration> {
        if self.left[mover].is_none() && self.byoyomi.is_zero() {
            return None;
        }
        let left = self.left[mover].unwrap_or_default();
        // A twentieth is reserved for the delay between the programs.
        let period = self.byoyomi - self.byoyomi / 20;
        let main = match left.is_zero() && !period.is_zero() {
            true => Duration::ZERO,
            false => on_clock(left, self.increment[mover], self.moves).time.unwrap_or_default(),
        };
        Some((main + period).max(Duration::from_millis(1)))
    }
}

/// Formats the state of a search, one line for each of the `most` best moves.
pub(super) fn info(answer: &Answer, most: usize, dialect: Dialect, start: &dyn Position) -> String {
    let mut text = String::new();
    let best = answer.best_move.as_ref();
    for (number, mv) in (1..).zip(ranked(answer).into_iter().take(most)) {
        let (score, line) = match best == Some(&mv.text) {
            true => (score(answer, mv, dialect), dialect.write_line(start, &answer.pv)),
            false => (
                format!("cp {}", centipawns(mv.proven, mv.mean)),
                dialect.write_line(start, std::slice::from_ref(&mv.text)),
            ),
        };
        let multi = if most > 1 { format!(" multipv {number}") } else { String::new() };
        let _ = writeln!(
            text,
            "info depth {}{multi} nodes {} nps {:.0} time {} score {score} pv {}",
            line.len().max(1),
            answer.playouts,
            answer.playouts_per_second,
            answer.elapsed.as_millis(),
            line.join(" ")
        );
    }
    if answer.proven != Value::Unknown {
        let bounds = numbers::payoff(answer.bounds, answer.expected).replace(' ', "");
        let _ = writeln!(text, "info string proven {}, bounds {bounds}", answer.proven.name());
    }
    text
}

/// Formats the score of the best move, as `mate` if a bound on the game's length is known.
fn score(answer: &Answer, best: &MoveAnswer, dialect: Dialect) -> String {
    match (answer.proven, answer.ends_in) {
        (Value::Win, Some(plies)) => mate(plies, dialect),
        (Value::Loss, Some(plies)) => format!("mate -{}", dialect.protocol.moves(plies)),
        (Value::Unknown, _) => {
            format!("cp {}", centipawns(best.proven, best.mean.or(answer.mean)))
        }
        (value, _) => format!("cp {}", centipawns(value, answer.mean)),
    }
}

pub(super) fn mate(plies: u32, dialect: Dialect) -> String {
    format!("mate {}", dialect.protocol.moves(plies))
}

/// Converts a value to centipawns. One pawn, or 100 centipawns, corresponds to 75 % of the points.
fn centipawns(proven: Value, mean: Option<f64>) -> i32 {
    const WON: i32 = 10_000;
    match proven {
        Value::Win => WON,
        Value::Draw => 0,
        Value::Loss => -WON,
        _ => {
            let mean = mean.unwrap_or(0.0).clamp(-0.999, 0.999);
            // Elo's logistic curve, scaled so that a pawn is 75 % of the points (190 Elo).
            let pawns = ((1.0 + mean) / (1.0 - mean)).ln() / 3f64.ln();
            (pawns * 100.0).round() as i32
        }
    }
}
