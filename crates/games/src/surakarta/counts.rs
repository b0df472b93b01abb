//! Evaluation features of Surakarta positions.

use super::{State, Surakarta};
use crate::counts::{Counted, Weights};

/// Weights of the features. With two more features, the fraction of pieces and the number of open
/// pieces, the evaluation fitted the games better but did not play better.
pub(super) const WEIGHTS: Weights<2> = Weights([("to move", 0.15), ("pieces", 0.72)]);

pub(super) fn counts(state: &State) -> [f32; 2] {
    let [own, other] = [state.own, state.other].map(|set| set.count_ones() as f32);
    [1.0, own - other]
}

impl Surakarta {
    pub(crate) fn counted(&self, state: &State) -> Vec<Counted> {
        WEIGHTS.named(counts(state))
    }
}
