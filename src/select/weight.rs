//! The weight of proof numbers relative to the values of playouts.
//!
//! Matches at 20,000 playouts for both sides show that no weight suits every game: the weight that
//! wins four games of five in Othello loses three of five in Connect Four. So a game may recommend
//! a weight. Without a recommendation, the weight fades: at first, proof numbers are more
//! informative than a few playouts; later, the playouts decide, as with progressive bias (Chaslot
//! et al., *Progressive Strategies for Monte-Carlo Tree Search*, 2008).

use crate::settings::{Decided, Source};

/// The weight of the bias in one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weight {
    /// The weight at a node without visits.
    pub(crate) c_pn: f32,
    /// The amount by which the weight's divisor grows with each visit to the node.
    fade: f32,
}

/// The number of visits to a node after which the weight has halved there, if it was neither set
/// nor recommended.
const USUAL_FADE: u64 = 1000;

impl Weight {
    /// Creates a weight, which fades unless the user has set it or the game recommends it.
    pub(crate) fn of(c_pn: Decided<f64>) -> Weight {
        let fades = c_pn.source == Source::Default;
        let fade = if fades { 1.0 / USUAL_FADE as f32 } else { 0.0 };
        Weight { c_pn: c_pn.value as f32, fade }
    }

    /// Returns the divisor of the weight at a node with `visits` visits. It is exactly 1 if the
    /// weight does not fade, so that scores match the formula to the last bit.
    #[inline(always)]
    pub(crate) fn fading(self, visits: u64) -> f32 {
        1.0 + visits as i64 as f32 * self.fade
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_weight_fades_to_half_and_one_that_stays_is_exact() {
        let weight = |source| Weight::of(Decided { value: 0.5, source });
        let stays = weight(Source::Recommended);
        assert_eq!([0, 1, 1 << 45].map(|visits| stays.fading(visits)), [1.0; 3]);
        let fades = weight(Source::Default);
        for (visits, divisor) in [(0, 1.0), (1000, 2.0), (3000, 4.0)] {
            assert!((fades.fading(visits) - divisor).abs() < 1e-6, "{visits}");
        }
    }
}
