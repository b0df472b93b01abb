//! Turns a goal into questions, and their answers into a value.
//!
//! In a two-player zero-sum game, "can the player avoid a loss?" is replaced by the opposite
//! question, "can the opponent force a win?". If play always ends, the opponent cannot force a win
//! if and only if the player can force at least a draw. Otherwise endless play is neither won nor
//! lost, and the value is a draw if neither side can force a win.

use super::question::{Question, Verdict};
use crate::bounds::{Bounds, Interval, Prospect, Value};
use crate::game::Outcome;
use crate::rules::{Declared, Thresholds};
use crate::settings::ProofGoal;

/// The bounds on a player's payoff so far, which determine the next question.
#[derive(Clone, Debug)]
pub(crate) struct QuestionPlan {
    player: usize,
    goal: ProofGoal,
    thresholds: Thresholds,
    /// The question whose proof means that this player loses; `None` unless the game is a
    /// two-player zero-sum game without chance.
    defeat: Option<Question>,
    known: Interval,
    prospect: Prospect,
    /// With chance, the greatest payoff and the best outcome that the player can still get.
    luck: Option<(i32, Outcome)>,
}

impl QuestionPlan {
    pub(crate) fn new(
        declared: &Declared,
        player: usize,
        goal: ProofGoal,
        range: Interval,
    ) -> QuestionPlan {
        let thresholds = declared.thresholds[player];
        // With chance, the player may be unable to prevent a result that the others cannot force.
        let defeat = declared.serves_both().then(|| 1 - player).and_then(|player| {
            let at_least = declared.thresholds[player].win?;
            Some(Question { player, at_least })
        });
        let prospect = Prospect {
            worst: thresholds.outcome(range.lower),
            best: thresholds.outcome(range.upper),
        };
        let luck = declared.chance.then_some((range.upper, prospect.best));
        QuestionPlan { player, goal, thresholds, defeat, known: range, prospect, luck }
    }

    /// Returns the next question, or `None` when the goal is reached. Questions that the bounds
    /// already answer are skipped.
    pub(crate) fn next(&self) -> Option<Question> {
        let own = |at_least| Question { player: self.player, at_least };
        let Prospect { worst, best } = self.prospect;
        let win = || {
            let open = worst < Outcome::Win && best == Outcome::Win;
            self.thresholds.win.filter(|_| open).map(own)
        };
        let not_to_lose = || {
            let open = worst == Outcome::Loss && best > Outcome::Loss;
            self.defeat.or(self.thresholds.draw.map(own)).filter(|_| open)
        };
        match self.goal {
            ProofGoal::Win => win(),
            ProofGoal::DrawOrBetter => not_to_lose(),
            ProofGoal::Outcome => win().or_else(not_to_lose),
            ProofGoal::Score => {
                let Interval { lower, upper } = self.known;
                let (low, high) = (i64::from(lower), i64::from(upper));
                (low < high).then(|| own((low + (high - low + 1) / 2) as i32))
            }
        }
    }

    pub(crate) fn learn(&mut self, question: Question, verdict: Verdict) {
        let Question { player, at_least } = question;
        if player != self.player {
            match verdict {
                Verdict::Proven => {
                    self.at_most(at_least.saturating_neg());
                    self.prospect.best = Outcome::Loss;
                }
                // Endless play may be the only defence, so the outcome is at least a draw.
                Verdict::Disproven => self.prospect.worst = self.prospect.worst.max(Outcome::Draw),
            }
            return;
        }
        match verdict {
            Verdict::Proven => self.at_least(at_least),
            Verdict::Disproven => {
                // With one opponent, endless play may be what prevents the payoff, so the outcome
                // may still be a draw.
                let best = self.thresholds.outcome(at_least - 1);
                let best = if self.defeat.is_some() { best.max(Outcome::Draw) } else { best };
                self.prospect.best = self.prospect.best.min(best);
                self.known.upper = self.known.upper.min(at_least - 1);
            }
        }
    }

    pub(crate) fn tighten(&mut self, player: usize, bounds: Interval) {
        let bounds = if player == self.player { bounds } else { bounds.reversed() };
        self.at_least(bounds.lower);
        self.at_most(bounds.upper);
    }

    fn at_least(&mut self, payoff: i32) {
        self.known.lower = self.known.lower.max(payoff);
        self.prospect.worst = self.prospect.worst.max(self.thresholds.outcome(payoff));
    }

    fn at_most(&mut self, payoff: i32) {
        self.known.upper = self.known.upper.min(payoff);
        self.prospect.best = self.prospect.best.min(self.thresholds.outcome(payoff));
    }

    pub(crate) fn is_contradicted(&self) -> bool {
        self.known.lower > self.known.upper || self.prospect.worst > self.prospect.best
    }

    /// Returns bounds on the player's payoff or, for the goal `Score`, on the payoff that the
    /// player can secure. These are equal without chance.
    pub(crate) fn bounds(&self) -> Bounds {
        match self.luck {
            Some((upper, _)) if self.goal != ProofGoal::Score => {
                Interval { lower: self.known.lower, upper }.into()
            }
            _ => self.known.into(),
        }
    }

    /// Returns the value that follows from the possible outcomes. With chance, these include
    /// results that the player cannot force.
    pub(crate) fn value(&self) -> Value {
        let best = self.luck.map_or(self.prospect.best, |(_, best)| best);
        match (Value::of(self.prospect), best) {
            (Value::Draw, Outcome::Win) => Value::NotLoss,
            (Value::Loss, Outcome::Win | Outcome::Draw) => Value::NotWin,
            (value, _) => value,
        }
    }
}
