//! The environment of an evaluation, and the conversion of payoffs to values.

use super::evaluation::Workspace;
use crate::bounds::Interval;
use crate::game::{Game, MAX_PLAYERS, Outcome};
use crate::math::Rng;
use crate::rules::Thresholds;
use crate::settings::Goal;
use crate::sync::{AtomicBool, Ordering};

/// An evaluator's environment: rules, the worker's random numbers and buffers, and the stop flag.
pub struct Context<'w, G: Game> {
    /// The game that is searched.
    pub game: &'w G,
    /// The worker's own generator.
    pub rng: &'w mut Rng,
    /// An empty buffer for moves.
    pub moves: &'w mut Vec<G::Move>,
    /// This thread's workspace, which persists between evaluations.
    pub workspace: &'w mut Workspace,
    pub(crate) utility: &'w Utility,
    pub(crate) stop: &'w AtomicBool,
}

impl<G: Game> Context<'_, G> {
    /// Returns whether the search is stopping. Long evaluations should poll this and give up.
    #[inline]
    pub fn stopped(&self) -> bool {
        // Relaxed: no other data depends on the flag.
        self.stop.load(Ordering::Relaxed)
    }

    /// Converts a payoff of a player to a value from −1 to 1.
    #[inline]
    pub fn utility(&self, player: usize, payoff: i32) -> f32 {
        self.utility.of(player, payoff)
    }
}

/// The conversion of payoffs to values. If the goal is the outcome, a value is +1, 0 or −1. If it
/// is the score, a value is the average of that number and of the payoff's place in its range; in
/// games with chance, it is the place alone, because the mean of the values must correspond to the
/// mean payoff.
#[derive(Clone, Debug)]
pub(crate) struct Utility {
    pub(super) goal: Goal,
    pub(super) chance: bool,
    pub(super) thresholds: [Thresholds; MAX_PLAYERS],
    pub(super) ranges: [Interval; MAX_PLAYERS],
}

impl Utility {
    pub(crate) fn new(
        goal: Goal,
        chance: bool,
        thresholds: [Thresholds; MAX_PLAYERS],
        ranges: [Interval; MAX_PLAYERS],
    ) -> Utility {
        Utility { goal, chance, thresholds, ranges }
    }

    pub(crate) fn of_all(&self, payoffs: &[i32]) -> [f32; MAX_PLAYERS] {
        let mut values = [0.0; MAX_PLAYERS];
        for (player, &payoff) in payoffs.iter().enumerate() {
            values[player] = self.of(player, payoff);
        }
        values
    }

    #[inline]
    pub(crate) fn of(&self, player: usize, payoff: i32) -> f32 {
        self.value(player, self.thresholds[player].outcome(payoff), payoff.into())
    }

    #[inline]
    pub(super) fn value(&self, player: usize, outcome: Outcome, payoff: f64) -> f32 {
        let outcome = self.of_outcome(outcome);
        match self.place(player, payoff) {
            None => outcome,
            Some(place) if self.chance => place,
            Some(place) => (outcome + place) / 2.0,
        }
    }

    /// The payoff scaled from its range to −1 to 1; `None` if only the outcome counts.
    #[inline]
    pub(super) fn place(&self, player: usize, payoff: f64) -> Option<f32> {
        let Interval { lower, upper } = self.ranges[player];
        let unbounded = lower == i32::MIN || upper == i32::MAX || lower >= upper;
        if self.goal == Goal::Outcome || unbounded {
            return None;
        }
        let (lower, upper) = (f64::from(lower), f64::from(upper));
        // A rollout that is cut off may have a payoff outside the game's range.
        let payoff = payoff.clamp(lower, upper);
        Some((2.0 * (payoff - lower) / (upper - lower) - 1.0) as f32)
    }

    #[inline]
    pub(crate) fn of_outcome(&self, outcome: Outcome) -> f32 {
        outcome.value() as f32
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn no_payoff_is_worth_more_than_a_win_or_less_than_a_loss() {
        let ranges = [Interval { lower: -36, upper: 36 }; MAX_PLAYERS];
        let thresholds = [Thresholds { draw: Some(0), win: Some(1) }; MAX_PLAYERS];
        for goal in [Goal::Outcome, Goal::Score] {
            let utility = Utility::new(goal, false, thresholds, ranges);
            for (payoff, worth) in [(i32::MIN, -1.0), (-36, -1.0), (36, 1.0), (i32::MAX, 1.0)] {
                assert_eq!(utility.of(0, payoff), worth, "{goal:?} {payoff}");
            }
            assert_eq!(utility.of(0, 0), 0.0);
        }
    }
}
