//! The least payoffs that count as draws and as wins.

use crate::{Game, Interval, Outcome};

/// The thresholds of a player's outcomes; `None` if no payoff has that outcome or a better one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thresholds {
    /// The least payoff that is a draw.
    pub draw: Option<i32>,
    /// The least payoff that is a win.
    pub win: Option<i32>,
}

impl Thresholds {
    /// The least payoff whose outcome is `outcome` or better, if the range contains one; `None` for
    /// a loss, which every payoff reaches.
    #[inline]
    pub fn least(self, outcome: Outcome) -> Option<i32> {
        match outcome {
            Outcome::Loss => None,
            Outcome::Draw => self.draw,
            Outcome::Win => self.win,
        }
    }

    /// The outcome of a payoff according to these thresholds.
    #[inline]
    pub fn outcome(self, payoff: i32) -> Outcome {
        if self.win.is_some_and(|least| payoff >= least) {
            Outcome::Win
        } else if self.draw.is_some_and(|least| payoff >= least) {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }
}

/// Finds a player's thresholds by bisection; outcomes must not get worse when payoffs rise.
pub fn find_thresholds<G: Game>(game: &G, player: usize, range: Interval) -> Thresholds {
    let least = |outcome: Outcome| {
        let (mut low, mut high) = (i64::from(range.lower), i64::from(range.upper) + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if game.outcome(player, middle as i32) >= outcome {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        i32::try_from(low).ok().filter(|&payoff| payoff <= range.upper)
    };
    Thresholds { draw: least(Outcome::Draw), win: least(Outcome::Win) }
}
