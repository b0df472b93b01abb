//! Computes the values of solved nodes, and checks that an evaluator returned a value.

use super::context::Utility;
use super::evaluation::NoValue;
use super::shared::{SharedSearch, Values};
use crate::bounds::{Fixed, Interval, Prospect, Span};
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS};
use crate::rules::Thresholds;
use crate::settings::Goal;

impl<G: Game, L> SharedSearch<G, L> {
    /// Returns whether an evaluator returned a value; `false` if it was stopped.
    #[inline]
    pub(crate) fn has_value(&self, valued: Result<(), NoValue>) -> Result<bool, SearchError> {
        match valued {
            Ok(()) => Ok(true),
            // Once set in a search, the flag stays set: this thread sees it if the evaluator did.
            Err(NoValue::Stopped) if self.control.stopped() => Ok(false),
            Err(no_value) => Err(no_value.unasked()),
        }
    }

    /// Returns the values of a solved node, computed from its payoffs, if these are known.
    pub(super) fn known_payoffs(&self, index: u32) -> Option<Values> {
        let (tree, logic) = (&self.tree, &self.tree.logic);
        // Without intervals, the tree stores no payoffs.
        let is_exact = || tree.node(index).load().is_exact();
        let two_sided = logic.zero_sum || logic.players == 1;
        if !logic.score_bounds || !two_sided && !is_exact() {
            return None;
        }
        let mut values = [0.0; MAX_PLAYERS];
        for (player, value) in values[..logic.players].iter_mut().enumerate() {
            *value = self.utility.of_mean(player, tree.span(index, player).lower);
        }
        Some(values)
    }
}

impl Utility {
    /// Returns the least and the greatest value for a player whose outcome and (expected) payoff
    /// lie within these bounds.
    pub(crate) fn between(&self, player: usize, outcomes: Prospect, payoffs: Span) -> [f64; 2] {
        let Thresholds { draw, win } = self.thresholds[player];
        let Interval { lower, upper } = self.ranges[player];
        let pays_outcomes = (draw, win) == (Some(0), Some(1)) && lower >= -1 && upper <= 1;
        let ends = [(outcomes.worst, payoffs.lower), (outcomes.best, payoffs.upper)];
        let [(least, low), (most, high)] = ends.map(|(outcome, payoff)| {
            (self.value(player, outcome, payoff.to_f64()).into(), payoff.to_f64())
        });
        // Payoffs equal outcomes here, so the mean payoff is the mean outcome.
        if self.chance && self.goal == Goal::Outcome && pays_outcomes {
            return [low.max(least), high.min(most)];
        }
        [least, most]
    }

    /// Converts an expected payoff to a value.
    pub(crate) fn of_mean(&self, player: usize, payoff: Fixed) -> f32 {
        let place = self.place(player, payoff.to_f64()).filter(|_| self.chance);
        place.unwrap_or_else(|| self.of(player, payoff.floor()))
    }
}
