//! Tests of provers on random trees and graphs, with tables of any size, on one thread and on
//! several. The answers are compared with exhaustive search.

use proofwood::{
    Algorithm, Budget, CancelToken, Game, Outcome, ProofGoal, ProofReport, ProofSearch,
    ProverConfig, SearchError, StopReason, Turn, Value, prove,
};
use proofwood_testkit::check::is_true;
use proofwood_testkit::dice::Dice;
use proofwood_testkit::graph::Graph;
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::RandomGame;
use proofwood_testkit::rounds::rounds;
use proofwood_testkit::toy::{Toy, toy};
use std::time::Duration;

/// Draws a configuration: the algorithm, the goal, the number of threads, the size of the table,
/// and others.
fn drawn(seed: u64) -> ProverConfig {
    let mut dice = Dice::new(seed);
    let goals = [ProofGoal::Outcome, ProofGoal::Win, ProofGoal::DrawOrBetter, ProofGoal::Score];
    let config = ProverConfig::default()
        .algorithm(dice.pick(Algorithm::ALL))
        .goal(dice.pick(&goals))
        .threads(dice.pick(&[1, 1, 2, 4]))
        // The table has 4, 32, 4096 or more entries.
        .table(dice.pick(&[64, 512, 1 << 16, 1 << 20]))
        .mobility(dice.chance(30))
        .playouts_per_leaf(1 + seed as u32 % 8);
    match dice.below(4) {
        0 => config.epsilon(0.0),
        1 => config.epsilon(1.0),
        _ => config,
    }
}

#[test]
fn random_trees() {
    for seed in 0..rounds(3000) {
        let game = RandomGame::new(seed);
        let root = game.initial_state();
        if game.turn(&root) == Turn::Over {
            continue;
        }
        let config = drawn(seed);
        let truth = Solution::of(&game, &root).root;
        let players = game.num_players();
        for player in 0..players {
            let config = config.clone().player(player);
            let goal = config.goal;
            let what = format!("seed {seed}, player {player}, {config:?}");
            let report = prove(game.clone(), root, config, &Budget::default()).expect(&what);
            assert_eq!(report.stop_reason, Some(StopReason::Solved), "{what}");
            check(&report, goal, truth.scores[player], truth.outcomes[player], &what);
        }
    }
}

/// Checks that the goal's question is answered, and that no claim is false.
fn check<G: Game>(
    report: &ProofReport<G>,
    goal: ProofGoal,
    score: i32,
    outcome: Outcome,
    what: &str,
) {
    let value = report.proven;
    assert!(is_true(value, outcome), "{what}: {value}, but it is {outcome:?}");
    let (lower, upper) = (report.bounds.lower, report.bounds.upper);
    assert!(
        lower.is_none_or(|lower| lower <= score) && upper.is_none_or(|upper| score <= upper),
        "{what}: {:?} without {score}",
        report.bounds
    );
    match goal {
        ProofGoal::Outcome => assert!(value.is_decided(), "{what}: {value}"),
        ProofGoal::Win => assert_eq!(value == Value::Win, outcome == Outcome::Win, "{what}"),
        ProofGoal::DrawOrBetter => {
            assert_eq!(value == Value::Loss, outcome == Outcome::Loss, "{what}");
        }
        _ => assert_eq!(report.bounds.exact(), Some(score), "{what}"),
    }
}

/// Tests positions that repeat: endless play secures nothing, and a result that holds only on one
/// path is not used on others.
#[test]
fn random_graphs_with_circles() {
    let mut endless = 0;
    for seed in 0..GRAPHS {
        let game = Graph::new(seed);
        if game.turn(&0) == Turn::Over {
            continue;
        }
        for player in 0..game.num_players() {
            let config = drawn(seed ^ 0xc1c1e).player(player);
            let what = format!("seed {seed}, player {player}, {config:?}");
            let goal = config.goal;
            let (toy, root) = toy(game.clone());
            let report = prove(toy, root, config, &Budget::default()).expect(&what);
            assert_eq!(report.stop_reason, Some(StopReason::Solved), "{what}");
            endless += u64::from(check_graph(&game, &report, goal, &what));
        }
    }
    assert!(endless > GRAPHS / 50, "{endless} answers depend on endless play");
}

