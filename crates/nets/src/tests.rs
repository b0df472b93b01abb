//! Tests of the networks in `models/`: their outputs, and their strength.

use crate::evaluator::ByNetwork;
use crate::network::{Network, softmax};
use proofwood::evaluate::LeafEvaluation;
use proofwood::{Budget, Config, Game, Search, SearchError};
use proofwood_games::{ConnectFour, Othello, Planes};
use std::path::PathBuf;
use std::sync::Arc;

fn load(name: &str) -> Network {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models");
    Network::load(&folder.join(name).with_extension("safetensors")).expect("a network")
}

/// Returns the value of a position and the priors of its moves, in the order of the game.
fn answer<G: Planes>(game: &G, state: &G::State, network: &Network) -> (f32, Vec<f32>) {
    let (layers, mut moves) = (network.layers(), Vec::new());
    game.legal_moves(state, &mut moves);
    let mut sums = layers.nothing_on();
    game.look(state, |input| layers.add(&mut sums, input));
    let neurons = layers.think(&sums);
    let mut priors: Vec<f32> =
        moves.iter().map(|&mv| layers.logit(&neurons, game.output(mv))).collect();
    softmax(&mut priors);
    (neurons.value, priors)
}

/// Compares the outputs with values that a separate program computed in 64 bits.
#[test]
fn the_files_say_what_they_were_trained_to_say() {
    let agree = |(value, priors): (f32, Vec<f32>), right: f32, shares: &[f32]| {
        assert!((value - right).abs() < 1e-5, "{value} {right}");
        assert_eq!(priors.len(), shares.len());
        for (prior, share) in priors.iter().zip(shares) {
            assert!((prior - share).abs() < 1e-5, "{priors:?}");
        }
    };
    let (game, network) = (ConnectFour::default(), load("connect-four"));
    let start = game.initial_state();
    let shares = [0.010_274, 0.022_307, 0.019_17, 0.888_805, 0.024_294, 0.024_125, 0.011_026];
    agree(answer(&game, &start, &network), 0.157_73, &shares);
    let shares = [0.019_73, 0.031_518, 0.346_384, 0.171_213, 0.367_982, 0.028_747, 0.034_425];
    agree(answer(&game, &game.after(&start, 3), &network), -0.080_965, &shares);
    let (game, network) = (Othello::default(), load("othello"));
    // The moves are d3, c4, f5 and e6, which are symmetric to each other.
    let shares = [0.240_886, 0.250_385, 0.260_056, 0.248_673];
    agree(answer(&game, &game.initial_state(), &network), -0.215_74, &shares);
}

#[test]
fn a_network_for_another_game_is_refused() {
    let network = Arc::new(load("othello"));
    for error in [
        ByNetwork::new(Arc::clone(&network), &ConnectFour::default()).err(),
        ByNetwork::new(Arc::clone(&network), &Othello::new(6, false).expect("a board")).err(),
    ] {
        assert_eq!(error.expect("another game").network, "othello:8");
    }
    assert!(ByNetwork::new(network, &Othello::default()).is_ok());
}

/// Checks that the tree contains the network's priors and that the search uses them.
#[test]
fn a_search_has_the_priors_of_the_network() {
    let (game, network) = (Arc::new(ConnectFour::default()), load("connect-four"));
    let start = game.initial_state();
    let (_, priors) = answer(&game, &start, &network);
    let evaluator = ByNetwork::new(network, &*game).expect("its game");
    let config = Config::default().threads(1).memory(32 << 20);
    let mut search = Search::with_evaluator(game, start, config, evaluator).expect("a search");
    let report = search.search(&Budget::default().playouts(300)).expect("an answer");
    for (known, prior) in report.moves.iter().zip(priors) {
        // Priors are stored in half precision.
        let kept = known.prior.expect("a prior") as f32;
        assert!((kept - prior).abs() < 2e-3, "{kept} {prior}");
    }
    assert_eq!(report.best_move, Some(3));
}

type Rules = Arc<ConnectFour>;

/// Returns the number of critical Connect Four positions after twelve moves in which a search with
/// `playouts` playouts chooses a move that keeps the value.
fn kept<L, M>(playouts: u64, make: M) -> usize
where
    L: LeafEvaluation<Rules>,
    M: Fn(Rules, <Rules as Game>::State, Config) -> Result<Search<Rules, L>, SearchError>,
{
    let positions = include_str!("../../../tests/data/positions/connect_four_critical.csv");
    let game = Arc::new(ConnectFour::default());
    let keeps = |row: &str| {
        let mut cells = row.split(',');
        let mut state = game.initial_state();
        for column in cells.next().expect("moves").bytes() {
            game.play(&mut state, column - b'1');
        }
        let worth = |word: &str| ["loss", "draw", "win"].iter().position(|&known| known == word);
        let worths: Vec<Option<usize>> = cells.map(worth).collect();
        let config = Config::default().threads(1).memory(32 << 20);
        let search = make(Arc::clone(&game), state, config);
        let budget = Budget::default().playouts(playouts);
        let report = search.expect("a search").search(&budget).expect("an answer");
        let best = report.best_move.expect("a move");
        worths[usize::from(best)] == worths.iter().copied().max().flatten()
    };
    positions.lines().skip(1).filter(|row| keeps(row)).count()
}

/// Compares the two counts, which are the same in every run because each search uses one thread and
/// a fixed seed.
#[test]
fn a_network_keeps_the_value_more_often_than_playouts() {
    let network = ByNetwork::new(load("connect-four"), &ConnectFour::default());
    let network = network.expect("its game");
    let by_playouts = kept(100, Search::new);
    let by_network = kept(100, |game, state, config| {
        Search::with_evaluator(game, state, config, network.clone())
    });
    assert!(by_network >= by_playouts + 5, "{by_network} {by_playouts}");
}
