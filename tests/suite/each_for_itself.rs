//! Tests with three players who play for themselves: a result that only a coalition can force
//! neither ends a search nor excludes a move.

use proofwood::{Budget, Config, Game, Goal, Search, StopReason, Turn, Value, search};
use proofwood_testkit::toy::toy;
use std::ops::RangeInclusive;

/// Player 0 chooses a move, and then player 1, who plays for itself, chooses one. Only if player 0
/// chooses the last of its moves is player 1's best reply also good for player 0. After any move,
/// player 1 could make player 0 lose, against its own interest.
#[derive(Clone, Debug)]
struct Kind;

impl Game for Kind {
    /// The moves of players 0 and 1.
    type State = (Option<u8>, Option<u8>);
    type Move = u8;

    fn initial_state(&self) -> Self::State {
        (None, None)
    }
    fn turn(&self, state: &Self::State) -> Turn {
        match state {
            (None, _) => Turn::Player(0),
            (_, None) => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, state: &Self::State, moves: &mut Vec<u8>) {
        moves.extend(if state.0.is_none() { 0..8 } else { 0..4 });
    }
    fn play(&self, state: &mut Self::State, mv: u8) {
        if state.0.is_none() { state.0 = Some(mv) } else { state.1 = Some(mv) }
    }
    fn payoff(&self, state: &Self::State, player: usize) -> i32 {
        let last = state.0 == Some(7);
        let (wins, grudging) = (state.1 == Some(2), state.1 == Some(3));
        let (first, second) = if last { (!grudging, !grudging) } else { (wins, !wins) };
        match player {
            0 => {
                if first {
                    1
                } else {
                    -1
                }
            }
            1 => {
                if second {
                    1
                } else {
                    -1
                }
            }
            _ => 0,
        }
    }
    fn num_players(&self) -> usize {
        3
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }
}

#[test]
fn a_coalitions_proof_ends_no_search() {
    for (goal, threads) in [(Goal::Outcome, 1), (Goal::Outcome, 2), (Goal::Score, 1)] {
        for seed in 0..5 {
            // C is large, because the budget must suffice to visit all moves.
            let config = Config::default().c(std::f64::consts::SQRT_2);
            let config = config.threads(threads).seed(seed).goal(goal);
            let budget = Budget::default().playouts(3000);
            let (game, root) = toy(Kind);
            let report = search(game, root, config.clone(), &budget).expect("sound rules");
            // Every move loses against a coalition of both others, and is reported as a loss.
            assert_eq!(report.proven, Value::Loss);
            assert!(report.moves.iter().all(|mv| mv.proven == Value::Loss));
            assert_eq!(report.stop_reason, Some(StopReason::Playouts), "{goal:?} {seed}");
            assert_eq!(report.best_move, Some(7), "{goal:?} {seed}");
            // With `paranoid` the search settles what can be forced against a coalition.
            let (game, root) = toy(Kind);
            let report = search(game, root, config.paranoid(true), &budget);
            assert_eq!(report.expect("sound rules").stop_reason, Some(StopReason::Solved));
        }
    }
}

/// After move 0 player 1 may win together with player 0 or, without any gain, lose with it. After
/// move 1 the lines are long, and player 0 loses nearly all of them.
#[derive(Clone, Debug)]
struct Friends;

const LENGTH: u8 = 9;

impl Game for Friends {
    /// The first move, the ply, and the moves after the first.
    type State = (Option<u8>, u8, u32);
    type Move = u8;

    fn initial_state(&self) -> Self::State {
        (None, 0, 0)
    }
    fn turn(&self, &(way, ply, _): &Self::State) -> Turn {
        match way {
            None => Turn::Player(0),
            Some(0) if ply == 1 => Turn::Player(1),
            Some(1) if ply <= LENGTH => Turn::Player(usize::from(ply) % 3),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, &(way, ..): &Self::State, moves: &mut Vec<u8>) {
        moves.extend(if way == Some(1) { 0..4 } else { 0..2 });
    }
    fn play(&self, state: &mut Self::State, mv: u8) {
        state.1 += 1;
        match state.0 {
            None => state.0 = Some(mv),
            _ => state.2 = state.2 << 2 | u32::from(mv),
        }
    }
    fn payoff(&self, &(way, _, line): &Self::State, player: usize) -> i32 {
        let win = match (way, player) {
            (Some(0), 2) => false,
            (Some(0), _) => line == 0,
            (_, 0) => line.count_ones() == 0,
            _ => true,
        };
        if win { 1 } else { -1 }
    }
    fn num_players(&self) -> usize {
        3
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }
}

#[test]
fn a_coalitions_proof_takes_no_move_out_of_the_choice() {
    for threads in [1, 2] {
        let config = Config::default().threads(threads).seed(1);
        let (game, root) = toy(Friends);
        let mut search = Search::new(game, root, config).expect("it fits");
        let report = search.search(&Budget::default().playouts(20_000)).expect("sound rules");
        assert_eq!(report.moves[0].proven, Value::Loss);
        assert!(report.moves[0].mean > Some(0.9), "{:?}", report.moves[0]);
        assert_eq!(report.best_move, Some(0), "{threads} threads");
    }
}

/// Player 0 may take a certain win, or a chance to win more.
#[derive(Clone, Debug)]
struct Bold;

impl Game for Bold {
    type State = (Option<u8>, u8);
    type Move = u8;

    fn initial_state(&self) -> Self::State {
        (None, 0)
    }
    fn turn(&self, &(way, ply): &Self::State) -> Turn {
        match way {
            None => Turn::Player(0),
            Some(0) => Turn::Over,
            _ if ply < 20 => Turn::Player(usize::from(ply) % 3),
            _ => Turn::Over,
        }
    }
    fn legal_moves(&self, _state: &Self::State, moves: &mut Vec<u8>) {
        moves.extend(0..2);
    }
    fn play(&self, state: &mut Self::State, mv: u8) {
        state.1 += 1;
        state.0.get_or_insert(mv);
    }
    fn payoff(&self, &(way, _): &Self::State, player: usize) -> i32 {
        if player == 0 && way == Some(1) { 9 } else { 1 }
    }
    fn num_players(&self) -> usize {
        3
    }
    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -9..=9
    }
}

/// If the goal is the winner, a certain win is played; if the goal is the score, the win counts
/// with its payoff.
#[test]
fn a_certain_win_is_worth_its_payoff_where_the_score_is_asked_for() {
    let budget = Budget::default().playouts(2000);
    for (goal, best) in [(Goal::Outcome, 0), (Goal::Score, 1)] {
        let config = Config::default().threads(1).goal(goal);
        let (game, root) = toy(Bold);
        let report = search(game, root, config, &budget).expect("sound rules");
        assert_eq!(report.best_move, Some(best), "{goal:?} {:?}", report.moves);
    }
}
