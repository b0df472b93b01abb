//! Tests of the background prover: its proofs reach the tree and are correct.

use proofwood::options::PlayoutPolicy;
use proofwood::{
    Budget, CancelToken, Config, Game, Goal, Report, Search, StopReason, Value, search,
};
use proofwood_games::{ConnectFour, Mnk, Othello, Pig};
use proofwood_testkit::check::check_claims;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::toy::toy;
use std::collections::HashMap;

/// A random game that suits a prover: with two players, zero sum, and keys.
fn suitable(number: u64) -> RandomGame {
    let games = (0..).map(|more| RandomGame::with_players(number + 10_000 * more, 2));
    let mut game = games.into_iter().find(Game::zero_sum).expect("one of them has zero sum");
    game.hashed = 100;
    game
}

fn drawn(dice: &mut Dice) -> Config {
    let (solver, score_bounds) = dice.pick(&[(true, true), (true, false), (false, true)]);
    let goal = if score_bounds { dice.pick(&[Goal::Outcome, Goal::Score]) } else { Goal::Outcome };
    Config::default()
        .prover_share(dice.pick(&[0.1, 0.5, 0.9]))
        .solver(solver)
        .score_bounds(score_bounds)
        .goal(goal)
        .look_ahead(dice.chance(50))
        .transpositions(dice.chance(50))
        .foresight(dice.chance(50))
        .seed(dice.below(1000) as u64)
        .threads(dice.pick(&[1, 1, 2, 4]))
        .memory(dice.pick(&[1 << 20, 16 << 20]))
        .audit(true)
}

fn audit<G: Game>(search: &mut Search<G>) {
    search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
}

/// Wins, draws and losses of either player are proven, and so are scores. The reported values of
/// all moves are correct, and the tree equals its own recomputation.
#[test]
fn random_games_are_solved() {
    let mut values = HashMap::<Value, u32>::new();
    for number in 0..600 {
        let mut dice = Dice::new(number);
        let (game, config) = (suitable(number), drawn(&mut dice));
        let root = game.initial_state();
        let solution = Solution::of(&game, &root);
        let mut search = Search::new(game, root, config.clone()).expect("it fits");
        // The search runs in parts, some of which end before the prover has an answer.
        let mut report = search.search(&Budget::default().playouts(20)).expect("a sound game");
        check_claims(&report, &config, &solution);
        audit(&mut search);
        if report.stop_reason != Some(StopReason::Solved) {
            report = search.search(&Budget::default().playouts(300_000)).expect("a sound game");
        }
        assert_eq!(report.stop_reason, Some(StopReason::Solved), "{number} {config:?}");
        check_claims(&report, &config, &solution);
        audit(&mut search);
        *values.entry(report.proven).or_default() += 1;
    }
    let often = |value| values.get(&value).is_some_and(|&times| times > 50);
    assert!([Value::Win, Value::Draw, Value::Loss].map(often) == [true; 3], "{values:?}");
}

/// Plays the best moves from the root to the end, and checks the proven values at each step.
#[test]
fn what_was_told_stays_true_when_the_root_moves_on() {
    let mut moved = 0;
    for number in 0..200 {
        let mut dice = Dice::new(number);
        let (game, config) = (suitable(number), drawn(&mut dice));
        let root = game.initial_state();
        let mut search = Search::new(game.clone(), root, config.clone()).expect("it fits");
        let mut report = search.search(&Budget::default().playouts(50)).expect("a sound game");
        while let Some(best) = report.best_move {
            search.advance(best).expect("a legal move");
            audit(&mut search);
            let solution = Solution::of(&game, search.position());
            report = search.search(&Budget::default().playouts(50)).expect("a sound game");
            if report.stop_reason != Some(StopReason::GameOver) {
                check_claims(&report, &config, &solution);
                moved += 1;
            }
            audit(&mut search);
        }
    }
    assert!(moved > 200, "{moved}");
}

/// In games whose positions repeat, no value is imported that holds only because play may repeat.
#[test]
fn games_that_repeat_are_judged_rightly() {
    let mut solved = 0;
    for number in 0..300 {
        let game = Graph::new(number);
        if game.players != 2 || !game.zero_sum() {
            continue;
        }
        let config = drawn(&mut Dice::new(number)).goal(Goal::Outcome);
        let (toy, root) = toy(game.clone());
        let mut search = Search::new(toy, root, config).expect("it fits");
        let report = search.search(&Budget::default().playouts(500)).expect("a sound game");
        audit(&mut search);
        let player = report.to_move.unwrap_or(0);
        let wins = |player| game.secures(player, 1)[0];
        match report.proven {
            Value::Win => assert!(wins(player), "{number}"),
            Value::Loss => assert!(wins(1 - player), "{number}"),
            Value::Draw => assert!(!wins(player) && !wins(1 - player), "{number}"),
            Value::NotWin => assert!(!wins(player), "{number}"),
            Value::NotLoss => assert!(!wins(1 - player), "{number}"),
            _ => continue,
        }
        solved += 1;
    }
    assert!(solved > 50, "{solved}");
}

fn connect_four(moves: &str) -> (ConnectFour, <ConnectFour as Game>::State) {
    let game = ConnectFour::default();
    let mut state = game.initial_state();
    for text in moves.chars() {
        let mv = game.parse_move(&state, &text.to_string()).expect("a move");
        game.play(&mut state, mv);
    }
    (game, state)
}