const GRAPHS: u64 = 3_000;

/// Checks the claims about a graph's first position; returns whether endless play matters there.
fn check_graph(game: &Graph, report: &ProofReport<Toy>, goal: ProofGoal, what: &str) -> bool {
    let player = report.player;
    let range = game.payoff_range(player);
    let secures = |player: usize, at_least: i32| game.secures(player, at_least)[0];
    let wins = secures(player, 1);
    // With zero sum, the player loses if the opponent secures a win; otherwise, if a coalition can
    // prevent the player from securing a draw.
    let loses = match game.zero_sum() {
        true => secures(1 - player, 1),
        false => !secures(player, 0),
    };
    let outcome = match (wins, loses) {
        (true, _) => Outcome::Win,
        (_, true) => Outcome::Loss,
        _ => Outcome::Draw,
    };
    let value = report.proven;
    assert!(is_true(value, outcome), "{what}: {value}, but it is {outcome:?}");
    if let Some(lower) = report.bounds.lower.filter(|lower| lower > range.start()) {
        assert!(secures(player, lower), "{what}: cannot secure {lower}");
    }
    if let Some(upper) = report.bounds.upper.filter(|upper| upper < range.end()) {
        assert!(!secures(player, upper + 1), "{what}: can secure more than {upper}");
    }
    match goal {
        ProofGoal::Outcome => assert!(value.is_decided(), "{what}: {value}"),
        ProofGoal::Win => assert_eq!(value == Value::Win, wins, "{what}"),
        ProofGoal::DrawOrBetter => assert_eq!(value == Value::Loss, loses, "{what}"),
        _ => assert!(report.bounds.exact().is_some(), "{what}: {:?}", report.bounds),
    }
    if let (Some(best), Turn::Player(mover)) = (report.best_move, game.turn(&0)) {
        let best = best as usize;
        let kept = match value {
            // A win is not given up for endless play, in which the other player might receive even
            // less.
            _ if mover != player && game.zero_sum() && game.secures(mover, 1)[best] => true,
            _ if goal == ProofGoal::Score && mover == player => {
                report.bounds.lower.is_none_or(|lower| game.secures(player, lower)[best])
            }
            _ if goal == ProofGoal::Score => {
                report.bounds.upper.is_none_or(|upper| !game.secures(player, upper + 1)[best])
            }
            Value::Win if mover == player => game.secures(player, 1)[best],
            Value::Loss if mover != player && game.zero_sum() => game.secures(mover, 1)[best],
            Value::Loss if mover != player => !game.secures(player, 0)[best],
            _ => true,
        };
        assert!(kept, "{what}: the move to {best} gives it away");
    }
    game.zero_sum() && outcome == Outcome::Draw && !secures(player, 0)
}

/// An infinite tree with numbered moves, and optional faults.
#[derive(Clone, Copy, Debug)]
struct Endless {
    panics_at: u64,
    pays: i32,
}

impl Game for Endless {
    type State = u64;
    type Move = u64;

    fn initial_state(&self) -> u64 {
        1
    }
    fn turn(&self, &state: &u64) -> Turn {
        assert!(state != self.panics_at, "the rules end here");
        if state > 1 && state % 7 == 0 { Turn::Over } else { Turn::Player((state % 2) as usize) }
    }
    fn legal_moves(&self, _: &u64, moves: &mut Vec<u64>) {
        moves.extend([1, 2, 3]);
    }
    fn play(&self, state: &mut u64, mv: u64) {
        *state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ mv;
    }
    fn payoff(&self, &state: &u64, player: usize) -> i32 {
        let pays = if state % 2 == 0 { self.pays } else { -self.pays };
        if player == 0 { pays } else { -pays }
    }
    fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &state: &u64) -> Option<u64> {
        Some(state)
    }
}

