//! Proven values of a position, as outcomes and as payoffs.

use crate::{Interval, Outcome};
use std::fmt;

/// The proven value of a position for one player.
///
/// In one-player games and two-player zero-sum games, values assume best play. With chance, `Win`
/// and `Loss` hold for every outcome of chance, and `NotWin` means that chance can prevent a win.
/// In other games values are guarantees against a coalition of all other players, so `Loss` means
/// that the others together can make the player lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Value {
    /// The player can force a win.
    Win,
    /// The player can force a draw, but not a win.
    Draw,
    /// The others can make the player lose.
    Loss,
    /// The player cannot force a win; it is open whether the value is a draw or a loss.
    NotWin,
    /// The player can avoid a loss; it is open whether the value is a win or a draw.
    NotLoss,
    /// Nothing is proven: the value may be a win, a draw or a loss.
    Unknown,
}

impl Value {
    /// The value that describes the outcomes that are still possible.
    #[doc(hidden)]
    #[inline]
    pub fn of(prospect: Prospect) -> Value {
        match (prospect.worst, prospect.best) {
            (Outcome::Win, _) => Value::Win,
            (_, Outcome::Loss) => Value::Loss,
            (Outcome::Draw, Outcome::Draw) => Value::Draw,
            (Outcome::Draw, Outcome::Win) => Value::NotLoss,
            (Outcome::Loss, Outcome::Draw) => Value::NotWin,
            (Outcome::Loss, Outcome::Win) => Value::Unknown,
        }
    }

    /// The value's name: lower-case words with hyphens.
    pub fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Draw => "draw",
            Value::Loss => "loss",
            Value::NotWin => "not-win",
            Value::NotLoss => "not-loss",
            Value::Unknown => "unknown",
        }
    }

    /// Returns whether the value is a win, a draw or a loss.
    #[inline]
    pub fn is_decided(self) -> bool {
        matches!(self, Value::Win | Value::Draw | Value::Loss)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The proven bounds on a payoff. A bound is `None` if the game sets no limit and nothing is
/// proven. In games with chance the payoff is the expected one, and the bounds are rounded outward
/// to whole numbers; [`Expected`](../proofwood/struct.Expected.html) gives them exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The player can force at least this payoff.
    pub lower: Option<i32>,
    /// The player cannot force more than this payoff.
    pub upper: Option<i32>,
}

impl fmt::Display for Bounds {
    /// Writes an exact payoff as `1` and other bounds as `-1..1`, with `?` for an unknown bound.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |end: Option<i32>| end.map_or("?".into(), |end| end.to_string());
        match self.exact() {
            Some(payoff) => f.pad(&payoff.to_string()),
            None => f.pad(&format!("{}..{}", end(self.lower), end(self.upper))),
        }
    }
}

impl Bounds {
    #[doc(hidden)]
    pub const UNKNOWN: Bounds = Bounds { lower: None, upper: None };

    /// The exact payoff, if the bounds are equal.
    pub fn exact(self) -> Option<i32> {
        self.lower.filter(|_| self.lower == self.upper)
    }
}

impl From<Interval> for Bounds {
    fn from(interval: Interval) -> Bounds {
        // An unlimited payoff of the first player is −i32::MAX for the second player.
        let exact = interval.is_exact();
        Bounds {
            lower: Some(interval.lower).filter(|&lower| exact || lower > -i32::MAX),
            upper: Some(interval.upper).filter(|&upper| exact || upper < i32::MAX),
        }
    }
}

/// The worst and the best outcome that are still possible for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The worst possible outcome.
    pub worst: Outcome,
    /// The best possible outcome.
    pub best: Outcome,
}
