//! Compares solved positions with exhaustive search.

use proofwood::{Budget, Config, Game, Goal, Outcome, Report, StopReason, Value, search};
use proofwood_games::p_game::Leaves;
use proofwood_games::{ConnectFour, Mnk, Othello, PGame};
use proofwood_testkit::asks::Asks;
use proofwood_testkit::check::{check_claims, is_true};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::toy::toy;
use std::hash::Hash;

fn value_of(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Win => Value::Win,
        Outcome::Draw => Value::Draw,
        Outcome::Loss => Value::Loss,
    }
}

/// Searches the start until it is solved, with at most `most` playouts.
fn settle<G: Game>(game: G, config: Config, most: u64) -> Report<G> {
    let root = game.initial_state();
    let budget = Budget::default().playouts(most);
    let report = search(game, root, config.clone(), &budget).expect("a sound game");
    assert_eq!(
        report.stop_reason,
        Some(StopReason::Solved),
        "after {} playouts {:?} {:?} with {config:?}",
        report.playouts,
        report.proven,
        report.bounds
    );
    report
}

/// Draws one of the three combinations of solver and bounds, and a goal that this combination can
/// reach.
fn provers(dice: &mut Dice) -> Config {
    let (solver, score_bounds) = dice.pick(&[(true, true), (true, false), (false, true)]);
    let goal = if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
    Config::default()
        // A proof needs a visit to every move, so more exploration than is best for play.
        .c(std::f64::consts::SQRT_2)
        .solver(solver)
        .score_bounds(score_bounds)
        .goal(goal)
        .look_ahead(dice.chance(50))
        .seed(dice.below(1000) as u64)
        .threads(dice.pick(&[1, 1, 2, 4]))
        .memory(64 << 20)
}

#[test]
fn p_games_by_the_thousand() {
    for number in 0..3000 {
        let mut dice = Dice::new(number);
        let (branching, depth) = dice.pick(&[(2, 7), (2, 4), (3, 5), (4, 4), (7, 3), (20, 2)]);
        let leaves = match dice.below(3) {
            0 => Leaves::Values(dice.pick(&[1, 5, 100])),
            _ => Leaves::Won { percent: dice.pick(&[50, 38, 70, 10]) },
        };
        let early = dice.pick(&[0, 0, 10, 50]);
        let game = PGame::new(branching, depth, number, early, leaves).expect("a tree");
        let solution = Solution::of(&game, &game.initial_state());
        let config = provers(&mut dice);
        let report = settle(toy(game).0, config.clone(), 100_000);
        check_claims(&report, &config, &solution);
        assert_eq!(report.proven, value_of(solution.root.outcomes[0]), "tree {number} {config:?}");
    }
}

#[test]
fn random_games_of_one_and_two() {
    for number in 0..1000 {
        let mut dice = Dice::new(number);
        let game = RandomGame::with_players(number, dice.pick(&[1, 2, 2]));
        // Two players without zero sum are solved below, as a coalition.
        let config = provers(&mut dice).paranoid(!game.zero_sum());
        let solution = Solution::of(&game, &game.initial_state());
        let report = settle(game, config.clone(), 300_000);
        check_claims(&report, &config, &solution);
    }
}

/// With paranoid pruning, every question is answered.
#[test]
fn random_games_against_a_coalition() {
    for number in 0..1000 {
        let mut dice = Dice::new(number);
        let game = RandomGame::with_players(number, dice.pick(&[3, 3, 4]));
        let config = provers(&mut dice).paranoid(true);
        let solution = Solution::of(&game, &game.initial_state());
        let report = settle(game, config.clone(), 300_000);
        assert!(report.paranoid && report.paranoid_pruning);
        check_claims(&report, &config, &solution);
    }
}

