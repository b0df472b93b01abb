//! What a position of Ataxx looks worth.

use super::{Ataxx, State};

/// What the right to move weighs, a piece, and a piece beside an empty cell, which can be taken.
/// They were fitted to who won 42 games that the search played with itself, so that
/// `(1 + tanh(sum)) / 2` is the chance to win.
const TO_MOVE: f32 = 0.22;
const PIECE: f32 = 0.21;
const EXPOSED: f32 = -0.17;

impl Ataxx {
    /// Who has more pieces stands better, and who has fewer of them beside empty cells.
    pub(super) fn evaluation(&self, state: &State) -> f32 {
        let empty = self.empty(state);
        let near = self.clones.iter().fold(0, |cells, clone| cells | clone.apply(empty));
        let look =
            |set: u64| PIECE * set.count_ones() as f32 + EXPOSED * (set & near).count_ones() as f32;
        (TO_MOVE + look(state.own) - look(state.other)).tanh()
    }
}
