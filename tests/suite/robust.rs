//! Tests of limits that are too small, and of searches that are started, watched, stopped and
//! dropped at odd moments: each ends with an error or an answer and a sound tree, and never hangs.

use proofwood::options::Bias;
use proofwood::{
    Budget, CancelToken, Config, Game, Goal, Search, SearchError, StopReason, Value, search,
};
use proofwood_games::p_game::Leaves;
use proofwood_games::{ConnectFour, Mnk, PGame};
use proofwood_testkit::check::{check_claims, check_figures, check_line};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::toy::toy;
use std::time::Duration;

fn tic_tac_toe() -> Mnk {
    Mnk::new(3, 3, 3, 2).expect("a board")
}

/// A budget that suffices for every small question here.
fn ample() -> Budget {
    Budget::default().playouts(10_000_000)
}

/// A search of a game that takes far longer than any test.
fn endless(threads: usize) -> Search<ConnectFour> {
    let game = ConnectFour::default();
    let root = game.initial_state();
    let config = Config::default().threads(threads).audit(true).memory(64 << 20);
    Search::new(game, root, config).expect("it fits")
}

fn audited<G: Game>(search: &mut Search<G>) {
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
}

#[test]
fn sixty_four_threads_are_right() {
    let game = tic_tac_toe();
    let config = Config::default().threads(64).audit(true).memory(256 << 20);
    let mut search = Search::new(game, tic_tac_toe().initial_state(), config).expect("it fits");
    let report = search.search(&ample()).expect("a sound game");
    assert_eq!((report.proven, report.stop_reason), (Value::Draw, Some(StopReason::Solved)));
    audited(&mut search);
    for number in 0..10 {
        let game = RandomGame::new(number);
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let config = Config::default().threads(64).audit(true).paranoid(true).memory(16 << 20);
        let mut search = Search::new(game, root, config.clone()).expect("it fits");
        let report = search.search(&ample()).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Solved));
        check_claims(&report, &config, &solution);
        audited(&mut search);
    }
}

fn played<G: Game>(game: &G, moves: &[&str]) -> G::State {
    let mut state = game.initial_state();
    for text in moves {
        let mv = game.parse_move(&state, text).expect("a legal move");
        game.play(&mut state, mv);
    }
    state
}

#[test]
fn a_megabyte_is_enough_for_a_sensible_move() {
    let connect_four = ConnectFour::default();
    // A win in one, a block, and a line of three with both ends open.
    let positions = [
        (&["1", "2", "1", "2", "1", "3"][..], &["1"][..]),
        (&["1", "2", "1", "2", "1"], &["1"]),
        (&["4", "4", "3"], &["2", "5"]),
    ];
    for (moves, sensible) in positions {
        for config in [
            Config::default(),
            Config::default().look_ahead(false).threads(4),
            Config::default().solver(false).score_bounds(false).bias(Bias::None),
            Config::default().goal(Goal::Score).threads(8),
        ] {
            let root = played(&connect_four, moves);
            let config = config.memory(1 << 20).audit(true);
            let mut search = Search::new(connect_four.clone(), root, config).expect("it fits");
            let report = search.search(&Budget::default().playouts(60_000)).expect("a sound game");
            let best = connect_four.move_text(&root, report.best_move.expect("a move"));
            assert!(sensible.contains(&best.as_str()), "{moves:?}: {best}");
            assert!(report.bytes <= 1 << 20);
            audited(&mut search);
        }
    }
}

#[test]
fn without_any_other_limit_full_memory_ends_the_search() {
    let game = ConnectFour::default();
    let root = game.initial_state();
    for threads in [1, 4] {
        let config = Config::default().memory(1 << 20).threads(threads);
        let report = search(game.clone(), root, config, &Budget::default()).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Memory));
        assert!(report.best_move.is_some());
    }
}

#[test]
fn too_little_memory_is_refused_and_what_is_needed_is_enough() {
    let game = PGame::new(2000, 3, 1, 0, Leaves::Won { percent: 50 }).expect("a tree");
    let (game, root) = toy(game);
    let make = |memory| Search::new(game.clone(), root.clone(), Config::default().memory(memory));
    let Some(SearchError::Memory { given, needed }) = make(16 << 10).err() else {
        panic!("2000 moves do not fit into 16 K");
    };
    assert!(given == 16 << 10 && needed > given);
    assert!(matches!(make(needed - 1).err(), Some(SearchError::Memory { .. })));
    let report = make(needed).expect("it fits").search(&Budget::default().playouts(100));
    assert_eq!(report.expect("a sound game").playouts, 100);
}

/// From a megabyte on, tables take a part of the memory, so the memory that a search needs depends
/// on the memory limit.
#[test]
fn what_is_needed_is_enough_also_with_tables() {
    for share in [0.0, 0.5] {
        let config = Config::default().prover_share(share).look_ahead(false);
        for moves in [20_000, 26_500, 30_000, 32_000, 40_000, 50_000, 58_000, 65_000] {
            let game = PGame::new(moves, 1, 1, 0, Leaves::Won { percent: 50 }).expect("a tree");
            let (game, root) = toy(game);
            let make =
                |memory| Search::new(game.clone(), root.clone(), config.clone().memory(memory));
            for memory in [16 << 10, (1 << 20) - 1, 3 << 19] {
                if let Some(error) = make(memory).err() {
                    let SearchError::Memory { given, needed } = error else { panic!("{error}") };
                    let case = format!("share {share}, {moves} moves: {error}");
                    assert!(given == memory && needed > given, "{case}");
                    assert!(make(needed).is_ok(), "{case}");
                }
            }
        }
    }
}

