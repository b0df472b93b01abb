//! Tests of the best-first provers on real games. Answers are compared with exhaustive search and
//! df-pn, and trees with their recomputation.

use proofwood::{
    Algorithm, Budget, Game, Outcome, ProofGoal, ProofReport, ProofSearch, ProverConfig,
    SearchError, StopReason, Turn, Value, prove,
};
use proofwood_games::{ConnectFour, Mnk, Othello, PGame, p_game::Leaves};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::toy::toy;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PROVERS: [Algorithm; 4] = [Algorithm::Pns, Algorithm::Pn2, Algorithm::Mcpns, Algorithm::Ppns];

/// Returns a configuration with which every tree is audited when the work on its question ends.
/// Second trees are small and playouts few, to keep the tests short.
fn config(algorithm: Algorithm, threads: usize) -> ProverConfig {
    ProverConfig::default()
        .algorithm(algorithm)
        .threads(threads)
        .audit(true)
        .pn2_growth([1000.0, 200.0])
        .playouts_per_leaf(4)
}

fn value_of(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Win => Value::Win,
        Outcome::Draw => Value::Draw,
        Outcome::Loss => Value::Loss,
    }
}

fn check_move<G: Game>(game: &G, solution: &Solution, report: &ProofReport<G>) {
    let Some(best) = report.best_move else { return };
    let mut moves = Vec::new();
    game.legal_moves(&game.initial_state(), &mut moves);
    let number = moves.iter().position(|&mv| mv == best).expect("a legal move");
    let after = solution.moves[number].outcomes[report.player];
    let keeps = match report.proven {
        Value::Win => after == Outcome::Win,
        Value::Draw => after != Outcome::Loss,
        _ => true,
    };
    assert!(keeps, "{best:?} gives {:?} away", report.proven);
}

fn check_game<G: Game<State: Eq + Hash> + Clone>(game: G, threads: &[usize]) {
    let solution = Solution::of(&game, &game.initial_state());
    check_answers(game, &solution, threads);
}

/// Checks a prover's answers against the known solution of a game.
fn check_answers<G: Game + Clone>(game: G, solution: &Solution, threads: &[usize]) {
    let root = game.initial_state();
    let truth = &solution.root;
    for algorithm in PROVERS {
        for &threads in threads {
            for mobility in [false, true] {
                let config = config(algorithm, threads).mobility(mobility);
                let what = format!("{algorithm} with {threads} threads");
                let report = prove(game.clone(), root.clone(), config, &Budget::default());
                let report = report.expect(&what);
                assert_eq!(report.stop_reason, Some(StopReason::Solved), "{what}");
                assert_eq!(report.proven, value_of(truth.outcomes[report.player]), "{what}");
                check_move(&game, solution, &report);
            }
        }
    }
}

#[test]
fn tic_tac_toe() {
    check_game(Mnk::new(3, 3, 3, 2).expect("a board"), &[1, 2, 16]);
}

#[test]
fn othello_on_a_small_board() {
    check_game(Othello::new(4, false).expect("a board"), &[1, 4]);
}

#[test]
fn connect_four_on_a_small_board() {
    check_game(ConnectFour::new(4, 4, 4).expect("a board"), &[2]);
}

#[test]
fn p_games() {
    for seed in 0..20 {
        for game in [
            PGame::new(2, 10, seed, 0, Leaves::Won { percent: 50 }).expect("a tree"),
            PGame::new(8, 4, seed, 0, Leaves::Values(3)).expect("a tree"),
        ] {
            let solution = Solution::of(&game, &game.initial_state());
            check_answers(toy(game).0, &solution, &[1, 3]);
        }
    }
}

#[test]
fn scores() {
    for algorithm in PROVERS {
        let game = Othello::new(4, false).expect("a board");
        let root = game.initial_state();
        let config = config(algorithm, 2).goal(ProofGoal::Score);
        let report = prove(game, root, config, &Budget::default()).expect("it answers");
        assert_eq!(report.bounds.exact(), Some(-8), "{algorithm}");
    }
}

/// A best-first prover and df-pn agree if both answer.
#[test]
fn agreement_with_depth_first() {
    let game = ConnectFour::new(5, 5, 4).expect("a board");
    let budget = Budget::default().time(Duration::from_secs(2));
    let mut answers = 0;
    for moves in ["1 2 3 4 5 1 2 3", "3 3 3 2 2 4 4 4", "3 2 1 5 4 4 4 3", "1 1 1 1 5 5 5 5"] {
        let mut root = game.initial_state();
        for text in moves.split(' ') {
            let mv = game.parse_move(&root, text).expect("a legal move");
            game.play(&mut root, mv);
        }
        assert_ne!(game.turn(&root), Turn::Over);
        let ask = |config| prove(game.clone(), root, config, &budget).expect("it runs");
        let right = ask(ProverConfig::default().algorithm(Algorithm::Dfpn)).proven;
        for algorithm in PROVERS {
            let value = ask(config(algorithm, 2)).proven;
            if value.is_decided() && right.is_decided() {
                assert_eq!(value, right, "{algorithm} after {moves}");
                answers += 1;
            }
        }
    }
    assert!(answers >= 8, "only {answers} could be compared");
}

