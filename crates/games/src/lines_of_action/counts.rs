//! Evaluation features of Lines of Action (after Winands, *Informed Search in Complex Games*,
//! 2004).

use super::{LinesOfAction, State, group_of};
use crate::bits::cells;
use crate::counts::{Counted, Weights};

/// Weights of the features. Spread is the mean distance of a side's pieces from their centre, minus
/// its smallest possible value. `largest group` is the fraction of a side's pieces that are in its
/// largest group.
pub(super) const WEIGHTS: Weights<4> =
    Weights([("to move", 0.09), ("spread", -1.09), ("largest group", 0.86), ("pieces", 0.13)]);

impl LinesOfAction {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(self.counts(state))
    }

    pub(super) fn counts(&self, state: &State) -> [f32; 4] {
        let side = usize::from(state.side);
        let [own, other] = [side, 1 - side].map(|side| self.counts_of(state.pieces[side]));
        [1.0, own[0] - other[0], own[1] - other[1], own[2] - other[2]]
    }

    fn counts_of(&self, set: u64) -> [f32; 3] {
        let pieces = set.count_ones() as i32;
        let place = |cell: u8| (i32::from(cell % 8), i32::from(cell / 8));
        let (columns, rows) = cells(set)
            .map(place)
            .fold((0, 0), |(columns, rows), (column, row)| (columns + column, rows + row));
        // The cell nearest to the centre of mass.
        let [column, row] = [columns, rows].map(|sum| (2 * sum + pieces) / (2 * pieces));
        let apart = |(to, up): (i32, i32)| (to - column).abs().max((up - row).abs());
        let apart: i32 = cells(set).map(place).map(apart).sum();
        // Nine pieces fit within one step of the centre, including the centre itself.
        let least = if pieces <= 9 { pieces - 1 } else { 8 + 2 * (pieces - 9) };
        let (mut left, mut largest) = (set, 0);
        while left != 0 {
            let group = group_of(left & left.wrapping_neg(), set);
            largest = largest.max(group.count_ones());
            left &= !group;
        }
        let mean = |sum: i32| sum as f32 / pieces as f32;
        [mean(apart - least), mean(largest as i32), pieces as f32]
    }
}
