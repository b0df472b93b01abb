//! How much proof numbers weigh beside the values of playouts.
//!
//! Equal matches at 20,000 playouts say that no weight suits every game: the one that wins
//! four games of five in Othello loses three of five in Connect Four. So a game may say what
//! suits it. Where it says nothing the weight fades: at first proof numbers tell more than
//! a few playouts, later the playouts decide, as with progressive bias (Chaslot et al.,
//! *Progressive Strategies for Monte-Carlo Tree Search*, 2008).

use crate::settings::Config;

/// The weight of the bias in one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weight {
    /// At a node without visits.
    pub(crate) c_pn: f32,
    /// By what part of itself the divisor grows with each visit of the node.
    fade: f32,
}

/// Of a game that does not say what suits it.
const USUAL: f64 = 0.1;
/// The visits of a node at which that has fallen to half.
const USUAL_FADE: u64 = 1000;

impl Weight {
    /// What the configuration says, else what suits the game, else what harms none.
    pub(crate) fn of(config: &Config, suited: Option<f64>, players: usize) -> Weight {
        match config.c_pn.or(suited) {
            Some(c_pn) => Weight { c_pn: c_pn as f32, fade: 0.0 },
            // Measured with three: numbers brought nothing there, and did harm.
            None if players > 2 => Weight { c_pn: 0.0, fade: 0.0 },
            None => Weight { c_pn: USUAL as f32, fade: 1.0 / USUAL_FADE as f32 },
        }
    }

    /// What the weight is divided by at a node with `visits`. Exactly 1 where it does not
    /// fade, so that the scores are those of the formula to the last bit.
    #[inline(always)]
    pub(crate) fn fading(self, visits: u64) -> f32 {
        1.0 + visits as i64 as f32 * self.fade
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_comes_before_the_game_and_the_game_before_the_rest() {
        let weight = |config: &Config, suited, players| {
            let Weight { c_pn, fade } = Weight::of(config, suited, players);
            (c_pn, if fade == 0.0 { 0.0 } else { (1.0 / fade).round() })
        };
        let usual = Config::default();
        assert_eq!(weight(&usual.clone().c_pn(0.5), Some(0.2), 2), (0.5, 0.0));
        assert_eq!(weight(&usual, Some(0.2), 2), (0.2, 0.0));
        assert_eq!(weight(&usual, Some(0.2), 3), (0.2, 0.0));
        assert_eq!(weight(&usual, None, 2), (0.1, 1000.0));
        assert_eq!(weight(&usual, None, 3).0, 0.0);
    }

    #[test]
    fn a_weight_fades_to_half_and_one_that_stays_is_exact() {
        let config = Config::default().c_pn(0.5);
        let stays = Weight::of(&config, None, 2);
        assert_eq!([0, 1, 1 << 45].map(|visits| stays.fading(visits)), [1.0; 3]);
        let fades = Weight::of(&Config::default(), None, 2);
        for (visits, divisor) in [(0, 1.0), (1000, 2.0), (3000, 4.0)] {
            assert!((fades.fading(visits) - divisor).abs() < 1e-6, "{visits}");
        }
    }
}