/// A position that 300,000 playouts do not solve without the prover.
const HARD: &str = "274552224131661";

fn settle(config: Config) -> Report<ConnectFour> {
    let (game, state) = connect_four(HARD);
    search(game, state, config, &Budget::default().playouts(300_000)).expect("a sound game")
}

#[test]
fn a_prover_settles_what_playouts_do_not() {
    for threads in [1, 2] {
        let config = Config::proving().threads(threads).memory(64 << 20).audit(true);
        let alone = settle(config.clone().prover_share(0.0));
        assert_eq!((alone.stop_reason, alone.proven), (Some(StopReason::Playouts), Value::Unknown));
        let report = settle(config.prover_share(0.5));
        assert_eq!((report.stop_reason, report.proven), (Some(StopReason::Solved), Value::Draw));
        assert_eq!(report.best_move, Some(3), "the only move that does not lose");
    }
}

/// A share that the game recommends applies only to long searches; a configured share applies to
/// all searches.
#[test]
fn a_prover_that_suits_the_game_waits() {
    const PATIENCE: u64 = 1 << 15;
    let config = Config::default().threads(1).memory(64 << 20);
    let look = |config: &Config, playouts| {
        let (game, state) = connect_four(HARD);
        let budget = Budget::default().playouts(playouts);
        search(game, state, config.clone(), &budget).expect("a sound game")
    };
    let (recommended, off) = (config.clone(), config.clone().prover_share(0.0));
    let [short, alone] = [&recommended, &off].map(|config| look(config, PATIENCE));
    assert_eq!(short.stop_reason, Some(StopReason::Playouts));
    assert_eq!(format!("{:?}", short.moves), format!("{:?}", alone.moves));
    let [long, alone] = [&recommended, &off].map(|config| look(config, 8 * PATIENCE));
    assert_eq!((long.stop_reason, long.proven), (Some(StopReason::Solved), Value::Draw));
    assert_eq!(alone.proven, Value::Unknown);
    let given = look(&config.clone().prover_share(0.3), 8 * PATIENCE);
    assert_eq!(given.proven, Value::Draw);
    assert!(given.playouts < long.playouts, "{} {}", given.playouts, long.playouts);
    // With the score as the goal, or with random playouts, the game's recommendation is not used.
    for other in
        [recommended.clone().goal(Goal::Score), recommended.playout_policy(PlayoutPolicy::Random)]
    {
        let (asked, off) = (look(&other, 40_000), look(&other.clone().prover_share(0.0), 40_000));
        assert_eq!(format!("{:?}", asked.moves), format!("{:?}", off.moves));
    }
}

#[test]
fn the_same_seed_does_the_same() {
    let figures = |report: Report<ConnectFour>| {
        let Report { proven: value, bounds, moves, nodes, total_playouts, .. } = report;
        format!("{value:?} {bounds:?} {moves:?} {nodes} {total_playouts}")
    };
    let config = Config::default().threads(1).prover_share(0.3).memory(64 << 20);
    let [first, again] = [(); 2].map(|()| figures(settle(config.clone())));
    assert_eq!(first, again);
}

/// A search of a game that recommends no prover equals a search with the prover disabled.
#[test]
fn other_games_have_no_prover() {
    fn figures<G: Game>(game: G, share: f64) -> String {
        let config = Config::default().threads(1).prover_share(share).memory(64 << 20);
        let root = game.initial_state();
        let report = search(game, root, config, &Budget::default().playouts(2000));
        let report = report.expect("a sound game");
        format!("{:?} {:?} {}", report.moves, report.proven, report.nodes)
    }
    let three = || Mnk::new(3, 3, 3, 3).expect("a board");
    assert_eq!(figures(three(), 0.0), figures(three(), 0.5));
    let dice = || Pig::new(10, 2, None).expect("a goal");
    assert_eq!(figures(dice(), 0.0), figures(dice(), 0.5));
    let mut unknown = suitable(1);
    unknown.hashed = 0;
    assert_eq!(figures(unknown.clone(), 0.0), figures(unknown, 0.5));
}

/// Even if the prover has all of a thread's time, it ends at the search's limit.
#[test]
fn a_search_ends_while_the_prover_works() {
    let game = Othello::new(8, false).expect("a board");
    for threads in [1, 2] {
        let config = Config::default().threads(threads).prover_share(0.9).memory(64 << 20);
        let root = game.initial_state();
        let mut search = Search::new(game.clone(), root, config).expect("it fits");
        let cancelled = CancelToken::new();
        search.start(&Budget::default().cancel(&cancelled)).expect("it starts");
        cancelled.cancel();
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));
        search.start(&Budget::default()).expect("it starts");
        search.stop();
        let report = search.wait().expect("a sound game");
        assert_eq!(report.stop_reason, Some(StopReason::Stopped));
        let report = search.search(&Budget::default().playouts(100)).expect("a sound game");
        assert_eq!((report.stop_reason, report.playouts), (Some(StopReason::Playouts), 100));
    }
}

#[test]
fn a_full_tree_is_pruned_beside_a_prover() {
    let (game, state) = connect_four("4444");
    let config = Config::default().threads(1).memory(1 << 20).prover_share(0.2).audit(true);
    let mut search = Search::new(game, state, config).expect("it fits");
    let report = search.search(&Budget::default().playouts(60_000)).expect("a sound game");
    assert!(report.prunes > 0, "{report:?}");
    audit(&mut search);
}
