//! Knowledge about the positions of a reviewed game, and the judgement of its moves.

use crate::words::numbers;
use proofwood::{Bounds, Goal, Value};
use proofwood_any_game::{Answer, ProofAnswer, View};

/// Knowledge about a position, from one side's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The worst and the best outcome still possible: 1 is a win, 0 a draw, −1 a loss.
    outcome: [i8; 2],
    /// Proven bounds on the payoff.
    pub bounds: Bounds,
    /// The mean value of playouts, from −1 to 1.
    pub mean: Option<f64>,
}

/// The judgement of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// The move certainly kept the value of the position.
    Kept,
    /// The move certainly gave something away.
    Thrown(Thrown),
    /// It is not known whether the move gave something away.
    Open,
}

/// The loss that a move has been proven to cause.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thrown {
    /// The value proven before: `win`, `draw` or `not-loss`; `unknown` if only payoff is lost.
    pub from: Value,
    /// The value proven after the move; `unknown` if only payoff is lost.
    pub to: Value,
    /// The least amount of payoff that was lost; `None` if no loss of payoff is proven.
    pub payoff: Option<i64>,
}

impl Known {
    /// Converts a search's answer to the first player's view. In a game with chance, the absence of
    /// a forced win for one side does not guarantee the other side a draw.
    pub(super) fn of(answer: &Answer, has_chance: bool) -> Known {
        let outcome = match answer.proven {
            Value::Win | Value::Loss => outcome(answer.proven),
            _ if has_chance => outcome(Value::Unknown),
            value => outcome(value),
        };
        let known = Known { outcome, bounds: answer.bounds, mean: answer.mean };
        // At chance nodes and at the end, answers are from the first player's view.
        known.of_player(answer.to_move.unwrap_or(0))
    }

    /// Converts a prover's answer to the first player's view.
    pub(super) fn of_proof(answer: &ProofAnswer) -> Known {
        let known = Known { outcome: outcome(answer.proven), bounds: answer.bounds, mean: None };
        known.of_player(answer.player)
    }

    /// Returns what is known about the end of a game, from the first player's view.
    pub(super) fn of_end(view: &View, answer: &Answer) -> Known {
        let payoff = view.payoffs.as_ref().and_then(|payoffs| payoffs.first()).copied();
        let known = Known::of(answer, false);
        Known { bounds: Bounds { lower: payoff, upper: payoff }, ..known }
    }

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

    /// Converts from the first player's view to `player`'s, or back.
    pub(super) fn of_player(self, player: usize) -> Known {
        if player == 1 { self.opposite() } else { self }
    }

    /// Combines two sources of knowledge about one position.
    pub(super) fn and(&self, other: &Known) -> Known {
        let both = self.with_move(other).limited_by(other);
        Known { mean: self.mean.or(other.mean), ..both }
    }

    /// Raises the lower bounds to those of a successor: the player to move can secure at least as
    /// much.
    pub(super) fn with_move(mut self, after: &Known) -> Known {
        self.outcome[0] = self.outcome[0].max(after.outcome[0]).min(self.outcome[1]);
        self.bounds.lower = self.bounds.lower.max(after.bounds.lower);
        self
    }

    /// Reduces the upper bounds to those of the predecessor, since no move leads to more.
    pub(super) fn limited_by(mut self, before: &Known) -> Known {
        self.outcome[1] = self.outcome[1].min(before.outcome[1]).max(self.outcome[0]);
        let ends = [self.bounds.upper, before.bounds.upper];
        self.bounds.upper = ends.into_iter().flatten().min();
        self
    }

    /// Returns the proven value of the position.
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

    /// Returns whether the result that `goal` asks for is known exactly.
    pub(super) fn is_solved(&self, goal: Goal) -> bool {
        match goal {
            Goal::Score => self.bounds.exact().is_some(),
            _ => self.outcome[0] == self.outcome[1],
        }
    }

    /// Returns whether the proven lower bound is lower here than in `before`.
    pub(super) fn secures_less_than(&self, before: &Known, goal: Goal) -> bool {
        let score = goal == Goal::Score && before.is_solved(goal);
        self.outcome[0] < before.outcome[0] || score && self.bounds.lower < before.bounds.lower
    }

    /// Returns the expected share of the points, from 0 to 1: the proven share if there is one,
    /// otherwise the playouts' mean clamped to the proven bounds.
    pub(super) fn share(&self) -> Option<f64> {
        let [worst, best] = self.outcome;
        let mean = if worst == best { Some(worst.into()) } else { self.mean };
        mean.map(|mean| (mean.clamp(worst.into(), best.into()) + 1.0) / 2.0)
    }

