//! The moves of a reviewed game.

use super::known::{Judged, Known, Thrown};
use super::look::Found;
use proofwood::{Goal, Turn, Value};
use proofwood_any_game::Position;
use serde::Serialize;

/// The smallest drop in the win rate, from 0 to 1, for which a move is marked `?`.
pub const MISTAKE: f64 = 0.1;
/// The smallest drop in the win rate, from 0 to 1, for which a move is marked `??`.
pub const BLUNDER: f64 = 0.2;

/// A move of the game, with what is known before and after it. Both are from the mover's view or,
/// for an outcome of chance, from the first player's.
pub struct Ply<'a> {
    /// The number of the move, counted from 1.
    pub number: usize,
    /// The player who moved; `None` for chance.
    pub player: Option<usize>,
    /// The move in the game's notation.
    pub mv: &'a str,
    /// The best move in the position before the move, if known.
    pub best: Option<String>,
    /// The knowledge about the position before the move.
    pub before: Known,
    /// The knowledge about the position after the move.
    pub after: Known,
    /// The judgement of the move; `None` for an outcome of chance.
    pub judged: Option<Judged>,
}

/// Returns the moves for which both the position before and the one after were searched.
pub fn plies<'a>(
    start: &dyn Position,
    moves: &'a [String],
    found: &[Option<Found>],
    goal: Goal,
) -> Vec<Ply<'a>> {
    let mut position = start.copy();
    let mut plies = Vec::new();
    for (number, (mv, pair)) in (1..).zip(moves.iter().zip(found.windows(2))) {
        let player = match position.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        if let [Some(before), Some(after)] = pair {
            let side = player.unwrap_or(0);
            let (known, next) = (before.known.of_player(side), after.known.of_player(side));
            let judged = player.map(|_| known.judged(&next, goal));
            let best = before.best.clone();
            plies.push(Ply { number, player, mv, best, before: known, after: next, judged });
        }
        // The move was played before, so this cannot fail.
        let _ = position.play(mv);
    }
    plies
}

impl Ply<'_> {
    /// Returns the annotation mark of the move, `?` or `??`, as used in chess.
    pub fn mark(&self) -> Option<&'static str> {
        let lost = match self.judged? {
            Judged::Kept => return None,
            Judged::Thrown(Thrown { from: Value::Unknown, .. }) => return Some("?"),
            Judged::Thrown(_) => return Some("??"),
            Judged::Open => self.before.share()? - self.after.share()?,
        };
        match lost {
            lost if lost >= BLUNDER => Some("??"),
            lost if lost >= MISTAKE => Some("?"),
            _ => None,
        }
    }

    /// Describes what the move gave away, or may have given away.
    pub fn note(&self, goal: Goal) -> Option<String> {
        match self.judged? {
            Judged::Kept => None,
            Judged::Thrown(Thrown { from: Value::Unknown, payoff, .. }) => {
                Some(format!("{} or more points given away", payoff.unwrap_or(1)))
            }
            Judged::Thrown(Thrown { from, to, .. }) => Some(format!("{from} given away, now {to}")),
            // What was proven before the move is no longer proven after it.
            Judged::Open if self.after.secures_less_than(&self.before, goal) => {
                let before = match self.before.is_solved(goal) {
                    true => self.before.text(goal),
                    false => self.before.value().to_string(),
                };
                Some(format!("{before}, no longer proven"))
            }
            Judged::Open => None,
        }
    }

    /// Returns the move as JSON.
    pub fn json<'p>(&'p self, game: &'p str) -> PlyJson<'p> {
        let known = |known: &Known| KnownJson {
            proven: known.value().name(),
            bounds: [known.bounds.lower, known.bounds.upper],
            mean: known.mean,
        };
        let word = |value: Value| Some(value.name()).filter(|_| value != Value::Unknown);
        PlyJson {
            game,
            ply: self.number,
            player: self.player,
            mv: self.mv,
            best_move: self.best.as_deref(),
            before: known(&self.before),
            after: known(&self.after),
            solved: self.judged.map(|judged| judged != Judged::Open),
            mark: self.mark(),
            thrown: match self.judged {
                Some(Judged::Thrown(Thrown { from, to, payoff })) => {
                    Some(ThrownJson { from: word(from), to: word(to), payoff })
                }
                _ => None,
            },
        }
    }
}

/// The review of a move.
#[derive(Serialize)]
pub struct PlyJson<'a> {
    game: &'a str,
    /// The number of the move in the game, counted from 1.
    ply: usize,
    /// The player who moved; null if chance decided.
    player: Option<usize>,
    #[serde(rename = "move")]
    mv: &'a str,
    /// The best move in the position before the move; null if unknown.
    best_move: Option<&'a str>,
    /// The knowledge about the position before the move.
    before: KnownJson,
    /// The knowledge about the position after the move.
    after: KnownJson,
    /// Whether it is proven that the move lost something or that it lost nothing; null if chance
    /// decided.
    solved: Option<bool>,
    /// `?` for a mistake, `??` for a blunder; null for any other move.
    mark: Option<&'static str>,
    /// The proven loss by the move; null if none is proven.
    thrown: Option<ThrownJson>,
}

/// What is known about a position, for the player who moved, or for player 0 if chance decided.
#[derive(Serialize)]
pub struct KnownJson {
    /// The proven outcome; `unknown` if none is proven.
    proven: &'static str,
    /// Proven bounds on the payoff, the lower one first; null for an unknown bound.
    bounds: [Option<i32>; 2],
    /// The mean value of playouts, from −1 to 1; null without playouts.
    mean: Option<f64>,
}

/// The proven loss by a move.
#[derive(Serialize)]
pub struct ThrownJson {
    /// The outcome proven before the move; null if the outcome stayed the same and only payoff was
    /// lost.
    from: Option<&'static str>,
    /// The outcome proven after the move; null if only payoff was lost.
    to: Option<&'static str>,
    /// The least amount of payoff that was lost; null if no amount is proven.
    payoff: Option<i64>,
}
