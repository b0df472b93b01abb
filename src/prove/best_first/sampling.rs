//! Playouts from the children of a leaf, for the provers that sample.

use super::Leaf;
use crate::error::SearchError;
use crate::game::{Game, Turn};
use crate::math::Rng;
use crate::prove::crew::Crew;
use crate::prove::run::{Meter, Run};
use crate::prove::setting::Setting;
use crate::rules::random_outcome;
use crate::settings::{ProverConfig, Share};
use crate::tree::{Facts, SeenChild};
use crossbeam_utils::Backoff;

/// How leaves are sampled.
pub(crate) struct Sampling<S> {
    /// Playouts from each new position.
    playouts: u32,
    /// How far a win rate of 0 or 1 is moved inside.
    theta: f64,
    /// Moves after which a playout counts as not won.
    cap: u32,
    seed: u64,
    threads: usize,
    /// Where all threads sample the same leaf.
    crew: Option<Crew<S>>,
}

/// One thread's generator and buffers.
pub(crate) struct Sampler<G: Game> {
    rng: Rng,
    moves: Vec<G::Move>,
    /// The children of a leaf at which the game goes on, and their won playouts.
    states: Vec<G::State>,
    wins: Vec<u32>,
}

impl<S: Clone> Sampling<S> {
    pub(crate) fn new(config: &ProverConfig) -> Sampling<S> {
        let together = config.share == Share::Playouts && config.threads > 1;
        Sampling {
            playouts: config.playouts_per_leaf,
            theta: config.theta,
            cap: config.playout_cap,
            seed: config.seed,
            threads: config.threads,
            crew: together.then(Crew::new),
        }
    }

    /// Whether threads [`help`](Sampling::help) the one that grows the tree.
    pub(crate) fn has_crew(&self) -> bool {
        self.crew.is_some()
    }

    pub(crate) fn sampler<G: Game<State = S>>(&self, thread: usize) -> Sampler<G> {
        let mut rngs = Rng::for_workers(self.seed).skip(thread);
        // The generators never end.
        let rng = rngs.next().unwrap_or_else(|| Rng::new(self.seed));
        Sampler { rng, moves: Vec::new(), states: Vec::new(), wins: Vec::new() }
    }

    /// Looks at the children of a leaf; `facts` says what is known of one from the
    /// claimant's win rate there, which is moved inside by θ when it is 0 or 1.
    /// Answers `false` when the run is to stop.
    pub(crate) fn look<G: Game<State = S>>(
        &self,
        leaf: &Leaf<'_, G>,
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
        let sampled = match &self.crew {
            None => self.play_out(leaf, sampler, meter),
            Some(crew) => self.lead(crew, leaf, sampler, meter),
        };
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
    fn play_out<G: Game<State = S>>(
        &self,
        leaf: &Leaf<'_, G>,
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

    /// The same together with the threads that help.
    fn lead<G: Game<State = S>>(
        &self,
        crew: &Crew<S>,
        leaf: &Leaf<'_, G>,
        sampler: &mut Sampler<G>,
        meter: &Meter<'_, '_>,
    ) -> Option<()> {
        sampler.wins.clear();
        crew.begin(&sampler.states, self.playouts, self.playouts.div_ceil(self.threads as u32));
        self.take_part(crew, leaf.setting, sampler, &|| meter.stopped())?;
        let backoff = Backoff::new();
        while !crew.wins(&mut sampler.wins) {
            if meter.stopped() {
                return None;
            }
            backoff.snooze();
        }
        Some(())
    }

    /// Samples what the leading thread hands over until the run is to stop.
    pub(crate) fn help<G: Game<State = S>>(
        &self,
        setting: &Setting<'_, G>,
        thread: usize,
        run: &Run<'_>,
    ) {
        let Some(crew) = &self.crew else { return };
        let mut sampler = self.sampler(thread);
        let (mut known, backoff) = (0, Backoff::new());
        while !run.stopped() {
            let begun = crew.begun();
            if begun == known {
                backoff.snooze();
                continue;
            }
            known = begun;
            backoff.reset();
            if self.take_part(crew, setting, &mut sampler, &|| run.stopped()).is_none() {
                return;
            }
        }
    }

    /// Takes portions while there are any; `None` when the run is to stop.
    fn take_part<G: Game<State = S>>(
        &self,
        crew: &Crew<S>,
        setting: &Setting<'_, G>,
        sampler: &mut Sampler<G>,
        stopped: &impl Fn() -> bool,
    ) -> Option<()> {
        let mut done = None;
        while let Some((portion, state)) = crew.next(done) {
            let won = self.wins(setting, &state, portion.playouts, sampler, stopped)?;
            done = Some((portion, won));
        }
        Some(())
    }

    /// How many playouts from a position the claimant wins; `None` when the run is
    /// to stop.
    fn wins<G: Game<State = S>>(
        &self,
        setting: &Setting<'_, G>,
        state: &S,
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
    fn playout<G: Game<State = S>>(
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
