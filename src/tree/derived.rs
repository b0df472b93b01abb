//! What follows from the premises once and for all.

use super::columns::Columns;
use super::logic::Logic;
use super::premises::Sides;
use crate::bounds::{Interval, Span};
use crate::game::Outcome;
use crate::settings::Goal;

impl Logic {
    /// Whether intervals need not be kept beside the statuses of a two-player
    /// zero-sum game: a win, a draw and a loss are one payoff each, so a player
    /// has secured a payoff just when the status of one of them says so.
    pub(super) fn statuses_are_bounds(&self) -> bool {
        let Interval { lower, upper } = self.ranges[0];
        let outcome = |payoff| self.thresholds[0].outcome(payoff);
        let few = lower < upper && upper.saturating_sub(lower) <= 2;
        let distinct = || (lower..upper).all(|payoff| outcome(payoff) != outcome(payoff + 1));
        let kept = self.zero_sum && self.solver && self.score_bounds;
        kept && !self.chance && few && distinct()
    }

    /// All payoffs that a player can get, in fixed point.
    pub(super) fn whole(&self, player: usize) -> Span {
        self.spans[player]
    }

    /// How many intervals a node has.
    pub(crate) fn num_intervals(&self) -> usize {
        match (self.score_bounds && !self.bounds_are_statuses, self.zero_sum) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => self.players,
        }
    }

    /// The columns that hold what is known of nodes.
    pub(crate) fn columns(&self) -> Columns {
        let (counts, intervals) = (self.proof_numbers, self.num_intervals());
        Columns {
            proof_numbers: if counts { self.players } else { 0 },
            statuses: if counts { 0 } else { self.players },
            intervals: if self.chance { 0 } else { intervals },
            spans: if self.chance { intervals } else { 0 },
            weights: self.chance,
            ..Columns::default()
        }
    }

    /// Whether the proof numbers of two players say what is at stake, and nothing more
    /// is known of a node whose children's intervals are the game's range.
    pub(super) fn says_numbers_only(&self) -> bool {
        let versus = matches!(self.sides, Sides::Versus(_));
        let win_or_not = self.zero_sum && self.solver && self.goal == Goal::Outcome;
        let range_says_nothing = || {
            (0..2).all(|player| {
                let (Interval { lower, upper }, of) =
                    (self.ranges[player], self.thresholds[player]);
                of.outcome(lower) != Outcome::Win && of.outcome(upper) == Outcome::Win
            })
        };
        let unkept = self.num_intervals() == 0 || !self.chance && range_says_nothing();
        self.players == 2 && versus && win_or_not && !self.products && unkept
    }
}
