//! Evaluation features of Ataxx positions.

use super::{Ataxx, State};
use crate::counts::{Counted, Weights};

/// Weights of the features. A piece is exposed if it has an empty neighbour, because a piece placed
/// there captures it. The features whose names end in `late` are multiplied by the filled fraction
/// of the board. Reach is the number of cells that a side can clone to.
pub(super) const WEIGHTS: Weights<6> = Weights([
    ("to move", 0.13),
    ("pieces", 0.33),
    ("exposed", -0.4),
    ("pieces late", -0.28),
    ("exposed late", 0.45),
    ("reach", 0.035),
]);

impl Ataxx {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(self.counts(state))
    }

    pub(super) fn counts(&self, state: &State) -> [f32; 6] {
        let empty = self.empty(state);
        let beside = |set: u64| self.clones.iter().fold(0, |cells, clone| cells | clone.apply(set));
        let near = beside(empty);
        let difference = |cells: u64| {
            (state.own & cells).count_ones() as f32 - (state.other & cells).count_ones() as f32
        };
        let filled = (state.own | state.other).count_ones() as f32;
        let late = filled / (filled + empty.count_ones() as f32);
        let reach = |set: u64| (beside(set) & empty).count_ones() as f32;
        [
            1.0,
            difference(!0),
            difference(near),
            difference(!0) * late,
            difference(near) * late,
            reach(state.own) - reach(state.other),
        ]
    }
}
