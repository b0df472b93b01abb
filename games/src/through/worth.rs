//! What a position of Breakthrough or Knightthrough looks worth.

use super::{State, Through};

/// What the right to move weighs, a piece, and how much more it weighs on the last row but for
/// the fourth power of its way there. They were fitted to who won 120 games of Breakthrough that
/// the search played with itself, so that `(1 + tanh(sum)) / 2` is the chance to win.
const TO_MOVE: f32 = 0.05;
const PIECE: f32 = 0.37;
const AHEAD: f32 = 0.8;

impl Through {
    /// Who has more pieces, and pieces further ahead, stands better.
    pub(super) fn evaluation(&self, state: &State) -> f32 {
        let side = usize::from(state.side);
        (TO_MOVE + self.look(state, side) - self.look(state, 1 - side)).tanh()
    }

    /// How good the pieces of a side stand.
    fn look(&self, state: &State, side: usize) -> f32 {
        let first_row = self.goals[1];
        let row = |ahead: usize| {
            let up = if side == 0 { ahead } else { self.height - 1 - ahead };
            state.pieces[side] >> (up * self.width) & first_row
        };
        let weight = |ahead: usize| {
            let way = ahead as f32 / (self.height - 1) as f32;
            PIECE + AHEAD * (way * way) * (way * way)
        };
        (0..self.height).map(|ahead| weight(ahead) * row(ahead).count_ones() as f32).sum()
    }
}
