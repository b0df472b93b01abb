//! What `go` asks for, and what is told of a search.

use super::super::table::{Table, on_clock, ranked};
use super::dialect::{Dialect, Protocol};
use proofwood::{Budget, Turn, Value};
use proofwood_any_game::{Answer, MoveAnswer, Position};
use proofwood_session::words::numbers;
use std::fmt::Write;
use std::time::Duration;

/// The time between two reports.
pub(super) const EVERY: Duration = Duration::from_secs(1);

/// What `go` asks for.
pub(super) struct Asked {
    pub(super) budget: Budget,
    /// The move is told when it is asked for, and not before.
    pub(super) infinite: bool,
    /// The other side thinks; the clock runs from `ponderhit` on.
    pub(super) ponders: bool,
    /// The moves to choose from; none for all.
    pub(super) among: Option<Vec<String>>,
    /// A win is to be proven: within this number (moves by UCI, milliseconds by USI), or in any.
    pub(super) mate: Option<Option<u64>>,
    /// What was not understood, and changes nothing.
    pub(super) odd: Option<String>,
}

/// The clocks that were told.
#[derive(Default)]
struct Times {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves: Option<u32>,
    byoyomi: Duration,
}

/// The words that `go` knows.
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
    /// What a move takes where nothing is said.
    pub(super) fn usual(table: &Table) -> Asked {
        let budget = table.usual();
        Asked { budget, infinite: false, ponders: false, among: None, mate: None, odd: None }
    }

    /// The move is told when something else is said, and not before.
    pub(super) fn holds(&self) -> bool {
        self.infinite || self.ponders
    }

    /// What the words behind `go` ask for; an error where they restrict the moves in a way that
    /// cannot be met.
    pub(super) fn read(words: &[&str], table: &Table, dialect: Dialect) -> Result<Asked, String> {
        let mut words = words.iter().copied().peekable();
        let (mut budget, mut times) = (Budget::default(), Times::default());
        let mut asked = Asked::usual(table);
        // White begins but in shogi.
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
                        asked.odd = Some(format!("go {word} needs a number"));
                        continue;
                    };
                    let count = number.max(1).unsigned_abs();
                    let time = Duration::from_millis(number.max(0).unsigned_abs());
                    let player =
                        usize::from(!word.starts_with("p1") && word.as_bytes()[0] != first);
                    match word {
                        "movetime" => budget = budget.time(time.max(Duration::from_millis(1))),
                        // What other engines call a node is a playout here.
                        "nodes" => budget = budget.playouts(count),
                        "mate" => asked.mate = Some(Some(count)),
                        "movestogo" => {
                            times.moves = Some(u32::try_from(count).unwrap_or(u32::MAX));
                        }
                        "byoyomi" => times.byoyomi = time,
                        "wtime" | "btime" | "p1time" | "p2time" => times.left[player] = Some(time),
                        "winc" | "binc" | "p1inc" | "p2inc" => times.increment[player] = time,
                        // There is no depth in a search that goes deeper where it matters.
                        _ => {}
                    }
                }
                odd => asked.odd = Some(format!("go {odd} is not known here")),
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
    /// What a move of this player may take; `None` where no clock runs.
    fn planned(&self, mover: usize) -> Option<Duration> {
        if self.left[mover].is_none() && self.byoyomi.is_zero() {
            return None;
        }
        let left = self.left[mover].unwrap_or_default();
        // A margin for the way between the programs.
        let period = self.byoyomi - self.byoyomi / 20;
        let main = match left.is_zero() && !period.is_zero() {
            true => Duration::ZERO,
            false => on_clock(left, self.increment[mover], self.moves).time.unwrap_or_default(),
        };
        Some((main + period).max(Duration::from_millis(1)))
    }
}

/// What is known of a search: a line for each of the `most` best moves.
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

/// The score of the best move: `mate` where it is known when the game ends at the latest.
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

/// A win in so many plies, as a score.
pub(super) fn mate(plies: u32, dialect: Dialect) -> String {
    format!("mate {}", dialect.protocol.moves(plies))
}

/// A value as a chess engine writes it: a hundred is a pawn, and 75 % of the points.
fn centipawns(proven: Value, mean: Option<f64>) -> i32 {
    const WON: i32 = 10_000;
    match proven {
        Value::Win => WON,
        Value::Draw => 0,
        Value::Loss => -WON,
        _ => {
            let mean = mean.unwrap_or(0.0).clamp(-0.999, 0.999);
            // Points as Elo says, and 400 Elo as 2.1 pawns: 75 % is 1 pawn.
            let pawns = ((1.0 + mean) / (1.0 - mean)).ln() / 3f64.ln();
            (pawns * 100.0).round() as i32
        }
    }
}