const FINE: Endless = Endless { panics_at: 0, pays: 0 };

fn config(threads: usize) -> ProverConfig {
    ProverConfig::default().threads(threads).table(1 << 16)
}

#[test]
fn budgets_end_a_proof() {
    let (game, root) = toy(FINE);
    for (algorithm, threads) in Algorithm::ALL.iter().flat_map(|&a| [(a, 1), (a, 4)]) {
        let config = config(threads).algorithm(algorithm);
        let search = |budget: &Budget| {
            prove(game.clone(), root.clone(), config.clone(), budget).expect("it ends")
        };
        let report = search(&Budget::default().nodes(10_000));
        assert_eq!(report.stop_reason, Some(StopReason::Nodes));
        // A thread may exceed the limit by one expansion, or still hold the rest of a lease when
        // the others have used up theirs.
        let (least, most) = (10_000 - 64 * (threads as u64 - 1), 10_000 + 3 * threads as u64);
        assert!((least..=most).contains(&report.effort.nodes), "{:?}", report.effort);
        assert_eq!((report.solved, report.proven), (false, Value::Unknown));
        let report = search(&Budget::default().time(Duration::from_millis(20)));
        assert_eq!(report.stop_reason, Some(StopReason::Time));
        let token = CancelToken::new();
        token.cancel();
        let report = search(&Budget::default().cancel(&token));
        assert_eq!(report.stop_reason, Some(StopReason::Cancelled));
    }
}

#[test]
fn a_proof_can_be_watched_stopped_and_dropped() {
    let (game, root) = toy(FINE);
    let mut search = ProofSearch::new(game, root, config(2)).expect("it can be searched");
    assert_eq!(search.wait().err(), Some(SearchError::NotRunning));
    search.start(&Budget::default()).expect("nothing runs");
    assert_eq!(search.start(&Budget::default()).err(), Some(SearchError::Running));
    while search.snapshot().effort.nodes == 0 {
        std::thread::yield_now();
    }
    let report = search.snapshot();
    assert!(report.stop_reason.is_none() && report.asked.len() == 1, "{:?}", report.asked);
    search.stop();
    assert_eq!(search.wait().expect("an answer").stop_reason, Some(StopReason::Stopped));
    search.start(&Budget::default()).expect("nothing runs");
    drop(search);
}

#[test]
fn what_the_game_does_wrong_is_an_error() {
    // A position that the search reaches soon: the third child of the root's first child.
    let at = |moves: &[u64]| {
        moves.iter().fold(1, |state, &mv| {
            let mut next = state;
            FINE.play(&mut next, mv);
            next
        })
    };
    let proven = |game, config, budget: &Budget| {
        let (game, root) = toy(game);
        prove(game, root, config, budget).map(|report| report.proven)
    };
    for threads in [1, 4] {
        let faulty = Endless { panics_at: at(&[1, 3]), ..FINE };
        let error = proven(faulty, config(threads), &Budget::default()).unwrap_err();
        assert_eq!(error, SearchError::Panic("the rules end here".into()));
        let faulty = Endless { pays: 2, ..FINE };
        let error = proven(faulty, config(threads), &Budget::default()).unwrap_err();
        assert!(error.to_string().contains("outside the range -1 to 1"), "{error}");
    }
    let refused = proven(FINE, config(1), &Budget::default().playouts(5)).unwrap_err();
    assert!(matches!(refused, SearchError::Budget(_)), "{refused}");
    let refused = proven(FINE, config(1).player(2), &Budget::default()).unwrap_err();
    assert_eq!(refused.to_string(), "ProverConfig::player: '2' should be a number from 0 to 1");
}
