//! Playouts from the children of a leaf, for the provers that sample.

use super::Question;
use super::best_first::Leaf;
use crate::Rng;
use crate::evaluate::random_outcome;
use crate::game::{Game, Turn};

/// How leaves are sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampling {
    /// Playouts from each new position; at least 1.
    pub(crate) playouts: u32,
    /// How far a win rate of 0 or 1 is moved inside; between 0 and one half.
    pub(crate) theta: f64,
    /// Moves after which a playout counts as lost for the claimant.
    pub(crate) cap: u32,
    /// Seed of all threads' random numbers.
    pub(crate) seed: u64,
}

/// One thread's generator and buffer.
pub(crate) struct Sampler<M> {
    rng: Rng,
    moves: Vec<M>,
}

impl Sampling {
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
        state: &G::State,
    ) -> Option<f64> {
        let (game, question) = (&*leaf.asked.game, leaf.asked.question);
        let mut wins = 0;
        for _ in 0..self.playouts {
            if leaf.is_stopped() {
                return None;
            }
            wins += u32::from(self.playout(game, question, state.clone(), sampler));
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
        game: &G,
        question: Question,
        mut state: G::State,
        sampler: &mut Sampler<G::Move>,
    ) -> bool {
        let Sampler { rng, moves } = sampler;
        for _ in 0..self.cap {
            moves.clear();
            let mv = match game.turn(&state) {
                Turn::Over => return game.payoff(&state, question.player) >= question.at_least,
                Turn::Player(_) => game.random_move(&state, moves, rng),
                Turn::Chance => random_outcome(game, &state, moves, rng),
            };
            let Some(mv) = mv else { return false };
            game.play(&mut state, mv);
        }
        game.turn(&state) == Turn::Over && game.payoff(&state, question.player) >= question.at_least
    }
}
