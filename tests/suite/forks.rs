//! Playouts that begin below the root, where the choices above are kept.

use proofwood::{
    Bias, Budget, Config, Context, DefaultPlayout, Evaluator, Game, NoValue, Observer, Passed,
    RandomPlayout, Report, Search, SearchError, UniformRandom, WithObserver,
};
use proofwood_games::{ChineseCheckers, ConnectFour, Hex, Mnk};
use std::sync::atomic::{AtomicU64, Ordering};

/// Is told of every playout from the root on, so that none begins below it.
struct Silent;

impl<G: Game> Observer<G> for Silent {
    fn backed_up(&self, _: &[Passed<G::Move>]) {}
}

/// A search of a game from its start, and what it found.
fn search<G: Game + Clone, E: Evaluator<G>>(game: &G, config: &Config, evaluator: E) -> Report<G> {
    let start = game.initial_state();
    let search = Search::with_evaluator(game.clone(), start, config.clone(), evaluator);
    search.expect("it fits").search(&Budget::default().playouts(5_000)).expect("a sound game")
}

fn check_same<G: Game + Clone>(game: &G) {
    for (seed, keep_choice) in [(1, 32), (2, 1), (3, 4)] {
        let config = Config::default().threads(1).seed(seed).keep_choice(keep_choice);
        // Counted proof numbers: who is told of every node has no moves tried without children.
        let config = config.bias(Bias::Max).c_pn(0.1).memory(64 << 20);
        let below = search(game, &config, DefaultPlayout::of(&config));
        let watched = WithObserver::new(DefaultPlayout::of(&config), Silent);
        let whole = search(game, &config, watched);
        let moves = |report: &Report<G>| {
            let moves = report.moves.iter().map(|mv| (mv.visits, mv.mean));
            format!("{:?} {:?}", report.mean, moves.collect::<Vec<_>>())
        };
        assert_eq!(moves(&below), moves(&whole), "seed {seed}, kept from {keep_choice} visits on");
        assert_eq!(below.nodes, whole.nodes, "seed {seed}, kept from {keep_choice} visits on");
    }
}

/// Counts down to a panic.
struct Panics(AtomicU64);

impl<G: Game> Evaluator<G> for Panics {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) != 0, "not this one");
        RandomPlayout::new(UniformRandom, 1000).evaluate(state, context, values)
    }
}

#[test]
fn they_are_those_that_would_begin_at_the_root() {
    check_same(&ConnectFour::default());
    check_same(&Hex::new(5, 5).expect("a board"));
    // Each of three players has values of its own.
    check_same(&ChineseCheckers::default());
    check_same(&Mnk::new(5, 4, 4, 2).expect("a board"));
}

#[test]
fn a_panic_loses_none() {
    let game = ConnectFour::default();
    for (threads, calls) in [(1, 700), (1, 1_003), (2, 1_500)] {
        let config = Config::default().threads(threads).memory(16 << 20).audit(true).keep_choice(1);
        let evaluator = Panics(AtomicU64::new(calls));
        let start = game.initial_state();
        let search = Search::with_evaluator(game.clone(), start, config, evaluator);
        let (mut search, budget) = (search.expect("it fits"), Budget::default().playouts(4_000));
        let error = search.search(&budget).expect_err("it panics");
        assert!(matches!(error, SearchError::Panic(_)), "{error}");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        search.search(&budget).expect("it panics once");
        search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}
