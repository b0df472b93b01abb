//! Tests of playouts that start below the root because the selections above are cached.

use proofwood::evaluate::{Context, NoValue, RandomRollout, Rollout, UniformRandom};
use proofwood::{Budget, Config, Game, Search, SearchError};
use proofwood_games::ConnectFour;
use std::sync::atomic::{AtomicU64, Ordering};

struct Panics(AtomicU64);

impl<G: Game> Rollout<G> for Panics {
    fn rollout(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) != 0, "not this one");
        RandomRollout::new(UniformRandom, 1000).rollout(state, context, values)
    }
}

#[test]
fn a_panic_loses_none() {
    let game = ConnectFour::default();
    for (threads, calls) in [(1, 700), (1, 1_003), (2, 1_500)] {
        let config = Config::default().threads(threads).memory(16 << 20).audit(true).keep_choice(1);
        let rollouts = Panics(AtomicU64::new(calls));
        let start = game.initial_state();
        let search = Search::with_rollouts(game.clone(), start, config, rollouts);
        let (mut search, budget) = (search.expect("it fits"), Budget::default().playouts(4_000));
        let error = search.search(&budget).expect_err("it panics");
        assert!(matches!(error, SearchError::Panic(_)), "{error}");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        search.search(&budget).expect("it panics once");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}
