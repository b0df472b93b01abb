//! Tests of whole games: the tree follows the moves, in little memory, with clocks, and while the
//! opponent thinks.

use proofwood::{Budget, Clock, Config, Game, Search, SearchError, StopReason, Turn, Value};
use proofwood_games::{ConnectFour, Mnk, Othello};
use proofwood_testkit::check::is_true;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::toy::toy;
use std::time::{Duration, Instant};

fn config(threads: usize) -> Config {
    // The tree is broad, so that each move discards much of it.
    let config = Config::default().c(std::f64::consts::SQRT_2).c_pn(0.1);
    config.threads(threads).memory(64 << 20).seed(7)
}

fn connect_four(config: Config) -> Search<ConnectFour> {
    let game = ConnectFour::default();
    let root = game.initial_state();
    Search::new(game, root, config).expect("it fits")
}

#[test]
fn a_move_keeps_what_was_found_out() {
    for threads in [1, 4] {
        let mut search = connect_four(config(threads).audit(true).expand_after(1));
        let report = search.search(&Budget::default().playouts(20_000)).expect("an answer");
        let best = report.best_move.expect("a move");
        let below = report.moves.iter().find(|mv| mv.mv == best).expect("one of them");
        search.advance(best).expect("a legal move");
        let after = search.snapshot();
        // One playout ended at the node before it had children. With more threads, one playout of
        // each may have ended there, since playouts also end at another thread's claim.
        let ended = below.visits - after.total_playouts;
        assert!((1..=threads as u64).contains(&ended), "{ended} ended on {threads} threads");
        assert_eq!(after.proof_numbers, below.proof_numbers);
        let (mean, value) = (after.mean.expect("visits"), below.mean.expect("visits"));
        assert!((mean + value).abs() < 0.01, "{mean} is for the other player, {value} was not");
        assert_eq!(after.pv[..], report.pv[1..], "the line goes on");
        assert!(after.reclaiming);
        let audit = search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        let swept = search.snapshot();
        assert!(!swept.reclaiming);
        assert_eq!((swept.nodes, swept.total_playouts), (audit.nodes, after.total_playouts));
        assert!(swept.nodes < report.nodes, "nodes are counted without the rest");
    }
}

#[test]
fn searching_sweeps() {
    let mut search = connect_four(config(2));
    search.search(&Budget::default().playouts(50_000)).expect("an answer");
    search.advance(0).expect("a legal move");
    let before = search.snapshot();
    assert!(before.reclaiming);
    let mut report = search.search(&Budget::default().playouts(20_000)).expect("an answer");
    // Reclaiming may go on, since no thread waits for a descheduled thread that reclaims memory.
    for _ in 0..100 {
        if report.reclaiming {
            report = search.search(&Budget::default().playouts(1000)).expect("an answer");
        }
    }
    assert!(!report.reclaiming);
    // Three nodes per playout is an upper bound.
    assert!(report.nodes < 3 * report.total_playouts, "{} nodes", report.nodes);
}

#[test]
fn moves_that_cannot_be_played_change_nothing() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let root = game.initial_state();
    let mut search = Search::new(game.clone(), root, config(1)).expect("it fits");
    let mut moves = Vec::new();
    game.legal_moves(&root, &mut moves);
    search.advance(moves[0]).expect("a legal move");
    let refused = search.advance(moves[0]);
    let text = refused.expect_err("the move was played").to_string();
    assert_eq!(text, "'a1' is not a legal move here; legal moves: b1 c1 a2 b2 c2 a3 b3 c3");
    for number in [3, 1, 4, 2] {
        search.advance(moves[number]).expect("a legal move");
    }
    // The first player has three in a row.
    assert_eq!(search.snapshot().stop_reason, Some(StopReason::GameOver));
    assert!(matches!(search.advance(moves[5]), Err(SearchError::Move(_))));
    search.set_position(root).expect("it fits");
    let report = search.search(&Budget::default()).expect("an answer");
    assert_eq!(report.proven, Value::Draw);
}

#[test]
fn a_running_search_is_stopped_by_a_move() {
    let mut search = connect_four(config(2));
    search.start(&Budget::pondering()).expect("nothing runs");
    std::thread::sleep(Duration::from_millis(30));
    assert!(search.is_running());
    search.advance(3).expect("a legal move");
    assert!(!search.is_running());
    let kept = search.snapshot().total_playouts;
    assert!(kept > 10, "the expected move keeps the work: {kept}");
    let report = search.search(&Budget::default().playouts(100)).expect("an answer");
    assert_eq!(report.total_playouts, kept + 100);
}

