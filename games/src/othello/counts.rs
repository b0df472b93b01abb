//! What is counted in a position of Othello.

use super::{Othello, State};
use crate::counts::{Counted, Weights};

/// Beside is a disc that stands beside an empty corner, and stable is one that can never turn
/// again. Moves count as a share of both sides'.
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
        let last = self.size - 1;
        let (mut corners, mut beside) = (0, 0);
        for (column, row) in [(0, 0), (last, 0), (0, last), (last, last)] {
            let corner = 1u64 << (row * 8 + column);
            corners |= corner;
            if empty & corner != 0 {
                beside |= self.neighbours(column, row);
            }
        }
        let [moves, replies] = [(own, other), (other, own)]
            .map(|(own, other)| (self.lines.moves(own, other) & empty).count_ones() as f32);
        let mobility = (moves - replies) / (moves + replies + 2.0);
        let stable = [(own, other), (other, own)]
            .map(|(own, other)| self.endgame.stable(own, other).count_ones() as f32);
        [difference(corners), difference(beside), mobility, stable[0] - stable[1]]
    }
}

impl Othello {
    /// The cells of the board around a cell.
    fn neighbours(&self, column: usize, row: usize) -> u64 {
        let near = |at: usize| at.saturating_sub(1)..=(at + 1).min(self.size - 1);
        let around = near(row).flat_map(|row| near(column).map(move |column| row * 8 + column));
        let set = around.fold(0, |set, cell| set | 1 << cell);
        set & !(1 << (row * 8 + column))
    }
}
