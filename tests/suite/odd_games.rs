//! Tests of unusual games: several moves in a row, one player, one outcome, thousands of plies,
//! more moves than a counter holds.

use proofwood::options::Bias;
use proofwood::{
    Budget, Config, Game, Goal, ProofNumber, Search, SearchError, StopReason, Turn, Value, search,
};
use proofwood_testkit::oracle::Solution;
use proofwood_testkit::random_game::{Payoffs, RandomGame, Shape};
use proofwood_testkit::toy::{Does, Position, toy};
use std::ops::RangeInclusive;

/// Player 1 moves once, then player 0 `k` times; player 0 wins if all of its moves are right.
struct Streak {
    k: u8,
}

impl Game for Streak {
    /// The ply, and whether all of player 0's moves were right.
    type State = (u8, bool);
    type Move = u8;

    fn initial_state(&self) -> (u8, bool) {
        (0, true)
    }
    fn turn(&self, &(ply, _): &(u8, bool)) -> Turn {
        match ply {
            0 => Turn::Player(1),
            _ if ply > self.k => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn legal_moves(&self, _state: &(u8, bool), moves: &mut Vec<u8>) {
        moves.extend(0..4);
    }
    fn play(&self, state: &mut (u8, bool), mv: u8) {
        *state = (state.0 + 1, state.1 && (state.0 == 0 || mv == (state.0 * 7) % 4));
    }
    fn payoff(&self, &(_, well): &(u8, bool), player: usize) -> i32 {
        if well == (player == 0) { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

#[test]
fn several_moves_in_a_row_win() {
    for k in 1..=6 {
        for (solver, score_bounds) in [(true, true), (true, false), (false, true)] {
            let (game, mut state) = toy(Streak { k });
            let config = Config::default().solver(solver).score_bounds(score_bounds).threads(2);
            let budget = Budget::default().playouts(200_000);
            let ask = |state: &Position| {
                search(game.clone(), state.clone(), config.clone(), &budget).expect("a sound game")
            };
            let report = ask(&state);
            assert_eq!((report.to_move, report.proven), (Some(1), Value::Loss), "k = {k}");
            game.play(&mut state, 3);
            while game.turn(&state) != Turn::Over {
                let report = ask(&state);
                assert_eq!((report.to_move, report.proven), (Some(0), Value::Win), "k = {k}");
                game.play(&mut state, report.best_move.expect("a move"));
            }
            assert_eq!(game.payoff(&state, 0), 1, "k = {k}");
        }
    }
}

/// A puzzle for one player: add 3, 5 or 7 until the sum reaches the target or exceeds it.
struct Sums {
    target: u32,
}

impl Game for Sums {
    type State = (u32, u32);
    type Move = u32;

    fn initial_state(&self) -> (u32, u32) {
        (0, 0)
    }
    fn turn(&self, &(sum, _): &(u32, u32)) -> Turn {
        if sum < self.target { Turn::Player(0) } else { Turn::Over }
    }
    fn legal_moves(&self, _state: &(u32, u32), moves: &mut Vec<u32>) {
        moves.extend([3, 5, 7]);
    }
    fn play(&self, state: &mut (u32, u32), mv: u32) {
        *state = (state.0 + mv, state.1 + 1);
    }
    fn payoff(&self, &(sum, additions): &(u32, u32), _player: usize) -> i32 {
        // Fewer additions are better; 100 cannot be reached.
        if sum == self.target { 100 - additions as i32 } else { -1 }
    }
    fn num_players(&self) -> usize {
        1
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=100
    }
}

#[test]
fn puzzles_for_one_are_solved() {
    for (target, best) in [(4, None), (1, None), (15, Some(97)), (21, Some(97)), (23, Some(95))] {
        for threads in [1, 3] {
            let (game, root) = toy(Sums { target });
            let config = Config::default().threads(threads);
            let budget = Budget::default().playouts(500_000);
            let ask = |config| search(game.clone(), root.clone(), config, &budget);
            let report = ask(config.clone()).expect("a sound game");
            let value = if best.is_some() { Value::Win } else { Value::Loss };
            assert_eq!(report.proven, value, "{target}");
            let report = ask(config.goal(Goal::Score)).expect("a sound game");
            assert_eq!(report.bounds.exact(), Some(best.unwrap_or(-1)), "{target}");
            let end = report.pv.iter().fold(root.clone(), |state, &mv| game.after(&state, mv));
            assert_eq!(game.payoff(&end, 0), best.unwrap_or(-1), "the line wins as promised");
        }
    }
}

/// A game for one player that declares its range of payoffs, −9 to 9.
fn bounded(number: u64, cuts: (i32, i32)) -> RandomGame {
    let mut game = RandomGame::with_players(number, 1);
    (game.payoffs, game.tight, game.cuts) = (Payoffs::General(9), true, Some(cuts));
    (game.shape, game.depth, game.early) = (Shape::Bushy(3), 6, 0);
    game
}

/// A range of payoffs without a win proves the value before the first playout.
#[test]
fn what_the_range_rules_out_is_known_at_once() {
    for number in 0..50 {
        let game = bounded(number, (0, 1000));
        for solver in [true, false] {
            let config = Config::default().solver(solver).memory(16 << 20);
            let search = Search::new(game.clone(), game.initial_state(), config);
            let report = search.expect("it fits").snapshot();
            assert_eq!(report.proven, Value::NotWin, "{number}");
            assert!(report.proof_numbers[0].is_infinite());
        }
    }
}

/// If all payoffs are wins or all are losses, a search for the outcome is refused, but a search for
/// the score is not.
#[test]
fn payoffs_that_all_mean_the_same_are_a_score() {
    for cuts in [(-1000, -1000), (-9, 1000), (1000, 1000), (-9, 10)] {
        let game = bounded(1, cuts);
        for switch in [true, false] {
            let config = Config::default().solver(switch).score_bounds(switch).memory(16 << 20);
            let refused = Search::new(game.clone(), game.initial_state(), config.clone());
            let error = refused.expect_err("no question");
            assert_eq!(error, SearchError::OneOutcome);
            assert!(error.to_string().contains("Goal::Score"), "{error}");
            let config = config.score_bounds(true).goal(Goal::Score);
            let budget = Budget::default().playouts(20_000);
            let report = search(game.clone(), game.initial_state(), config, &budget);
            let report = report.expect("a sound game");
            let best = Solution::of(&game, &game.initial_state()).root.scores[0];
            assert_eq!(report.bounds.exact(), Some(best), "{cuts:?}");
        }
    }
    // If one player's payoffs mean different outcomes, there is something to search.
    let ask = |payoffs| {
        let (game, root) = toy(Pay(payoffs));
        Search::new(game, root, Config::default())
    };
    assert!(ask(vec![1..=7, 1..=7]).is_err());
    let search = ask(vec![1..=7, -1..=7]).expect("a question for one");
    assert_eq!(search.snapshot().proven, Value::Win);
    // If no player can lose, playouts cannot compare moves: everybody wins in all of them.
    assert_eq!(ask(vec![1..=7, 0..=7]).err(), Some(SearchError::NobodyLoses));
}

/// Players move in turn, each with its own range of payoffs.
struct Pay(Vec<RangeInclusive<i32>>);

impl Game for Pay {
    type State = usize;
    type Move = u8;

    fn initial_state(&self) -> usize {
        0
    }
    fn turn(&self, &ply: &usize) -> Turn {
        if ply < 6 { Turn::Player(ply % self.0.len()) } else { Turn::Over }
    }
    fn legal_moves(&self, _ply: &usize, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }
    fn play(&self, ply: &mut usize, _mv: u8) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &usize, player: usize) -> i32 {
        *self.0[player].end()
    }
    fn num_players(&self) -> usize {
        self.0.len()
    }
    fn payoff_range(&self, player: usize) -> RangeInclusive<i32> {
        self.0[player].clone()
    }
}

/// One move at every ply; player 0 wins at the end.
struct Chain {
    length: u32,
}

impl Game for Chain {
    type State = u32;
    type Move = ();

    fn initial_state(&self) -> u32 {
        0
    }
    fn turn(&self, &ply: &u32) -> Turn {
        if ply == self.length { Turn::Over } else { Turn::Player(ply as usize % 2) }
    }
    fn legal_moves(&self, _ply: &u32, moves: &mut Vec<()>) {
        moves.push(());
    }
    fn play(&self, ply: &mut u32, (): ()) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &u32, player: usize) -> i32 {
        if player == 0 { 1 } else { -1 }
    }
    fn zero_sum(&self) -> bool {
        true
    }
}

#[test]
fn a_chain_of_thousands_needs_no_recursion() {
    // The stack is too small for thousands of nested calls.
    let run = || {
        for threads in [1, 4] {
            let (game, root) = toy(Chain { length: 3000 });
            let config = Config::default().threads(threads).audit(true).memory(64 << 20);
            let mut search = Search::new(game, root, config).expect("it fits");
            let report =
                search.search(&Budget::default().playouts(10_000_000)).expect("a sound game");
            assert_eq!((report.proven, report.stop_reason), (Value::Win, Some(StopReason::Solved)));
            assert_eq!(report.nodes, 3001);
            search.audit().unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    };
    let small = std::thread::Builder::new().stack_size(64 << 10).spawn(run);
    small.expect("a thread").join().expect("no overflow");
}

/// A game in which only player 1 moves, with so many moves that player 0's proof number overflows.
#[derive(Clone, Copy)]
struct Vast;

const VAST_PLIES: u8 = 4;

impl Game for Vast {
    type State = u8;
    type Move = u16;

    fn initial_state(&self) -> u8 {
        0
    }
    fn turn(&self, &ply: &u8) -> Turn {
        if ply > VAST_PLIES { Turn::Over } else { Turn::Player(1) }
    }
    fn legal_moves(&self, ply: &u8, moves: &mut Vec<u16>) {
        moves.extend(0..self.mobility(ply, &mut Vec::new()) as u16);
    }
    fn play(&self, ply: &mut u8, _mv: u16) {
        *ply += 1;
    }
    fn payoff(&self, _ply: &u8, _player: usize) -> i32 {
        0
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn mobility(&self, &ply: &u8, _moves: &mut Vec<u16>) -> usize {
        if ply == VAST_PLIES { 65_535 } else { 17 }
    }
}

#[test]
fn a_sum_too_great_to_count_is_no_disproof() {
    let config = Config::default().threads(1).c(100.0).c_pn(0.001).memory(6 << 20);
    let (game, root) = toy(Vast);
    // No playout lists the many moves.
    let mut search = Search::with_evaluator(game, root, config, Does::nothing()).expect("it fits");
    let report = search.search(&Budget::default().playouts(90_000)).expect("a sound game");
    assert_eq!(report.proof_numbers[0], ProofNumber::MAX_FINITE);
    assert!(report.saturated && report.proof_numbers[0].is_open());
    assert_eq!((report.proven, report.stop_reason), (Value::Unknown, Some(StopReason::Playouts)));
    let largest = report.moves.iter().map(|mv| mv.proof_numbers[0]).max().expect("moves");
    assert!(largest.is_open() && !largest.is_saturated(), "{largest}");
}

#[test]
fn sums_and_biases_stay_finite_at_the_limit() {
    let (greatest, infinite) = (ProofNumber::MAX_FINITE, ProofNumber::INFINITE);
    assert_eq!(ProofNumber::finite(u64::MAX), greatest);
    assert_eq!(ProofNumber::finite(u64::from(u32::MAX)), greatest);
    assert_eq!(greatest.and(greatest).and(ProofNumber::ONE), greatest);
    assert_eq!(greatest.or(infinite), greatest);
    for bias in [Bias::Rank, Bias::Max, Bias::Sum] {
        let terms = bias.terms(&[greatest, greatest, ProofNumber::ONE, infinite]);
        assert!(terms[0] > 0.0 && terms[0] == terms[1] && terms[3] == 0.0, "{bias:?} {terms:?}");
        assert!(terms[2] > terms[0] && terms[2] <= 1.0, "{bias:?} {terms:?}");
    }
}
