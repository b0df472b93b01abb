//! Small searches by two or three threads, for Miri and ThreadSanitizer, which check every access
//! and therefore run code many times more slowly.
//!
//! `cargo xtask miri` runs them under several schedules. The trees are small, yet they exercise all
//! of the arena's unsafe code: threads open chunks at the same moment (under Miri chunks are
//! small), memory runs out, searches are stopped, continued and dropped, and games panic.

use proofwood::evaluate::{LeafEvaluation, PolicyRollout, Rollout, UniformRandom};
use proofwood::options::Bias;
use proofwood::{Budget, CancelToken, Config, Game, Goal, Search, SearchError, StopReason};
use proofwood_games::PGame;
use proofwood_games::p_game::Leaves;
use proofwood_testkit::check::{check_claims, check_figures};
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{RandomGame, Shape};
use proofwood_testkit::toy::{Does, toy};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// The number of games; small under Miri, which is a thousand times slower.
const GAMES: u64 = if cfg!(miri) { 3 } else { 200 };
const PLAYOUTS: u64 = if cfg!(miri) { 30 } else { 300 };

fn game(number: u64) -> RandomGame {
    let mut game = RandomGame::new(number);
    game.depth = game.depth.min(5);
    if let Shape::Bushy(most) = &mut game.shape {
        *most = (*most).min(12);
    }
    game
}

fn config(number: u64) -> Config {
    let mut dice = Dice::new(number);
    let score_bounds = dice.chance(70);
    Config::default()
        .audit(true)
        .threads(2 + dice.below(2))
        .seed(number)
        .score_bounds(score_bounds)
        .goal(if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome })
        .solver(dice.chance(70))
        .look_ahead(dice.chance(50))
        // One bias formula stores ranks in the arena, the other does not.
        .bias(dice.pick(&[Bias::Rank, Bias::Max]))
        // Memory for a few dozen nodes, for a few hundred, and for a table of proofs, too.
        .memory(dice.pick(&[16 << 10, 64 << 10, 1 << 20]))
}

fn audited<G: Game, L: LeafEvaluation<G>>(search: &mut Search<G, L>) {
    let report = search.snapshot();
    let audit = search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!((audit.nodes, audit.visits), (report.nodes, report.total_playouts));
}

#[test]
fn grown_twice_and_audited() {
    for number in 0..GAMES {
        let (game, config) = (game(number), config(number));
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let mut search = Search::new(game.clone(), root, config.clone()).expect("it fits");
        for playouts in [PLAYOUTS, PLAYOUTS / 2] {
            let report = search.search(&Budget::default().playouts(playouts)).expect("an answer");
            audited(&mut search);
            check_figures(&game, &root, &report);
            check_claims(&report, &config, &solution);
        }
    }
}

/// Fills the memory with blocks of children, which leave the ends of slabs and chunks unused.
#[test]
fn until_the_memory_is_full() {
    for moves in [13, 30] {
        let game = PGame::new(moves, 4, 1, 0, Leaves::Values(9)).expect("a tree");
        let (game, root) = toy(game);
        let config = Config::default().threads(3).audit(true).solver(false).memory(16 << 10);
        let mut search = Search::new(game, root, config).expect("it fits");
        let report = search.search(&Budget::default()).expect("an answer");
        assert_eq!(report.stop_reason, Some(StopReason::Memory));
        audited(&mut search);
        search.search(&Budget::default().playouts(PLAYOUTS / 2)).expect("an answer");
        audited(&mut search);
    }
}

#[test]
fn watched_stopped_cancelled_and_dropped() {
    for number in 0..GAMES / 2 {
        let game = Arc::new(game(number));
        let root = game.initial_state();
        let mut search = Search::new(Arc::clone(&game), root, config(number)).expect("it fits");
        search.start(&Budget::default().playouts(PLAYOUTS)).expect("nothing runs");
        thread::scope(|scope| {
            scope.spawn(|| search.snapshot());
            scope.spawn(|| search.stop());
        });
        search.wait().expect("an answer");
        audited(&mut search);

        let token = CancelToken::new();
        let budget = Budget::default().playouts(PLAYOUTS).cancel(&token);
        search.start(&budget).expect("nothing runs");
        token.cancel();
        search.wait().expect("an answer");
        audited(&mut search);

        search.start(&Budget::default().playouts(PLAYOUTS)).expect("nothing runs");
        drop(search);
        // A thread of the search drops the last reference.
        while Arc::strong_count(&game) > 1 {
            thread::yield_now();
        }
    }
}

/// Random playouts that panic once, after `good` calls.
fn faulty(good: u64) -> Does {
    let (playouts, left) = (PolicyRollout::new(UniformRandom, 1000), AtomicU64::new(good));
    Does::new(move |state, context, values| {
        assert_ne!(left.fetch_sub(1, Ordering::Relaxed), 0, "it went wrong");
        playouts.rollout(state, context, values)
    })
}

#[test]
fn panics_leave_a_sound_tree() {
    let mut panics = 0;
    for number in 0..GAMES {
        let (game, root) = toy(game(number));
        let mut search = Search::with_evaluator(game, root, config(number), faulty(number % 7))
            .expect("it fits");
        let budget = Budget::default().playouts(PLAYOUTS);
        if let Err(error) = search.search(&budget) {
            assert!(
                matches!(&error, SearchError::Panic(text) if text.contains("wrong")),
                "{error}"
            );
            panics += 1;
            audited(&mut search);
            search.search(&budget).expect("it panics once");
        }
        audited(&mut search);
    }
    assert!(panics > 0);
}
