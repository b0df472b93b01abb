//! Win rates of random playouts, from which some provers compute their numbers.

use super::run::Meter;
use super::setting::Setting;
use crate::game::{DomainKnowledge, Game, Turn};
use crate::math::Rng;
use crate::rules::random_outcome;
use crate::settings::ProverConfig;

pub(crate) struct Sampling {
    playouts: u32,
    /// The parameter θ, which replaces a win rate of 0; a rate of 1 becomes 1 − θ.
    theta: f64,
    /// The number of moves after which a playout counts as not won.
    cap: u32,
    seed: u64,
}

pub(crate) struct Sampler<'s, G: Game> {
    sampling: &'s Sampling,
    rng: Rng,
    moves: Vec<G::Move>,
}

impl Sampling {
    pub(crate) fn new(config: &ProverConfig) -> Sampling {
        Sampling {
            playouts: config.playouts_per_leaf,
            theta: config.theta,
            cap: config.playout_cap,
            seed: config.seed,
        }
    }

    pub(crate) fn sampler<G: Game>(&self, thread: usize) -> Sampler<'_, G> {
        let mut rngs = Rng::for_workers(self.seed).skip(thread);
        // The iterator never ends.
        let rng = rngs.next().unwrap_or_else(|| Rng::new(self.seed));
        Sampler { sampling: self, rng, moves: Vec::new() }
    }
}

impl<G: Game> Sampler<'_, G> {
    /// Returns the fraction of playouts in which the claim is true, with θ instead of 0 and 1 − θ
    /// instead of 1; `None` if the run must stop.
    pub(crate) fn win_rate(
        &mut self,
        setting: &Setting<'_, G>,
        state: &G::State,
        meter: &Meter<'_, '_>,
    ) -> Option<f64> {
        let Sampling { playouts, theta, .. } = *self.sampling;
        let mut wins = 0;
        for _ in 0..playouts {
            if meter.stopped() {
                return None;
            }
            wins += u32::from(self.playout(setting, state.clone()));
        }
        Some(match wins {
            0 => theta,
            _ if wins == playouts => 1.0 - theta,
            _ => f64::from(wins) / f64::from(playouts),
        })
    }

    /// Plays one random playout; returns whether the claim is true at the end.
    fn playout(&mut self, setting: &Setting<'_, G>, mut state: G::State) -> bool {
        let Setting { game, question, .. } = setting;
        let Sampler { sampling, rng, moves } = self;
        let played = game.knowledge().rollout_randomly(&mut state, sampling.cap, rng);
        for _ in played..sampling.cap {
            moves.clear();
            let mv = match game.turn(&state) {
                Turn::Over => return game.payoff(&state, question.player) >= question.at_least,
                Turn::Player(_) => game.random_move(&state, moves, rng),
                Turn::Chance => random_outcome(*game, &state, moves, rng),
            };
            let Some(mv) = mv else { return false };
            game.play(&mut state, mv);
        }
        game.turn(&state) == Turn::Over && game.payoff(&state, question.player) >= question.at_least
    }
}
