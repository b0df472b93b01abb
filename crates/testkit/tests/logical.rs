//! Tests searches with hundreds of workers, each of which may be interrupted at any point:
//! `cargo test -p proofwood-testkit --features logical --test logical`.
//!
//! All games have one type, so that searches are compiled only once.

use proofwood::{Algorithm, Budget, Config, Game, ProverConfig, Search, logical, prove};
use proofwood_testkit::check::{check_claims, check_figures};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Movers, Payoffs, RandomGame, Shape};
use std::sync::{Mutex, PoisonError};

/// Prevents tests from running at the same time because the state of `logical` is global.
static ALONE: Mutex<()> = Mutex::new(());

/// A game with many transpositions and more positions than a short search visits.
fn large() -> RandomGame {
    RandomGame {
        seed: 1,
        players: 2,
        shape: Shape::Bushy(4),
        depth: 16,
        early: 0,
        movers: Movers::InTurn,
        payoffs: Payoffs::Wins(30),
        tight: true,
        cuts: None,
        merging: Some(400),
        chance: 0,
        weights: &[1],
        hashed: 100,
    }
}

/// Runs `test`, letting at most `carriers` workers run at a time. Returns the result and the
/// counts.
fn with_few<R>(carriers: usize, seed: u64, test: impl FnOnce() -> R) -> (R, logical::Measured) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    logical::take_measured();
    logical::run_few(Some(carriers), seed);
    let result = test();
    logical::run_few(None, 0);
    (result, logical::take_measured())
}

#[test]
fn trees_of_hundreds_of_workers_equal_their_recomputation() {
    let mut hand_overs = 0;
    for number in 0..120u64 {
        let game = RandomGame::new(number);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let threads = [2, 7, 64, 256][number as usize % 4];
        let config = Config::default().audit(true).threads(threads).seed(number);
        let carriers = 1 + number as usize % 2;
        let ((), measured) = with_few(carriers, number, || {
            let mut search = Search::new(game.clone(), root, config.clone()).unwrap();
            for _ in 0..2 {
                let report = search.search(&Budget::default().playouts(600)).unwrap();
                check_figures(&game, &root, &report);
                check_claims(&report, &config, &solution);
                search.audit().unwrap_or_else(|wrong| panic!("{wrong} in {number}: {game:?}"));
            }
        });
        hand_overs += measured.hand_overs;
    }
    assert!(hand_overs > 10_000, "{hand_overs}");
}

#[test]
fn a_seed_makes_one_search_with_one_baton() {
    let run = |seed| {
        let (nodes, measured) = with_few(1, seed, || {
            let game = large();
            let root = game.initial_state();
            let config = Config::default().threads(32);
            let mut search = Search::new(game, root, config).unwrap();
            search.search(&Budget::default().playouts(2000)).unwrap().nodes
        });
        assert!(measured.claims > 0 && measured.owned > 0, "{measured:?}");
        nodes
    };
    assert_eq!(run(1), run(1));
    assert!((2..6).any(|seed| run(seed) != run(1)), "the seed decides who runs");
}

#[test]
fn provers_of_many_workers_are_right() {
    for number in 0..40u64 {
        let game = RandomGame::with_players(number, 2);
        let root = game.initial_state();
        let budget = Budget::default().nodes(1_000_000);
        let alone = ProverConfig::default().threads(1);
        let (expected, _) = with_few(1, 0, || prove(game.clone(), root, alone, &budget).unwrap());
        for algorithm in [Algorithm::Dfpn, Algorithm::Pns] {
            let config = ProverConfig::default().algorithm(algorithm).threads(48).audit(true);
            let (report, _) = with_few(1, number, || prove(game.clone(), root, config, &budget));
            assert_eq!(report.unwrap().proven, expected.proven, "{algorithm} on {number}");
        }
    }
}

#[test]
fn what_mechanisms_did_is_counted() {
    let game = large();
    let root = game.initial_state();
    let config = Config::default().audit(true).threads(8);
    let ((report, audit), _) = with_few(2, 1, || {
        let mut search = Search::new(game.clone(), root, config).unwrap();
        let report = search.search(&Budget::default().playouts(5000)).unwrap();
        (report, search.audit().unwrap())
    });
    let counters = report.counters.expect("the feature is on");
    // The root is expanded before the threads start, so the counters omit it.
    assert_eq!(counters.expansions + 1, audit.expanded);
    assert!(counters.choices_made > 0 && counters.choices_kept > 0, "{counters:?}");

    let config = ProverConfig::default().algorithm(Algorithm::Dfpn).threads(8);
    let (report, _) = with_few(2, 1, || prove(game, root, config, &Budget::default()).unwrap());
    let counters = report.counters.expect("the feature is on");
    assert_eq!(counters.expansions, report.effort.expansions);
    assert!(0 < counters.table_hits && counters.table_hits < counters.table_lookups);
}
