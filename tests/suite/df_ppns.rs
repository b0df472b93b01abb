//! Tests of df-PPNS on real games: its answers, which are compared with exhaustive search, its
//! estimates, and its limits. Like all provers, it is tested on random trees and graphs and with
//! tables of four entries in `proofs`.

use proofwood::{
    Algorithm, Budget, Game, Outcome, ProofGoal, ProofSearch, ProverConfig, StopReason, Value,
    prove,
};
use proofwood_games::{ConnectFour, Mnk, Othello, PGame, p_game::Leaves};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::toy::toy;
use std::hash::Hash;
use std::time::Duration;

/// A configuration without static bounds, which would answer small boards at once.
fn config(threads: usize) -> ProverConfig {
    ProverConfig::default()
        .algorithm(Algorithm::DfPpns)
        .threads(threads)
        .table(1 << 20)
        .playouts_per_leaf(4)
        .foresight(false)
}

fn check_game<G: Game<State: Eq + Hash> + Clone>(game: G, threads: &[usize]) {
    let solution = Solution::of(&game, &game.initial_state());
    check_answers(game, &solution, threads);
}

fn check_answers<G: Game + Clone>(game: G, solution: &Solution, threads: &[usize]) {
    let root = game.initial_state();
    let (truth, mut moves) = (&solution.root, Vec::new());
    game.legal_moves(&root, &mut moves);
    for &threads in threads {
        // Tables with four entries, and with more entries than there are positions.
        for (table, epsilon) in [(64, 0.25), (1 << 20, 0.25), (1 << 20, 0.0), (1 << 20, 4.0)] {
            let config = config(threads).table(table).epsilon(epsilon);
            let what = format!("{threads} threads, {table} bytes, ε {epsilon}");
            let report = prove(game.clone(), root.clone(), config, &Budget::default());
            let report = report.expect(&what);
            assert_eq!(report.stop_reason, Some(StopReason::Solved), "{what}");
            let right = match truth.outcomes[report.player] {
                Outcome::Win => Value::Win,
                Outcome::Draw => Value::Draw,
                Outcome::Loss => Value::Loss,
            };
            assert_eq!(report.proven, right, "{what}");
            assert!(report.asked.iter().all(|asked| asked.estimate.is_none()), "{what}");
            if let Some(best) = report.best_move {
                let number = moves.iter().position(|&mv| mv == best).expect("a legal move");
                let after = &solution.moves[number];
                assert_eq!(after.outcomes[report.player], truth.outcomes[report.player], "{what}");
            }
        }
    }
}

#[test]
fn small_games() {
    check_game(Mnk::new(3, 3, 3, 2).expect("a board"), &[1, 2, 16]);
    check_game(Othello::new(4, false).expect("a board"), &[1, 4]);
}

#[test]
fn p_games() {
    for seed in 0..20 {
        let leaves = Leaves::Won { percent: 50 };
        for game in [
            PGame::new(2, 10, seed, 0, leaves).expect("a tree"),
            PGame::new(8, 4, seed, 0, Leaves::Values(3)).expect("a tree"),
        ] {
            let solution = Solution::of(&game, &game.initial_state());
            check_answers(toy(game).0, &solution, &[1, 3]);
        }
    }
}

#[test]
fn scores() {
    for threads in [1, 2] {
        let game = Othello::new(4, false).expect("a board");
        let root = game.initial_state();
        let config = config(threads).goal(ProofGoal::Score);
        let report = prove(game, root, config, &Budget::default()).expect("it answers");
        assert_eq!(report.bounds.exact(), Some(-8));
    }
}

