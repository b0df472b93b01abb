//! Evaluation features of Awari, Oware and similar games.

use super::sowing::{Board, Seeds};
use crate::counts::Weights;

/// Weights of the features. The lead in captured seeds counts for more as fewer seeds are left on
/// the board. `pits` counts the pits that are not empty.
const fn weighed([lead, pits]: [f32; 2]) -> Weights<2> {
    Weights([("lead", lead), ("pits", pits)])
}

pub(crate) static AWARI: Weights<2> = weighed([0.5, 0.1]);
pub(crate) static OWARE: Weights<2> = weighed([0.85, 0.18]);

impl Board {
    #[inline]
    pub(crate) fn counts(&self, seeds: &Seeds, side: u8) -> [f32; 2] {
        let left: u32 = seeds.pits.iter().map(|&seeds| u32::from(seeds)).sum();
        let lead = seeds.lead(side.into()) as f32 / ((left + 1) as f32).sqrt();
        let pits = |side| self.filled(&seeds.pits, side).count_ones() as f32;
        [lead, pits(side) - pits(1 - side)]
    }
}
