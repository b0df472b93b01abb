//! Evaluation features of Othello positions.

use super::{Othello, State};
use crate::counts::{Counted, Weights};

/// Weights of the features. `beside` counts discs next to an empty corner, and `stable` counts
/// discs that can never be flipped again. `moves` is given as a fraction of both sides' moves.
pub(super) const WEIGHTS: Weights<4> =
    Weights([("corners", 0.25), ("beside", -0.155), ("moves", 2.1), ("stable", 0.095)]);

impl Othello {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(self.counts(state))
    }

    pub(super) fn counts(&self, state: &State) -> [f32; 4] {
        let State { own, other, .. } = *state;
        let empty = self.board & !(own | other);
        let difference =
            |set: u64| (own & set).count_ones() as f32 - (other & set).count_ones() as f32;
        let (mut corners, mut risky) = (0, 0);
        for (corner, beside) in self.corners {
            corners |= corner;
            risky |= if empty & corner != 0 { beside } else { 0 };
        }
        let [moves, replies] = [(own, other), (other, own)]
            .map(|(own, other)| (self.lines.moves(own, other) & empty).count_ones() as f32);
        let mobility = (moves - replies) / (moves + replies + 2.0);
        let stable = [(own, other), (other, own)]
            .map(|(own, other)| self.endgame.stable(own, other).count_ones() as f32);
        [difference(corners), difference(risky), mobility, stable[0] - stable[1]]
    }
}