/// With a tolerance the search ends at an answer, or at an estimate within the tolerance of 0 or 1.
/// Answers are right, and in such small games so are nearly all estimates.
#[test]
fn a_tolerance_ends_at_an_estimate() {
    let (mut likely, mut unlikely, mut wrong) = (0, 0, 0);
    for seed in 0..200u64 {
        // The player who moves last wins most of these games.
        let leaves = Leaves::Won { percent: 50 };
        let game = PGame::new(3, 6 + (seed % 2) as u8, seed, 0, leaves).expect("a tree");
        let wins = Solution::of(&game, &game.initial_state()).root.outcomes[0] == Outcome::Win;
        let (game, root) = toy(game);
        for threads in [1, 3] {
            let config = config(threads).goal(ProofGoal::Win).player(0).precision(0.05);
            let config = config.playouts_per_leaf(20).seed(seed);
            let report =
                prove(game.clone(), root.clone(), config, &Budget::default()).expect("it ends");
            let estimate = report.asked[0].estimate;
            if report.stop_reason == Some(StopReason::Solved) {
                assert_eq!((report.proven == Value::Win, estimate), (wins, None));
                continue;
            }
            assert_eq!(report.stop_reason, Some(StopReason::Estimated));
            assert_eq!((report.proven, report.solved), (Value::Unknown, false));
            let estimate = estimate.expect("an estimate");
            assert!(!(0.05..=0.95).contains(&estimate), "{estimate}");
            if estimate > 0.5 {
                likely += 1
            } else {
                unlikely += 1
            }
            wrong += u32::from((estimate > 0.5) != wins);
        }
    }
    assert!(likely > 50 && unlikely > 50, "{likely} likely, {unlikely} unlikely");
    assert!(wrong * 8 < likely + unlikely, "{wrong} wrong of {likely} and {unlikely}");
}

/// A search that ends at a limit reports an estimate but no verdict; it has a move to play, but no
/// proof numbers, because df-PPNS does not compute them.
#[test]
fn limits() {
    for threads in [1, 4] {
        let limits = [
            (Budget::default().nodes(2000), StopReason::Nodes),
            (Budget::default().time(Duration::from_millis(30)), StopReason::Time),
        ];
        for (budget, reason) in limits {
            let game = ConnectFour::default();
            let root = game.initial_state();
            let config = config(threads).precision(1e-9);
            let mut search = ProofSearch::new(game, root, config).expect("memory");
            let report = search.search(&budget).expect("it runs");
            assert_eq!(report.stop_reason, Some(reason), "{threads} threads and {budget:?}");
            assert_eq!((report.proven, report.asked[0].verdict), (Value::Unknown, None));
            let estimate = report.asked[0].estimate.expect("an estimate");
            assert!(estimate > 0.0 && estimate < 1.0, "{estimate}");
            assert!(report.best_move.is_some() && search.numbers().is_none());
        }
        // A full table does not end the search.
        let game = ConnectFour::new(4, 4, 4).expect("a board");
        let root = game.initial_state();
        let budget = Budget::default().bytes(1 << 12);
        let report = prove(game, root, config(threads), &budget).expect("it runs");
        assert_eq!((report.stop_reason, report.proven), (Some(StopReason::Solved), Value::Draw));
        assert!(report.effort.bytes <= 1 << 12);
    }
}

#[test]
fn it_goes_on() {
    let game = ConnectFour::new(4, 4, 4).expect("a board");
    let root = game.initial_state();
    let mut search = ProofSearch::new(game, root, config(1)).expect("memory");
    let mut pieces = 0;
    let report = loop {
        let report = search.search(&Budget::default().nodes(2000)).expect("it runs");
        if report.solved {
            break report;
        }
        pieces += 1;
        assert!(pieces < 1000, "it does not get on");
    };
    assert_eq!(report.proven, Value::Draw);
    assert!(pieces > 2, "{pieces} pieces");
}

#[test]
fn one_thread_is_deterministic() {
    let run = |seed| {
        let game = Othello::new(4, false).expect("a board");
        let root = game.initial_state();
        let report = prove(game, root, config(1).seed(seed), &Budget::default());
        report.expect("it answers").effort
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}
