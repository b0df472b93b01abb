//! Tests of searches restricted to some moves of a position.

use proofwood::{Budget, Config, Value};
use proofwood_any_game::{find, search_among};

/// Returns the value, the moves and the best move of a search restricted to `among`.
fn searched(game: &str, moves: &str, among: &[&str]) -> (Value, Vec<String>, Option<String>) {
    let rules = find(game).unwrap();
    let mut position = rules.start();
    for mv in rules.split_moves(moves) {
        position.play(mv).unwrap();
    }
    let among: Vec<String> = among.iter().map(|mv| mv.to_string()).collect();
    let config = Config::proving().threads(2);
    let mut search = search_among(&*position, &config, &among).unwrap();
    search.start(&Budget::default().playouts(100_000)).unwrap();
    let answer = search.wait().unwrap();
    let moves = answer.moves.iter().map(|mv| mv.text.clone()).collect();
    (answer.proven, moves, answer.best_move)
}

#[test]
fn other_moves_of_the_root_are_left_out() {
    // a3 wins at once, and every other move loses or draws.
    let (value, moves, best) = searched("tic-tac-toe", "a1 b1 a2 b2", &["c3", "c1"]);
    assert_eq!(moves, ["c1", "c3"]);
    assert!(value != Value::Win && best.is_some_and(|best| best != "a3"), "{value:?}");
    let (value, moves, _) = searched("tic-tac-toe", "a1 b1 a2 b2", &["a3", "c1", "a3"]);
    assert_eq!((value, moves.len()), (Value::Win, 2));
    // Connect Four has static bounds, and informed moves for playouts.
    let (value, _, best) = searched("connect-four:5x4", "1 2 1 2 1 2", &["5"]);
    assert_eq!(best.as_deref(), Some("5"));
    assert_ne!(value, Value::Win);
    let (value, _, _) = searched("connect-four:5x4", "1 2 1 2 1 2", &["1", "5"]);
    assert_eq!(value, Value::Win);
}

#[test]
fn a_search_among_no_legal_move_is_refused() {
    let position = find("tic-tac-toe").unwrap().start();
    for moves in [&[][..], &["z9".to_string()]] {
        assert!(search_among(&*position, &Config::default(), moves).is_err(), "{moves:?}");
    }
}
