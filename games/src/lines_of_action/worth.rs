//! What a position of Lines of Action looks worth.

use super::{LinesOfAction, State, group_of};
use crate::bits::cells;

/// What each part of a look weighs, and the right to move. They were fitted to who won 270 games
/// that the search played with itself, so that `(1 + tanh(sum)) / 2` is the chance to win.
const TO_MOVE: f32 = 0.12;
const SPREAD: f32 = -0.91;
const LARGEST: f32 = 0.73;
const OUTSIDE: f32 = -0.31;
const PIECES: f32 = 0.21;

impl LinesOfAction {
    /// Who has pieces nearer to each other, more of them in one group, and nearer to the middle
    /// of the board, stands better (after Winands, *Informed Search in Complex Games*, 2004).
    pub(super) fn evaluation(&self, state: &State) -> f32 {
        let side = usize::from(state.side);
        let [own, other] = [side, 1 - side].map(|side| self.look(state.pieces[side]));
        (TO_MOVE + own - other).tanh()
    }

    /// How good the pieces of one side stand.
    fn look(&self, set: u64) -> f32 {
        let pieces = set.count_ones() as i32;
        let place = |cell: u8| (i32::from(cell % 8), i32::from(cell / 8));
        let (columns, rows) = cells(set)
            .map(place)
            .fold((0, 0), |(columns, rows), (column, row)| (columns + column, rows + row));
        // The cell nearest to the centre of mass.
        let [column, row] = [columns, rows].map(|sum| (2 * sum + pieces) / (2 * pieces));
        let apart = |(to, up): (i32, i32)| (to - column).abs().max((up - row).abs());
        let apart: i32 = cells(set).map(place).map(apart).sum();
        // Nine pieces find room within one step of the centre.
        let least = if pieces <= 9 { pieces - 1 } else { 8 + 2 * (pieces - 9) };
        let last = self.size as i32 - 1;
        // Twice as far as from the middle, which lies between cells on 8x8.
        let outside = |(to, up): (i32, i32)| (2 * to - last).abs().max((2 * up - last).abs());
        let outside: i32 = cells(set).map(place).map(outside).sum();
        let (mut left, mut largest) = (set, 0);
        while left != 0 {
            let group = group_of(left & left.wrapping_neg(), set);
            largest = largest.max(group.count_ones());
            left &= !group;
        }
        let mean = |sum: i32| sum as f32 / pieces as f32;
        SPREAD * mean(apart - least)
            + LARGEST * mean(largest as i32)
            + OUTSIDE * mean(outside) / 2.0
            + PIECES * pieces as f32
    }
}
