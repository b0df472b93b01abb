//! Intervals of payoffs.

/// Bounds on the payoff that a player can secure: it is at least `lower` and at most `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The least payoff that the player can force.
    pub lower: i32,
    /// The payoff to which the other players can limit the player.
    pub upper: i32,
}

impl Interval {
    /// The interval that contains only `payoff`.
    #[inline]
    pub fn exactly(payoff: i32) -> Interval {
        Interval { lower: payoff, upper: payoff }
    }

    /// Returns whether the interval contains a single payoff.
    #[inline]
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// The interval as seen by the other player of a zero-sum game.
    #[inline]
    pub fn reversed(self) -> Interval {
        Interval { lower: self.upper.saturating_neg(), upper: self.lower.saturating_neg() }
    }

    /// The intersection of two intervals; an error if it is empty.
    #[inline]
    pub fn and(self, other: Interval) -> Result<Interval, Contradiction> {
        let both =
            Interval { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) };
        if both.lower <= both.upper { Ok(both) } else { Err(Contradiction) }
    }

    /// The interval if the player chooses between two continuations.
    #[inline]
    pub fn max(self, other: Interval) -> Interval {
        Interval { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The interval if an opponent chooses between two continuations.
    #[inline]
    pub fn min(self, other: Interval) -> Interval {
        Interval { lower: self.lower.min(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// The error for two proofs that contradict each other because of a bug in the engine or the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction;