    /// Formats the proven value, or else the expected share of the points.
    pub fn text(&self, goal: Goal) -> String {
        match (self.value(), self.bounds.exact(), self.share()) {
            (_, Some(score), _) if goal == Goal::Score => format!("{score:+}"),
            (value, ..) if value.is_decided() => value.name().into(),
            (_, _, Some(share)) => numbers::share(2.0 * share - 1.0),
            (Value::Unknown, ..) => "-".into(),
            (value, ..) => value.name().into(),
        }
    }

    /// Judges the move that led from here to `after`, both from the mover's view.
    pub(super) fn judged(&self, after: &Known, goal: Goal) -> Judged {
        let payoff = self.bounds.lower.zip(after.bounds.upper);
        let payoff = payoff.map(|(before, after)| i64::from(before) - i64::from(after));
        let payoff = payoff.filter(|&lost| lost > 0);
        let lost = after.outcome[1] < self.outcome[0];
        if lost || payoff.is_some() {
            return Judged::Thrown(Thrown {
                from: if lost { self.value() } else { Value::Unknown },
                to: if lost { after.value() } else { Value::Unknown },
                payoff,
            });
        }
        let kept = match goal {
            Goal::Score => {
                let ends = after.bounds.lower.zip(self.bounds.upper);
                ends.is_some_and(|(after, before)| after >= before)
            }
            _ => after.outcome[0] >= self.outcome[1],
        };
        if kept { Judged::Kept } else { Judged::Open }
    }
}

fn outcome(value: Value) -> [i8; 2] {
    match value {
        Value::Win => [1, 1],
        Value::Draw => [0, 0],
        Value::Loss => [-1, -1],
        Value::NotWin => [-1, 0],
        Value::NotLoss => [0, 1],
        _ => [-1, 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: [Option<i32>; 2] = [None, None];

    fn known(outcome: [i8; 2], bounds: [Option<i32>; 2]) -> Known {
        let [lower, upper] = bounds;
        Known { outcome, bounds: Bounds { lower, upper }, mean: Some(0.3) }
    }

    #[test]
    fn only_what_is_proven_is_judged() {
        let (win, draw, loss) = (known([1, 1], OPEN), known([0, 0], OPEN), known([-1, -1], OPEN));
        let (unknown, not_win) = (known([-1, 1], OPEN), known([-1, 0], OPEN));
        for (before, after, thrown, kept) in [
            (win, loss, true, false),
            (win, draw, true, false),
            (win, not_win, true, false),
            (draw, loss, true, false),
            (win, unknown, false, false),
            (win, win, false, true),
            (loss, loss, false, true),
            (not_win, draw, false, true),
            (unknown, loss, false, false),
            (not_win, loss, false, false),
            (draw, not_win, false, false),
        ] {
            let judged = before.judged(&after, Goal::default());
            assert_eq!(matches!(judged, Judged::Thrown(_)), thrown, "{before:?} {after:?}");
            assert_eq!(judged == Judged::Kept, kept, "{before:?} {after:?}");
        }
        let before = known([-1, 1], [Some(4), Some(9)]);
        let judged = |after| before.judged(&known([-1, 1], after), Goal::Score);
        let thrown = Thrown { from: Value::Unknown, to: Value::Unknown, payoff: Some(3) };
        assert_eq!(judged([Some(-3), Some(1)]), Judged::Thrown(thrown));
        assert_eq!(judged([Some(9), Some(9)]), Judged::Kept);
        assert_eq!(judged([Some(5), Some(9)]), Judged::Open);
    }

    #[test]
    fn a_position_and_the_next_one_limit_each_other() {
        let unknown = known([-1, 1], [None, Some(5)]);
        let better = unknown.with_move(&known([0, 1], [Some(2), Some(5)]));
        assert_eq!((better.value(), better.bounds.lower), (Value::NotLoss, Some(2)));
        assert_eq!(better.opposite().opposite(), better);
        assert_eq!(better.opposite().value(), Value::NotWin);
        // The first mean, -0.3, is within the proven bounds; the second, 0.3, is clamped to a draw.
        assert_eq!(better.opposite().share(), Some(0.35));
        assert_eq!(known([-1, 0], OPEN).share(), Some(0.5));
        let worse = unknown.limited_by(&known([-1, -1], [Some(-9), Some(-1)]));
        assert_eq!((worse.value(), worse.bounds.upper), (Value::Loss, Some(-1)));
        let both = known([0, 1], OPEN).and(&known([-1, 0], OPEN));
        assert_eq!(both.value(), Value::Draw);
    }
}