/// In a memory of a few thousand nodes, the search of each position creates several times as many:
/// the tree is pruned repeatedly, and proven values stay proven and correct.
#[test]
fn games_go_on_in_little_memory() {
    let mut prunes = 0;
    for seed in 0..6 {
        let mut dice = Dice::new(seed);
        let game = Mnk::new(4, 4, 3, 2).expect("a board");
        let config = config(1 + dice.below(3)).memory(64 << 10).audit(true).seed(seed);
        let mut search = Search::new(game.clone(), game.initial_state(), config).expect("it fits");
        while game.turn(search.position()) != Turn::Over {
            let report = search.search(&Budget::default().playouts(6000)).expect("an answer");
            search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
            assert!(report.bytes <= 64 << 10);
            let mv = dice.pick(&report.moves.iter().map(|mv| mv.mv).collect::<Vec<_>>());
            let proven = report.moves.iter().find(|m| m.mv == mv).expect("one of them").proven;
            search.advance(mv).expect("a legal move");
            let known = search.snapshot();
            if proven.is_decided() && game.turn(search.position()) != Turn::Over {
                let same = matches!(
                    (proven, known.proven),
                    (Value::Win, Value::Loss)
                        | (Value::Loss, Value::Win)
                        | (Value::Draw, Value::Draw)
                );
                assert!(same, "{proven} became {}", known.proven);
            }
            prunes = prunes.max(known.prunes);
        }
    }
    assert!(prunes > 10, "{prunes} prunes are too few for a test");
}

/// A solved position stays solved when the memory that held its proof is used for other nodes.
#[test]
fn a_small_memory_proves_what_a_large_one_does() {
    let game = Mnk::new(3, 3, 3, 2).expect("a board");
    let root = game.initial_state();
    let truth = Solution::of(&game, &root).root.outcomes[0];
    for threads in [1, 3] {
        // The memory holds two thousand nodes; without pruning the proof needs several times as
        // many.
        let config = config(threads).memory(64 << 10).c_pn(1.0);
        let mut search = Search::new(game.clone(), root, config).expect("it fits");
        let report = search.search(&Budget::default().playouts(3_000_000)).expect("an answer");
        assert_eq!(report.stop_reason, Some(StopReason::Solved));
        assert!(is_true(report.proven, truth) && report.proven.is_decided());
        assert!(report.prunes > 0);
    }
}

/// Plays many moves of a game that needs ever larger blocks, in a memory that one search fills.
#[test]
fn blocks_of_any_size_come_back() {
    let game = Othello::default();
    let mut search = Search::new(
        game.clone(),
        game.initial_state(),
        config(2).memory(256 << 10).transpositions(false),
    )
    .expect("it fits");
    let mut dice = Dice::new(1);
    let mut grown = 0;
    while game.turn(search.position()) != Turn::Over {
        let before = search.snapshot();
        let report = search.search(&Budget::default().playouts(8000)).expect("an answer");
        grown += u64::from(report.prunes > before.prunes);
        search
            .advance(dice.pick(&report.moves.iter().map(|mv| mv.mv).collect::<Vec<_>>()))
            .unwrap();
    }
    assert!(grown > 20, "pruned in {grown} searches");
}

#[test]
fn a_decided_move_ends_the_search_and_is_the_one_that_would_be_played() {
    let mut saved = 0;
    for seed in 0..12 {
        let play = |early: bool| {
            let mut search = connect_four(config(1).seed(seed).stop_when_decided(early));
            for mv in [3, 3, 2].iter().take(seed as usize % 4) {
                search.advance(*mv).expect("a legal move");
            }
            search.search(&Budget::default().playouts(8000)).expect("an answer")
        };
        let (full, early) = (play(false), play(true));
        assert_eq!(full.best_move, early.best_move, "seed {seed}");
        if early.stop_reason == Some(StopReason::Decided) {
            assert!(early.playouts < full.playouts);
            saved += full.playouts - early.playouts;
        }
    }
    assert!(saved > 8000, "{saved} playouts saved");
}

/// With one thread, reclaiming and pruning happen at the same playouts each time.
#[test]
fn one_thread_plays_the_same_game_again() {
    let play = || {
        let mut search = connect_four(config(1).memory(128 << 10));
        let mut played = Vec::new();
        while search.game().turn(search.position()) != Turn::Over {
            let report = search.search(&Budget::default().playouts(3000)).expect("an answer");
            let best = report.best_move.expect("a move");
            let visits: Vec<u64> = report.moves.iter().map(|mv| mv.visits).collect();
            played.push((best, report.nodes, report.prunes, visits));
            search.advance(best).expect("a legal move");
        }
        played
    };
    let first = play();
    assert!(first.last().expect("moves").2 > 5, "too few prunes for a test");
    assert_eq!(first, play());
}

struct Corridor;

impl Game for Corridor {
    type State = u8;
    type Move = u8;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &ply: &u8) -> Turn {
        if ply == 200 { Turn::Over } else { Turn::Player(usize::from(ply % 2)) }
    }
    fn legal_moves(&self, _: &u8, moves: &mut Vec<u8>) {
        moves.push(0);
    }
    fn play(&self, ply: &mut u8, _: u8) {
        *ply += 1;
    }
    fn payoff(&self, _: &u8, _: usize) -> i32 {
        0
    }
}

#[test]
fn the_only_move_takes_no_time() {
    let config = config(1).stop_when_decided(true);
    let (game, root) = toy(Corridor);
    let mut search = Search::new(game, root, config).expect("it fits");
    let clock = Clock::new(Duration::from_secs(3600)).moves_to_go(1);
    let started = Instant::now();
    let report = search.search(&clock.budget()).expect("an answer");
    assert_eq!(report.stop_reason, Some(StopReason::Decided));
    assert!(started.elapsed() < Duration::from_secs(60));
}
