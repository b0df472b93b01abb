//! Compares playouts of [`AnyGame`] with playouts of the game itself.

use proofwood::evaluate::{DefaultRollout, Rollout};
use proofwood::options::PlayoutPolicy;
use proofwood::{Budget, Config, Game, Search};
use proofwood_any_game::AnyRollout;
use proofwood_games::{AnyGame, Minishogi, Mnk, Oware, Pig};
use std::sync::Arc;

/// The number of nodes, and the visits and the mean value of each move.
type Tree = (u64, Vec<(u64, Option<f64>)>);

fn grown<G: Game>(game: G, config: &Config, rollouts: impl Rollout<G>) -> Tree {
    let start = game.initial_state();
    let mut search = Search::with_rollouts(game, start, config.clone(), rollouts).unwrap();
    let report = search.search(&Budget::default().playouts(400)).unwrap();
    (report.nodes, report.moves.iter().map(|known| (known.visits, known.mean)).collect())
}

/// Asserts that a search of [`AnyGame`] builds the same tree as a search of the game itself, move
/// by move and bit by bit.
fn has_the_games_own_tree<G: Game + Clone>(game: G)
where
    AnyGame: From<G>,
{
    let config = Config::default().threads(1).seed(5);
    let own = grown(game.clone(), &config, DefaultRollout::of(&config));
    let any = Arc::new(AnyGame::from(game));
    assert_eq!(grown(any, &config, AnyRollout::from(DefaultRollout::of(&config))), own);
}

/// Compares the trees of a game with several players, one with chance, one with repetitions, and a
/// large one.
#[test]
fn a_search_of_any_game_builds_the_games_own_tree() {
    has_the_games_own_tree(Mnk::new(3, 3, 3, 3).unwrap());
    has_the_games_own_tree(Pig::default());
    has_the_games_own_tree(Oware::default());
    has_the_games_own_tree(Minishogi::default());
}

#[test]
fn c_is_what_suits_the_game_unless_it_is_told() {
    let tree = |spec: &str, config: Config| {
        let config = config.threads(1).seed(5);
        let game = Arc::new(AnyGame::from_spec(spec).unwrap());
        grown(game, &config, AnyRollout::from(DefaultRollout::of(&config)))
    };
    for (spec, recommended) in [("loa7", 0.2), ("connect-four", 1.0), ("clobber", 0.8)] {
        let left_open = tree(spec, Config::default());
        assert_eq!(left_open, tree(spec, Config::default().c(recommended)), "{spec}");
        assert_ne!(left_open, tree(spec, Config::default().c(recommended + 0.5)), "{spec}");
        // The recommendation applies only to the game's own playouts.
        let random = Config::default().playout_policy(PlayoutPolicy::Random);
        assert_eq!(tree(spec, random.clone()), tree(spec, random.c(0.8)), "{spec}");
    }
}
