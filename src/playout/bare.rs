//! Rollouts without a tree, whose time is the unit of the benchmarks.

use super::context::{Context, Utility};
use super::evaluation::Workspace;
use super::rollout::{RandomRollout, Rollout, UniformRandom};
use crate::bounds::Interval;
use crate::game::{Game, MAX_PLAYERS};
use crate::math::Rng;
use crate::rules::{Thresholds, find_thresholds};
use crate::settings::Goal;
use crate::sync::AtomicBool;

/// Plays `games` uniformly random games from `state`; returns player 0's wins minus its losses. The
/// time of this loop is the cost of playouts without a tree, which is the unit of the benchmarks.
pub fn bare_playouts<G: Game>(game: &G, state: &G::State, rng: &mut Rng, games: u64) -> i64 {
    bare_rollouts(game, state, &RandomRollout::new(UniformRandom, u32::MAX), rng, games)
}

/// Plays games like [`bare_playouts`], with rollouts of any kind.
// Inlined, so that the rollouts' constants are also constants in the caller's loop.
#[inline(always)]
pub fn bare_rollouts<G: Game, R: Rollout<G>>(
    game: &G,
    state: &G::State,
    rollouts: &R,
    rng: &mut Rng,
    games: u64,
) -> i64 {
    let players = game.num_players();
    let mut thresholds = [Thresholds::default(); MAX_PLAYERS];
    for (player, cuts) in thresholds[..players].iter_mut().enumerate() {
        let range = game.payoff_range(player);
        *cuts =
            find_thresholds(game, player, Interval { lower: *range.start(), upper: *range.end() });
    }
    let ranges = [Interval::exactly(0); MAX_PLAYERS];
    let utility = Utility::new(Goal::Outcome, game.has_chance(), thresholds, ranges);
    let stop = AtomicBool::new(false);
    let (mut moves, mut workspace) = (Vec::new(), Workspace::default());
    let mut values = [0.0; MAX_PLAYERS];
    let values = &mut values[..players];
    let mut sum = 0.0;
    for _ in 0..games {
        let (moves, workspace) = (&mut moves, &mut workspace);
        let mut context = Context { game, rng, moves, workspace, utility: &utility, stop: &stop };
        if rollouts.rollout(&mut state.clone(), &mut context, values).is_ok() {
            sum += f64::from(values[0]);
        }
    }
    sum as i64
}
