//! What is known of a position of a game, for one side, and what a move made of it.

use proofwood::{Bounds, Value};
use proofwood_any_game::{Answer, View};

/// What one side is known to get.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    /// The worst and the best outcome that are open: 1 wins, 0 draws, −1 loses.
    outcome: [i8; 2],
    pub(super) bounds: Bounds,
    /// The mean value of playouts, −1 to 1.
    pub(super) mean: Option<f64>,
}

/// What a move has given away for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Thrown {
    /// What was proven before: `win`, `draw` or `not-loss`; else of the payoff alone.
    pub(super) from: Value,
    pub(super) to: Value,
    /// How much of the payoff is lost at least.
    pub(super) payoff: Option<i64>,
}

impl Known {
    /// What a search says, for the first player.
    pub(super) fn of(answer: &Answer) -> Known {
        let outcome = match answer.value {
            Value::Win => [1, 1],
            Value::Draw => [0, 0],
            Value::Loss => [-1, -1],
            Value::NotWin => [-1, 0],
            Value::NotLoss => [0, 1],
            _ => [-1, 1],
        };
        let known = Known { outcome, bounds: answer.bounds, mean: answer.mean };
        // Where chance decides, and at the end, answers are the first player's.
        if answer.to_move == Some(1) { known.opposite() } else { known }
    }

    /// The end of a game, for the first player, with the outcome of its payoff.
    pub(super) fn of_end(view: &View, answer: &Answer) -> Known {
        let payoff = view.payoffs.as_ref().and_then(|payoffs| payoffs.first()).copied();
        let known = Known::of(answer);
        Known { bounds: Bounds { lower: payoff, upper: payoff }, ..known }
    }

    /// The same for the other side.
    pub(super) fn opposite(self) -> Known {
        let [worst, best] = self.outcome;
        let Bounds { lower, upper } = self.bounds;
        let negated = |end: Option<i32>| end.map(i32::saturating_neg);
        Known {
            outcome: [-best, -worst],
            bounds: Bounds { lower: negated(upper), upper: negated(lower) },
            mean: self.mean.map(|mean| -mean),
        }
    }

    /// For this player, from what is known for the first one.
    pub(super) fn of_player(self, player: usize) -> Known {
        if player == 1 { self.opposite() } else { self }
    }

    /// Whoever is to move secures at least what one of the moves secures.
    pub(super) fn with_move(mut self, after: &Known) -> Known {
        self.outcome[0] = self.outcome[0].max(after.outcome[0]).min(self.outcome[1]);
        self.bounds.lower = self.bounds.lower.max(after.bounds.lower);
        self
    }

    /// What is proven.
    pub(super) fn value(&self) -> Value {
        match self.outcome {
            [1, 1] => Value::Win,
            [0, 0] => Value::Draw,
            [-1, -1] => Value::Loss,
            [-1, 0] => Value::NotWin,
            [0, 1] => Value::NotLoss,
            _ => Value::Unknown,
        }
    }

    /// For a chart: what is proven, else the mean.
    pub(super) fn height(&self) -> Option<f64> {
        let [worst, best] = self.outcome;
        let mean = if worst == best { Some(worst.into()) } else { self.mean };
        mean.map(|mean| mean.clamp(worst.into(), best.into()))
    }

    /// What the move that led to `after` has given away, both for who moved.
    pub(super) fn thrown_by(&self, after: &Known) -> Option<Thrown> {
        let payoff = self.bounds.lower.zip(after.bounds.upper);
        let payoff = payoff.map(|(before, after)| i64::from(before) - i64::from(after));
        let payoff = payoff.filter(|&lost| lost > 0);
        let lost = after.outcome[1] < self.outcome[0];
        (lost || payoff.is_some()).then(|| Thrown {
            from: if lost { self.value() } else { Value::Unknown },
            to: if lost { after.value() } else { Value::Unknown },
            payoff,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(outcome: [i8; 2], bounds: [Option<i32>; 2]) -> Known {
        let [lower, upper] = bounds;
        Known { outcome, bounds: Bounds { lower, upper }, mean: Some(0.3) }
    }

    #[test]
    fn only_what_is_proven_can_be_thrown_away() {
        let open = [None, None];
        let (win, draw, loss) = (known([1, 1], open), known([0, 0], open), known([-1, -1], open));
        let (unknown, not_win) = (known([-1, 1], open), known([-1, 0], open));
        for (before, after, thrown) in [
            (win, loss, true),
            (win, draw, true),
            (win, not_win, true),
            (draw, loss, true),
            (win, unknown, false),
            (win, win, false),
            (unknown, loss, false),
            (not_win, loss, false),
            (draw, not_win, false),
        ] {
            assert_eq!(before.thrown_by(&after).is_some(), thrown, "{before:?} {after:?}");
        }
        let lost = known([-1, 1], [Some(4), Some(9)]);
        let lost = lost.thrown_by(&known([-1, 1], [Some(-3), Some(1)])).unwrap();
        assert_eq!((lost.from, lost.payoff), (Value::Unknown, Some(3)));
    }

    #[test]
    fn a_move_secures_what_it_secures() {
        let unknown = known([-1, 1], [None, Some(5)]);
        let better = unknown.with_move(&known([0, 1], [Some(2), Some(5)]));
        assert_eq!((better.value(), better.bounds.lower), (Value::NotLoss, Some(2)));
        assert_eq!(better.opposite().opposite(), better);
        assert_eq!(better.opposite().value(), Value::NotWin);
        assert_eq!(better.opposite().height(), Some(-0.3));
    }
}
