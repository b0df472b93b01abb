//! Playouts from the children of a leaf, for the provers that sample.

use crate::Rng;
use crate::evaluate::random_outcome;
use crate::game::{Game, Turn};
use crate::prove::best_first::Leaf;
use crate::prove::run::Meter;
use crate::prove::{ProverConfig, Setting};

/// How leaves are sampled.
pub(crate) struct Sampling {
    /// Playouts from each new position.
    playouts: u32,
    /// How far a win rate of 0 or 1 is moved inside.
    theta: f64,
    /// Moves after which a playout counts as not won.
    cap: u32,
    seed: u64,
}

/// One thread's generator and buffer.
pub(crate) struct Sampler<M> {
    rng: Rng,
    moves: Vec<M>,
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

    pub(crate) fn sampler<M>(&self, thread: usize) -> Sampler<M> {
        let mut rngs = Rng::for_workers(self.seed).skip(thread);
        // The generators never end.
        let rng = rngs.next().unwrap_or_else(|| Rng::new(self.seed));
        Sampler { rng, moves: Vec::new() }
    }

    /// The claimant's win rate in playouts from `state`, moved inside by θ when
    /// it is 0 or 1; `None` when the run is to stop.
    pub(crate) fn rate<G: Game>(
        &self,
        leaf: &Leaf<'_, G>,
        sampler: &mut Sampler<G::Move>,
        meter: &Meter<'_, '_>,
        state: &G::State,
    ) -> Option<f64> {
        let mut wins = 0;
        for _ in 0..self.playouts {
            if meter.stopped() {
                return None;
            }
            wins += u32::from(self.playout(leaf.setting, state.clone(), sampler));
        }
        let rate = f64::from(wins) / f64::from(self.playouts);
        Some(match wins {
            0 => self.theta,
            _ if wins == self.playouts => 1.0 - self.theta,
            _ => rate,
        })
    }

    /// Whether the claimant gets what it claims in one random playout.
    fn playout<G: Game>(
        &self,
        setting: &Setting<'_, G>,
        mut state: G::State,
        sampler: &mut Sampler<G::Move>,
    ) -> bool {
        let Setting { game, question, .. } = setting;
        let Sampler { rng, moves } = sampler;
        for _ in 0..self.cap {
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
