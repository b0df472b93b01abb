//! Compares searches of dice games with expectimax in exact rational numbers and with value
//! iteration.

use super::value_iteration::values;
use proofwood::{Budget, Config, Expected, Game, Goal, Report, Search, StopReason, Turn, search};
use proofwood_games::ewn::Setup;
use proofwood_games::{Ewn, Pig};
use proofwood_testkit::expectimax::Solution;
use std::hash::Hash;

fn config(threads: usize) -> Config {
    Config::proving().goal(Goal::Score).threads(threads).memory(1 << 30)
}

fn solution<G: Game<State: Eq + Hash>>(game: &G) -> Solution {
    Solution::of(game, &game.initial_state())
}

/// Searches until the root is solved and compares the root and every move with the exhaustive
/// solution.
fn settle<G: Game>(game: G, solution: &Solution, config: Config) -> Report<G> {
    let root = game.initial_state();
    let mut search = Search::new(game, root, config.audit(true)).expect("it fits");
    let report = search.search(&Budget::default().playouts(20_000_000)).expect("sound rules");
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(report.stop_reason, Some(StopReason::Solved), "{:?}", report.expected);
    let player = report.to_move.unwrap_or(0);
    let expected = report.expected.expect("bounds are on");
    assert!(expected.is_final());
    solution.root.check(player, expected, "the root");
    for (mv, truth) in report.moves.iter().zip(&solution.moves) {
        truth.check(player, mv.expected.expect("bounds are on"), &format!("{:?}", mv.mv));
        assert!(truth.allows(player, mv.proven));
    }
    report
}

fn width(expected: Expected) -> f64 {
    expected.upper.expect("a limit").to_f64() - expected.lower.expect("a limit").to_f64()
}

#[test]
fn ewn_on_three_by_three() {
    for (setup, threads) in
        [(Setup::Fixed, &[1, 4][..]), (Setup::Chosen, &[2]), (Setup::Random, &[2])]
    {
        let game = Ewn::new(3, setup).unwrap();
        let solution = solution(&game);
        for &threads in threads {
            let report = settle(game.clone(), &solution, config(threads));
            // Only rounding errors remain.
            assert!(width(report.expected.unwrap()) < 1e-7, "{:?}", report.expected);
            assert_eq!(report.to_move.is_none(), setup != Setup::Chosen);
        }
    }
}

/// Checks that searches solve Pig with a limit on the number of turns, which makes every game end.
#[test]
fn pig_with_a_limit() {
    // The last case takes most of the time, so it runs only with three threads.
    for (target, players, turns, threads) in
        [(6, 2, 4, &[1, 3][..]), (10, 2, 3, &[1, 3]), (5, 3, 5, &[1, 3]), (8, 2, 6, &[3])]
    {
        let game = Pig::new(target, players, Some(turns)).unwrap();
        let solution = solution(&game);
        for &threads in threads {
            let report = settle(game.clone(), &solution, config(threads));
            assert_eq!(report.best_move.is_some(), matches!(report.to_move, Some(0)));
        }
    }
}

/// Without a limit, Pig can be endless. Checks that bounds always contain the value and become
/// narrower, even for the move that looks bad. Without visits reserved for bounds
/// (`--disprove-rest`) some searches of games to 4 points ended with bounds 0.03 wide, and searches
/// of games to 7 points with bounds half a point wide. In games to 2 points the width of the bounds
/// soon falls to the rounding error, and later playouts only go deeper.
#[test]
fn pig_without_a_limit() {
    for (target, playouts, widest) in [(2, 2_000, 1e-4), (4, 20_000, 0.001), (7, 40_000, 0.2)] {
        // The winner receives 1 and the other player −1.
        let value = 2.0 * values(target, 2)[0] - 1.0;
        let game = Pig::new(target, 2, None).unwrap();
        for threads in [1, 4] {
            let mut search =
                Search::new(game.clone(), game.initial_state(), config(threads)).expect("it fits");
            let mut before = 2.0;
            for _ in 0..4 {
                let budget = Budget::default().playouts(playouts / 4);
                let report = search.search(&budget).expect("sound rules");
                let expected = report.expected.expect("bounds are on");
                let (lower, upper) = (expected.lower.unwrap(), expected.upper.unwrap());
                assert!(
                    lower.to_f64() <= value && value <= upper.to_f64(),
                    "to {target}: {expected} without {value}"
                );
                assert!(width(expected) <= before);
                assert_eq!(expected.exact(), None, "a game without end is not exact");
                before = width(expected);
            }
            assert!(before < widest, "to {target}: still {before} wide");
        }
    }
}

/// Checks the payoff that the first of three players can secure against both others together.
#[test]
fn pig_for_three() {
    for (target, playouts, widest) in [(2, 4_000, 1e-3), (3, 40_000, 0.05)] {
        let value = 3.0 * values(target, 3)[0] - 1.0;
        let game = Pig::new(target, 3, None).unwrap();
        let root = game.initial_state();
        let budget = Budget::default().playouts(playouts);
        let report = search(game, root, config(2), &budget).expect("sound rules");
        assert!(report.paranoid);
        let expected = report.expected.expect("bounds are on");
        let (lower, upper) = (expected.lower.unwrap().to_f64(), expected.upper.unwrap().to_f64());
        assert!(lower <= value && value <= upper, "to {target}: {expected} without {value}");
        assert!(upper - lower < widest, "to {target}: still {} wide", upper - lower);
    }
}

/// Checks that the best move is to roll at the start, and to hold with a winning total.
#[test]
fn the_best_move_in_pig() {
    let game = Pig::new(20, 2, None).unwrap();
    for (position, best) in [("0/0 1 0", "roll"), ("0/18 1 20", "hold")] {
        let state = game.parse_state(position).unwrap();
        assert!(matches!(game.turn(&state), Turn::Player(0)));
        let config = Config::default().threads(2);
        let budget = Budget::default().playouts(20_000);
        let report = search(game.clone(), state, config, &budget).expect("sound rules");
        let found = report.best_move.map(|mv| game.move_text(&state, mv));
        assert_eq!(found.as_deref(), Some(best), "{position}");
        assert!(report.expected.is_some());
    }
}