/// Every limit ends an unfinished search with the limit's reason and a tree that equals its
/// recomputation.
#[test]
fn limits() {
    for algorithm in PROVERS {
        for threads in [1, 4] {
            let limits = [
                (Budget::default().nodes(2000), StopReason::Nodes),
                (Budget::default().bytes(50_000), StopReason::Bytes),
                (Budget::default().time(Duration::from_millis(30)), StopReason::Time),
            ];
            for (budget, reason) in limits {
                let game = ConnectFour::default();
                let root = game.initial_state();
                let report = prove(game, root, config(algorithm, threads), &budget).expect("runs");
                let what = format!("{algorithm} with {threads} threads and {budget:?}");
                assert_eq!(report.stop_reason, Some(reason), "{what}");
                assert_eq!(report.proven, Value::Unknown, "{what}");
                assert_eq!(report.asked[0].verdict, None);
                assert_eq!(
                    report.asked[0].estimate.is_some(),
                    algorithm == Algorithm::Ppns,
                    "only PPNS estimates"
                );
                assert!(budget.bytes.is_none_or(|bytes| report.effort.bytes <= bytes), "{what}");
            }
            let game = ConnectFour::default();
            let root = game.initial_state();
            let small = config(algorithm, threads).memory(50_000);
            let report = prove(game, root, small, &Budget::default()).expect("runs");
            assert_eq!(report.stop_reason, Some(StopReason::Memory));
            assert_eq!(report.proven, Value::Unknown);
        }
    }
}

#[test]
fn a_memory_without_room_for_the_root_is_refused() {
    let game = ConnectFour::default();
    let root = game.initial_state();
    let error = prove(game, root, config(Algorithm::Pns, 1).memory(8), &Budget::default());
    assert!(matches!(error, Err(SearchError::Memory { given: 8, .. })), "{error:?}");
}

#[test]
fn one_thread_is_deterministic() {
    for algorithm in PROVERS {
        let run = |seed| {
            let game = Othello::new(4, false).expect("a board");
            let root = game.initial_state();
            let report = prove(game, root, config(algorithm, 1).seed(seed), &Budget::default());
            report.expect("it answers").effort
        };
        assert_eq!(run(3), run(3), "{algorithm}");
        let draws = matches!(algorithm, Algorithm::Mcpns | Algorithm::Ppns);
        assert_eq!(run(3) != run(4), draws, "{algorithm}");
    }
}

/// Tic-tac-toe whose rules panic after some calls.
struct Failing {
    rules: Mnk,
    calls: Arc<AtomicU64>,
    most: u64,
}

impl Game for Failing {
    type State = <Mnk as Game>::State;
    type Move = <Mnk as Game>::Move;

    fn initial_state(&self) -> Self::State {
        self.rules.initial_state()
    }
    fn turn(&self, state: &Self::State) -> Turn {
        self.rules.turn(state)
    }
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>) {
        self.rules.legal_moves(state, moves);
    }
    fn play(&self, state: &mut Self::State, mv: Self::Move) {
        assert!(self.calls.fetch_add(1, Ordering::Relaxed) < self.most, "the rules end here");
        self.rules.play(state, mv);
    }
    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        self.rules.payoff(state, player)
    }
    fn payoff_range(&self, player: usize) -> std::ops::RangeInclusive<i32> {
        self.rules.payoff_range(player)
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

/// A panic in the rules is an error and stops all threads; no thread hangs, and the next run finds
/// the answer.
#[test]
fn rules_that_panic() {
    for algorithm in PROVERS {
        for most in [0, 1, 30, 500] {
            let rules = Mnk::new(3, 3, 3, 2).expect("a board");
            let calls = Arc::new(AtomicU64::new(0));
            let (game, root) = toy(Failing { rules, calls: Arc::clone(&calls), most });
            let mut search = ProofSearch::new(game, root, config(algorithm, 4)).expect("room");
            let error = search.search(&Budget::default()).map(|report| report.proven);
            assert!(matches!(&error, Err(SearchError::Panic(why)) if why == "the rules end here"));
            calls.store(0, Ordering::Relaxed);
            let error = search.search(&Budget::default()).map(|report| report.proven);
            assert!(error.is_err(), "the rules still end after {most} calls");
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let base = || config(Algorithm::Ppns, 1);
    let wrong = [
        base().theta(0.0),
        base().theta(0.5),
        base().theta(f64::NAN),
        base().precision(0.0),
        base().precision(0.7),
        base().playouts_per_leaf(0),
        base().playout_cap(0),
        base().algorithm(Algorithm::Pns).precision(0.1),
        base().algorithm(Algorithm::Dfpn).precision(0.1),
    ];
    for config in wrong {
        assert!(config.check().is_err(), "{config:?}");
    }
}

/// A tolerance ends the search at an estimate, which is reported as one.
#[test]
fn estimates_are_named_as_such() {
    let game = Othello::new(6, false).expect("a board");
    let root = game.initial_state();
    let config = config(Algorithm::Ppns, 2).goal(ProofGoal::Win).precision(0.2);
    let budget = Budget::default().time(Duration::from_secs(20));
    let report = prove(game, root, config, &budget).expect("it runs");
    assert_eq!(report.stop_reason, Some(StopReason::Estimated));
    assert_eq!((report.proven, report.solved), (Value::Unknown, false));
    let estimate = report.asked[0].estimate.expect("an estimate");
    assert!(!(0.2..=0.8).contains(&estimate), "{estimate}");
}