/// Without paranoid pruning, a solved value agrees with exhaustive search.
#[test]
fn random_games_of_many_for_themselves() {
    let mut solved = 0;
    for number in 0..800 {
        let mut dice = Dice::new(number);
        let mut game = RandomGame::with_players(number, dice.pick(&[2, 3, 3, 4]));
        game.depth = game.depth.min(3);
        if game.zero_sum() {
            continue;
        }
        let config = provers(&mut dice);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let budget = Budget::default().playouts(5000);
        let report = search(game, root, config.clone(), &budget).expect("a sound game");
        assert!(report.paranoid && !report.paranoid_pruning);
        check_claims(&report, &config, &solution);
        solved += u32::from(report.stop_reason == Some(StopReason::Solved));
    }
    assert!(solved > 300, "only {solved}");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    // Several threads may need more playouts if one of them is descheduled in the middle of work
    // that the others need.
    for (threads, most) in [(1, 30_000), (2, 5_000_000), (4, 5_000_000), (8, 5_000_000)] {
        for seed in 0..8 {
            let game = Mnk::new(3, 3, 3, 2).expect("a board");
            let report = settle(game, Config::default().threads(threads).seed(seed), most);
            assert_eq!((report.proven, report.bounds.exact()), (Value::Draw, Some(0)));
        }
    }
}

fn rows(csv: &str) -> impl Iterator<Item = Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect())
}

fn is_large(board: &str, k: &str) -> bool {
    matches!(
        (board, k),
        ("4rows x 4cols", "3")
            | ("2rows x 6cols", "3")
            | ("2rows x 7cols", "3")
            | ("3rows x 5cols", "3")
    )
}

#[test]
fn three_player_boards() {
    for row in rows(include_str!("../data/three_player_paranoid.csv")) {
        let [board, k, player, value] = row[..] else { panic!("{row:?}") };
        let numbers: Vec<usize> =
            board.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        let player: usize = player.trim_start_matches("player").parse().expect("a player");
        let expected = match value {
            "can force own line" => Outcome::Win,
            "can force a draw but no more" => Outcome::Draw,
            "cannot stop a loss" => Outcome::Loss,
            other => panic!("{other}?"),
        };
        let game = Mnk::new(numbers[1], numbers[0], k.parse().expect("k"), 3).expect("a board");
        let (game, root) = toy(Asks { game, player: player - 1 });
        let config = Config::default().threads(2).paranoid(true);
        if is_large(board, k) {
            let budget = Budget::default().playouts(20_000);
            let report = search(game, root, config, &budget).expect("a sound game");
            assert!(is_true(report.proven, expected), "{row:?}: {:?}", report.proven);
        } else {
            let report = settle(game, config, 5_000_000);
            assert_eq!(report.proven, value_of(expected), "{row:?}");
        }
    }
}

/// Solves a real board that is small enough for an exhaustive search, and checks every claim about
/// every first move.
fn check_board<G: Game<State: Eq + Hash>>(game: G, goal: Goal, threads: usize) {
    let root = game.initial_state();
    let solution = Solution::of(&game, &root);
    let config = Config::default().goal(goal).threads(threads);
    let report = settle(game, config.clone(), 5_000_000);
    check_claims(&report, &config, &solution);
}

#[test]
fn connect_four_boards() {
    for (threads, width, height, k) in
        [(1, 3, 3, 3), (2, 4, 4, 3), (4, 5, 3, 3), (2, 3, 5, 3), (2, 6, 2, 3), (2, 4, 4, 4)]
    {
        let game = ConnectFour::new(width, height, k).expect("a board");
        check_board(game, Goal::Outcome, threads);
    }
}

#[test]
fn mnk_boards() {
    for (threads, columns, rows, k) in [(2, 4, 3, 3), (1, 3, 4, 3), (4, 5, 2, 3)] {
        check_board(Mnk::new(columns, rows, k, 2).expect("a board"), Goal::Outcome, threads);
    }
}

#[test]
fn othello_on_four_by_four() {
    for (threads, empties_to_winner, score) in [(1, false, -8), (2, false, -8), (2, true, -10)] {
        let game = Othello::new(4, empties_to_winner).expect("a board");
        let report = settle(game, Config::default().goal(Goal::Score).threads(threads), 200_000);
        assert_eq!(report.bounds.exact(), Some(score));
    }
}
