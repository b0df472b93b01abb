//! Tests of positions with values known from other programs: each must be solved correctly. The
//! limits on playouts are far higher than the positions need.

use proofwood::{Budget, Config, Game, Goal, Report, Search, StopReason, Value};
use proofwood_games::{ConnectFour, Othello};

fn rows(csv: &str) -> impl Iterator<Item = Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect())
}

fn after_moves(game: &ConnectFour, moves: &str) -> <ConnectFour as Game>::State {
    let mut state = game.initial_state();
    for text in game.split_moves(moves) {
        let mv = game.parse_move(&state, text).expect("a legal move");
        game.play(&mut state, mv);
    }
    state
}

fn solve<G: Game>(game: G, state: G::State, goal: Goal, playouts: u64) -> Report<G> {
    let config = Config::proving().threads(2).goal(goal).memory(1 << 30);
    let mut search = Search::new(game, state, config).expect("it fits");
    search.search(&Budget::default().playouts(playouts)).expect("a sound game")
}

/// Solves a set of Connect Four positions; every one must be solved.
fn check_set(csv: &str, playouts: u64) {
    let mut asked = 0;
    for row in rows(csv) {
        let (moves, score) = (row[3], row[6].parse::<i32>().expect("a score"));
        let game = ConnectFour::default();
        let state = after_moves(&game, moves);
        let report = solve(game, state, Goal::Outcome, playouts);
        let right = match score.signum() {
            1 => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        };
        assert_eq!(report.proven, right, "{moves}");
        asked += 1;
    }
    assert_eq!(asked, 500);
}

#[test]
fn late_and_easy_connect_four() {
    check_set(include_str!("../data/positions/pons_7x6_L3_R1.csv"), 1_000_000);
}

#[test]
fn middle_and_easy_connect_four() {
    check_set(include_str!("../data/positions/pons_7x6_L2_R1.csv"), 10_000_000);
}

#[test]
fn connect_four_positions_that_peers_were_given() {
    const DRAW_THAT_TAKES_A_MINUTE: &str = "43655644233456";
    for row in rows(include_str!("../data/positions/solver_positions.csv")) {
        let (game, moves, value) = (row[0], row[2], row[4]);
        if game != "connect_four" {
            continue;
        }
        let rules = ConnectFour::default();
        let state = after_moves(&rules, moves);
        // The hard position need not be solved in its small budget, but no claim may be false.
        let open = moves == DRAW_THAT_TAKES_A_MINUTE;
        let report = solve(rules, state, Goal::Outcome, if open { 200_000 } else { 10_000_000 });
        if open && report.stop_reason == Some(StopReason::Playouts) {
            assert!(!matches!(report.proven, Value::Win | Value::Loss), "{moves}");
        } else {
            assert_eq!(report.proven.name(), value, "{moves}");
        }
    }
}

#[test]
fn othello_endgames_to_the_exact_score() {
    for row in rows(include_str!("../data/positions/othello_endgames.csv")) {
        let bits = |text: &str| u64::from_str_radix(text, 16).expect("a bitboard");
        let (mover, opponent) = (bits(row[2]), bits(row[3]));
        let cell = |i: u32| match (mover >> i & 1, opponent >> i & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let text: String = (0..64).map(cell).chain(" X".chars()).collect();
        let game = Othello::default();
        let state = game.parse_state(&text).expect("a position");
        let report = solve(game, state, Goal::Score, 10_000_000);
        let exact = row[4].parse().expect("a difference");
        assert_eq!(report.bounds.exact(), Some(exact), "{text}");
    }
}
