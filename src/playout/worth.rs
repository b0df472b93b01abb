//! What proven nodes are worth in the unit of playouts, where their payoffs are known.

use super::context::Utility;
use crate::bounds::{Fixed, Interval, Prospect, Span};
use crate::rules::Thresholds;
use crate::settings::Goal;

impl Utility {
    /// The least and the greatest value to a player for whom these outcomes and (expected)
    /// payoffs are left.
    pub(crate) fn between(&self, player: usize, outcomes: Prospect, payoffs: Span) -> [f64; 2] {
        let Thresholds { draw, win } = self.thresholds[player];
        let Interval { lower, upper } = self.ranges[player];
        let pays_outcomes = (draw, win) == (Some(0), Some(1)) && lower >= -1 && upper <= 1;
        let ends = [(outcomes.worst, payoffs.lower), (outcomes.best, payoffs.upper)];
        let [(least, low), (most, high)] = ends.map(|(outcome, payoff)| {
            (self.value(player, outcome, payoff.to_f64()).into(), payoff.to_f64())
        });
        // Then the mean of outcomes is that of payoffs.
        if self.chance && self.goal == Goal::Outcome && pays_outcomes {
            return [low.max(least), high.min(most)];
        }
        [least, most]
    }

    /// What an expected payoff is worth.
    pub(crate) fn of_mean(&self, player: usize, payoff: Fixed) -> f32 {
        let place = self.place(player, payoff.to_f64()).filter(|_| self.chance);
        place.unwrap_or_else(|| self.of(player, payoff.floor()))
    }
}
