//! Static evaluation of Connect Four by open lines.

use super::{ConnectFour, State};
use crate::bits::cells;

impl ConnectFour {
    /// Evaluates a position by its open lines, those with stones of only one side. The more stones
    /// a line contains, the more it counts.
    pub(super) fn evaluation(&self, state: &State) -> f32 {
        /// The value of a line that lacks one stone: about half a win.
        const ONE_MISSING: f32 = 0.5;
        /// The bonus for the side to move, about the value of half a stone.
        const TO_MOVE: f32 = 0.05;
        let (own, others) = (state.own, Self::others(state));
        let mut sum = 0.0;
        for &step in &self.steps {
            let line = (0..self.k as u32)
                .try_fold(0u64, |line, place| Some(line | 1u64.checked_shl(place * step)?));
            let Some(line) = line else { continue };
            for first in cells(self.board) {
                let Some(place) = line.checked_shl(first.into()) else { continue };
                // Skip lines that extend beyond the board or the word.
                if place >> first != line || place & !self.board != 0 {
                    continue;
                }
                let missing = |stones: u64| self.k as u32 - (place & stones).count_ones();
                match (place & own, place & others) {
                    (0, 0) => {}
                    (_, 0) => sum += share(missing(own)),
                    (0, _) => sum -= share(missing(others)),
                    _ => {}
                }
            }
        }
        (TO_MOVE + ONE_MISSING * sum).tanh()
    }
}

fn share(missing: u32) -> f32 {
    match missing {
        0 | 1 => 1.0,
        2 => 0.15,
        3 => 0.03,
        _ => 0.0,
    }
}
