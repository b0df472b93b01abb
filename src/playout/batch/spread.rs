//! Rollouts of many leaves, spread over threads. The values do not depend on which thread values
//! which leaf.
//!
//! One thread grows the tree and calls the evaluator itself, so the schedule of a search is fixed:
//! a fixed number of leaves is gathered, valued, and added in the order in which they were
//! gathered. Each leaf's rollout has its own random numbers, which follow from the seed and from
//! the number of leaves that were valued before it. So the tree is the same for any number of
//! threads.

use super::super::context::{Context, Utility};
use super::super::evaluation::{NoValue, Workspace};
use super::super::rollout::{DefaultRollout, Rollout};
use super::{BatchContext, BatchEvaluator, Leaf};
use crate::game::Game;
use crate::math::{Rng, mix_all_bits};
use crate::settings::Config;
use crate::sync::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{panic, thread};

pub(crate) struct Spread {
    playout: DefaultRollout,
    threads: usize,
    stack: usize,
    seed: u64,
    valued: AtomicU64,
}

impl Spread {
    /// Creates rollouts that follow the configuration.
    pub(crate) fn new(config: &Config) -> Spread {
        Spread {
            playout: DefaultRollout::of(config),
            threads: config.threads,
            stack: config.stack as usize,
            seed: config.seed,
            valued: AtomicU64::new(0),
        }
    }

    /// Plays out a batch of leaves; `first` is its first leaf's number in all batches.
    fn play<G: Game>(
        &self,
        leaves: &mut [Leaf<G>],
        first: u64,
        (game, utility, stop): (&G, &Utility, &AtomicBool),
    ) -> Result<(), NoValue> {
        let (mut moves, mut workspace) = (Vec::new(), Workspace::default());
        for (number, leaf) in (first..).zip(leaves) {
            let mut rng = Rng::new(mix_all_bits(self.seed ^ mix_all_bits(number + 1)));
            let (rng, moves, workspace) = (&mut rng, &mut moves, &mut workspace);
            let mut context = Context { game, rng, moves, workspace, utility, stop };
            self.playout.rollout(&mut leaf.state.clone(), &mut context, &mut leaf.values)?;
        }
        Ok(())
    }
}

impl<G: Game> BatchEvaluator<G> for Spread {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<G>],
        context: &mut BatchContext<'_, G>,
    ) -> Result<(), NoValue> {
        // Relaxed: only one thread calls, one batch after another.
        let first = self.valued.fetch_add(leaves.len() as u64, Ordering::Relaxed);
        let each = leaves.len().div_ceil(self.threads).max(1);
        let shared = (context.game, context.utility, context.stop);
        let mut parts = (first..).step_by(each).zip(leaves.chunks_mut(each));
        let own = parts.next();
        thread::scope(|scope| {
            let play = |(first, part)| {
                let thread = thread::Builder::new().stack_size(self.stack);
                thread.spawn_scoped(scope, move || self.play(part, first, shared))
            };
            let others: Vec<_> = parts.map(play).collect();
            let mut played = own.map_or(Ok(()), |(first, part)| self.play(part, first, shared));
            for other in others {
                let part = other?.join().unwrap_or_else(|payload| panic::resume_unwind(payload));
                played = played.and(part);
            }
            played
        })
    }

    fn has_priors(&self) -> bool {
        false
    }

    /// Every playout is different, so answers are not reused.
    fn is_function(&self) -> bool {
        false
    }
}