#[test]
fn a_solved_or_finished_game_is_answered_at_once() {
    let limits = [
        Budget::default(),
        Budget::default().playouts(1000),
        Budget::default().time(Duration::from_secs(3600)),
        Budget::default().nodes(1),
    ];
    let game = tic_tac_toe();
    let mut search = Search::new(game, tic_tac_toe().initial_state(), Config::default()).expect("");
    let solved = search.search(&ample()).expect("a sound game");
    for budget in &limits {
        let report = search.search(budget).expect("a sound game");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Solved), 0));
        assert_eq!(report.total_playouts, solved.playouts);
        assert_eq!((report.proven, report.best_move), (Value::Draw, solved.best_move));
    }
    // The root's terminal check proves a win in one.
    let root = played(&tic_tac_toe(), &["a1", "a3", "b1", "b3"]);
    let mut search = Search::new(tic_tac_toe(), root, Config::default()).expect("it fits");
    let report = search.search(&ample()).expect("a sound game");
    assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Solved), 0));
    assert_eq!((report.proven, report.best_move), (Value::Win, Some(2)));

    let root = played(&tic_tac_toe(), &["a1", "a3", "b1", "b3", "c1"]);
    let mut search = Search::new(tic_tac_toe(), root, Config::default()).expect("it fits");
    for budget in &limits {
        let report = search.search(budget).expect("a sound game");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::GameOver), 0));
        assert_eq!((report.proven, report.bounds.exact()), (Value::Win, Some(1)));
        assert!(report.best_move.is_none() && report.moves.is_empty() && report.pv.is_empty());
        assert_eq!(report.to_move, None);
    }
}

#[test]
fn a_search_can_be_cancelled_stopped_and_watched() {
    let far = Budget::default().time(Duration::from_secs(3600));
    for threads in [1, 4] {
        let mut search = endless(threads);
        let token = CancelToken::new();
        search.start(&far.clone().cancel(&token)).expect("nothing runs yet");
        assert!(matches!(search.start(&far), Err(SearchError::Running)));
        let mut seen = 0;
        while seen < 500 {
            let snapshot = search.snapshot();
            assert!(snapshot.playouts >= seen && snapshot.stop_reason.is_none());
            check_line(search.game(), search.position(), &snapshot);
            seen = snapshot.playouts;
        }
        assert!(search.is_running());
        token.clone().cancel();
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));
        assert!(matches!(search.wait(), Err(SearchError::NotRunning)));
        audited(&mut search);

        // The token stays cancelled.
        let report = search.search(&far.clone().cancel(&token)).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));

        search.start(&far).expect("the last search has ended");
        std::thread::scope(|scope| {
            scope.spawn(|| search.stop());
        });
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Stopped));
        check_figures(search.game(), search.position(), &report);
        audited(&mut search);
        // No search runs, so there is none to stop.
        search.stop();
        assert!(!search.is_running());
    }
}

#[test]
fn a_running_search_can_be_dropped() {
    for threads in [1, 2, 8] {
        for pause in [0, 1, 20] {
            let mut search = endless(threads);
            search.start(&Budget::default()).expect("nothing runs yet");
            std::thread::sleep(Duration::from_millis(pause));
        }
    }
}

#[test]
fn limits_of_zero_are_refused_and_absurd_ones_are_none() {
    let mut search = endless(2);
    let zero = [
        Budget::default().playouts(0),
        Budget::default().nodes(0),
        Budget::default().bytes(0),
        Budget::default().time(Duration::ZERO),
    ];
    for budget in zero {
        assert!(matches!(search.search(&budget), Err(SearchError::Budget(_))));
    }
    let absurd = Budget::default().time(Duration::MAX).nodes(u64::MAX).bytes(u64::MAX);
    let report = search.search(&absurd.clone().playouts(500)).expect("a sound game");
    assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Playouts), 500));
    search.start(&absurd.playouts(u64::MAX)).expect("nothing runs");
    while search.snapshot().playouts < 500 {}
    search.stop();
    assert!(search.wait().expect("a sound game").playouts >= 500);
}

#[test]
fn processor_time_ends_a_search() {
    for threads in [1, 3] {
        let mut search = endless(threads);
        let time = Duration::from_millis(60);
        let report = search.search(&Budget::default().cpu_time(time)).expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::CpuTime));
        // Threads cannot use the processor time in less than this wall time.
        assert!(report.playouts > 0 && report.elapsed >= time / threads as u32);
        audited(&mut search);
    }
    assert!(endless(1).search(&Budget::default().cpu_time(Duration::ZERO)).is_err());
}
