//! Playouts from the children of a leaf, for the provers that sample.

use super::NewLeaf;
use crate::error::SearchError;
use crate::game::{Game, Turn};
use crate::math::Rng;
use crate::prove::run::Meter;
use crate::prove::setting::Setting;
use crate::rules::random_outcome;
use crate::settings::ProverConfig;
use crate::tree::{Facts, SeenChild};

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

/// One thread's generator and buffers.
pub(crate) struct Sampler<G: Game> {
    rng: Rng,
    moves: Vec<G::Move>,
    /// The children of a leaf at which the game goes on, and their won playouts.
    states: Vec<G::State>,
    wins: Vec<u32>,
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

    pub(crate) fn sampler<G: Game>(&self, thread: usize) -> Sampler<G> {
        let mut rngs = Rng::for_workers(self.seed).skip(thread);
        // The generators never end.
        let rng = rngs.next().unwrap_or_else(|| Rng::new(self.seed));
        Sampler { rng, moves: Vec::new(), states: Vec::new(), wins: Vec::new() }
    }

    /// Looks at the children of a leaf; `facts` says what is known of one from the
    /// claimant's win rate there, which is moved inside by θ when it is 0 or 1.
    /// Returns `false` when the run is to stop.
    pub(crate) fn look<G: Game>(
        &self,
        leaf: &NewLeaf<'_, G>,
        sampler: &mut Sampler<G>,
        meter: &Meter<'_, '_>,
        seen: &mut Vec<SeenChild>,
        facts: impl Fn(f64) -> Facts,
    ) -> Result<bool, SearchError> {
        sampler.states.clear();
        leaf.value_children(seen, |state, _| {
            sampler.states.push(state.clone());
            Ok(Some(facts(0.5)))
        })?;
        let sampled = self.play_out(leaf, sampler, meter);
        let open = seen.iter_mut().filter_map(SeenChild::open_facts);
        for (open, &wins) in open.zip(&sampler.wins) {
            *open = facts(self.rate(wins));
        }
        Ok(sampled.is_some())
    }

    /// The win rate, moved inside by θ when it is 0 or 1.
    fn rate(&self, wins: u32) -> f64 {
        match wins {
            0 => self.theta,
            _ if wins == self.playouts => 1.0 - self.theta,
            _ => f64::from(wins) / f64::from(self.playouts),
        }
    }

    /// Plays from all positions; `None` when the run is to stop.
    fn play_out<G: Game>(
        &self,
        leaf: &NewLeaf<'_, G>,
        sampler: &mut Sampler<G>,
        meter: &Meter<'_, '_>,
    ) -> Option<()> {
        sampler.wins.clear();
        for i in 0..sampler.states.len() {
            let state = sampler.states[i].clone();
            let won =
                self.wins(leaf.setting, &state, self.playouts, sampler, || meter.stopped())?;
            sampler.wins.push(won);
        }
        Some(())
    }

    /// How many playouts from a position the claimant wins; `None` when the run is
    /// to stop.
    fn wins<G: Game>(
        &self,
        setting: &Setting<'_, G>,
        state: &G::State,
        playouts: u32,
        sampler: &mut Sampler<G>,
        stopped: impl Fn() -> bool,
    ) -> Option<u32> {
        let mut wins = 0;
        for _ in 0..playouts {
            if stopped() {
                return None;
            }
            wins += u32::from(self.playout(setting, state.clone(), sampler));
        }
        Some(wins)
    }

    /// Whether the claimant gets what it claims in one random playout.
    fn playout<G: Game>(
        &self,
        setting: &Setting<'_, G>,
        mut state: G::State,
        sampler: &mut Sampler<G>,
    ) -> bool {
        let Setting { game, question, .. } = setting;
        let Sampler { rng, moves, .. } = sampler;
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
