//! What `go` asks for, and what is told of a search.

use super::super::table::{Table, on_clock};
use super::dialect::{Dialect, Protocol};
use crate::display::numbers;
use proofwood::{Budget, Turn, Value};
use proofwood_any_game::{Answer, Position};
use std::fmt::Write;
use std::time::Duration;

/// The time between two reports.
pub(super) const EVERY: Duration = Duration::from_secs(1);

/// What a search may take.
pub(super) struct Asked {
    pub(super) budget: Budget,
    /// The move is told when it is asked for, and not before.
    pub(super) waits: bool,
}

/// The clocks that were told.
#[derive(Default)]
struct Times {
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    moves: Option<u32>,
    byoyomi: Duration,
}

impl Asked {
    /// What a move takes where nothing is said.
    pub(super) fn usual(table: &Table) -> Asked {
        Asked { budget: table.usual(), waits: false }
    }

    /// What the words behind `go` ask for.
    pub(super) fn read(words: &[&str], table: &Table, protocol: Protocol) -> Result<Asked, String> {
        let mut words = words.iter().copied().peekable();
        let (mut budget, mut times, mut waits) = (Budget::default(), Times::default(), false);
        let mut limited = false;
        // White begins but in shogi.
        let (first, second) = if protocol == Protocol::Usi { ("b", "w") } else { ("w", "b") };
        while let Some(word) = words.next() {
            if word == "infinite" || word == "ponder" {
                (budget, waits, limited) = (Budget::pondering(), true, true);
                continue;
            }
            if word == "searchmoves" || word == "mate" {
                return Err(format!("go {word} is not known here"));
            }
            let text = words.next().ok_or_else(|| format!("go {word} needs a number"))?;
            let number: i64 =
                text.parse().map_err(|_| format!("go {word}: '{text}' should be a number"))?;
            let count = number.max(1).unsigned_abs();
            let time = Duration::from_millis(number.max(0).unsigned_abs());
            let player = match word.as_bytes().first() {
                Some(letter) if first.as_bytes().first() == Some(letter) => 0,
                Some(letter) if second.as_bytes().first() == Some(letter) => 1,
                _ if word.starts_with("p1") => 0,
                _ => 1,
            };
            match word {
                "movetime" => budget = budget.time(time.max(Duration::from_millis(1))),
                // What other engines call a node is a playout here.
                "nodes" => budget = budget.playouts(count),
                // There is no depth in a search that goes deeper where it matters.
                "depth" => continue,
                "wtime" | "btime" | "p1time" | "p2time" => times.left[player] = Some(time),
                "winc" | "binc" | "p1inc" | "p2inc" => {
                    times.increment[player] = time;
                    continue;
                }
                "movestogo" => {
                    times.moves = Some(u32::try_from(count).unwrap_or(u32::MAX));
                    continue;
                }
                "byoyomi" => times.byoyomi = time,
                _ => return Err(format!("go {word} is not known here")),
            }
            limited = true;
        }
        if !limited {
            return Ok(Asked::usual(table));
        }
        let mover = match table.position.turn() {
            Turn::Player(player) => player.min(1),
            _ => 0,
        };
        if let Some(time) = times.planned(mover) {
            budget = budget.time(time);
        }
        if budget.time.is_none() && budget.playouts.is_none() {
            budget = table.usual();
        }
        Ok(Asked { budget, waits })
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

/// What is known of a search, on one line.
pub(super) fn info(answer: &Answer, dialect: Dialect, start: &dyn Position) -> String {
    let line = dialect.write_line(start, &answer.pv);
    let time = answer.elapsed.as_millis();
    let mut text = format!(
        "info depth {} nodes {} nps {:.0} time {time} score cp {} pv {}\n",
        line.len().max(1),
        answer.playouts,
        answer.playouts_per_second,
        centipawns(answer),
        line.join(" ")
    );
    if answer.value != Value::Unknown {
        let bounds = numbers::payoff(answer.bounds, answer.expected).replace(' ', "");
        let _ = writeln!(text, "info string proven {}, bounds {bounds}", answer.value.name());
    }
    text
}

/// A value as a chess engine writes it: a hundred is a pawn, and 75 % of the points.
fn centipawns(answer: &Answer) -> i32 {
    const WON: i32 = 10_000;
    let best = answer.best_move.as_ref();
    let best = answer.moves.iter().find(|mv| Some(&mv.text) == best);
    match answer.value {
        Value::Win => WON,
        Value::Draw => 0,
        Value::Loss => -WON,
        _ => {
            let mean = best.and_then(|mv| mv.mean).or(answer.mean).unwrap_or(0.0);
            let mean = mean.clamp(-0.999, 0.999);
            // Points as Elo says, and 400 Elo as 2.1 pawns: 75 % is 1 pawn.
            let pawns = ((1.0 + mean) / (1.0 - mean)).ln() / 3f64.ln();
            (pawns * 100.0).round() as i32
        }
    }
}
