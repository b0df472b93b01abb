//! Tests of faults found by fuzzing the parsers; see `lab/notes/fuzzing.md`.

use crate::promises::specs;
use proofwood::Game;
use proofwood_games::{AnyGame, ConnectFour, Othello};

#[test]
fn messages_have_no_control_characters() {
    let game = ConnectFour::default();
    let error = |text| game.parse_state(text).unwrap_err().to_string();
    assert_eq!(
        error("\u{1b}[2J"),
        "'\\u{1b}' in row 1 from the top, column 1, is not a cell; expected x or o for a stone, or \
         . for an empty cell"
    );
    let state = game.initial_state();
    assert_eq!(
        game.parse_move(&state, "4\n4").unwrap_err().to_string(),
        "'4\\n4' is not a legal move here; legal moves: 1 2 3 4 5 6 7"
    );
    let othello = Othello::default();
    let mut position = othello.state_text(&othello.initial_state());
    position.truncate(position.len() - 1);
    let error = othello.parse_state(&(position + "black\r\nwhite")).unwrap_err().to_string();
    assert!(error.contains("black\\r\\nwhite"), "{error}");
}

#[test]
fn messages_about_games_have_no_control_characters() {
    let error = |spec| AnyGame::from_spec(spec).expect_err(spec).to_string();
    assert!(error("oth\nlo").starts_with("there is no game 'oth\\nlo'; did you mean 'othello'?"));
    assert_eq!(
        error("othello:6,a\u{7}b"),
        "othello has no option 'a\\u{7}b'; its options are: SIZE empties"
    );
    assert_eq!(
        error("hex:6\t7"),
        "hex: '6\\t7' is not a valid value for the board's width; it must be a number from 1 to 11"
    );
}

fn refuses_far_cells<G: Game>(spec: &str, game: &G) {
    let state = game.initial_state();
    for text in [
        "a18446744073709551615",
        "zz18446744073709551615",
        "a18446744073709551615b18446744073709551615",
        "a1b18446744073709551615",
        "a18446744073709551615-a1",
        "b2305843009213693952",
        "h18446744073709551615",
        "v18446744073709551615",
        "18446744073709551615",
    ] {
        assert!(game.parse_move(&state, text).is_err(), "{}: {text}", spec);
    }
}

/// Checks that cells far beyond the board are refused. Computing their numbers once overflowed,
/// before the size was checked.
#[test]
fn far_cells_are_no_moves() {
    for spec in specs() {
        refuses_far_cells(spec, &AnyGame::from_spec(spec).expect(spec));
    }
}

/// Checks that small boards refuse a crosscut: in a corner, one of its stones had no liberty, so
/// the start was not a valid position.
#[test]
fn a_crosscut_needs_liberties() {
    for size in ["2", "3", "2x3", "3x2"] {
        let (width, height) = size.split_once('x').unwrap_or((size, size));
        let error = AnyGame::from_spec(&format!("atari-go:{size},crosscut")).expect_err(size);
        assert_eq!(
            error.to_string(),
            format!(
                "atari-go: a crosscut on a {width}x{height} board leaves a stone without a \
                 liberty; one side must be at least 4 cells long"
            )
        );
    }
    for size in ["4x2", "2x4", "3x4", "4x3"] {
        assert!(AnyGame::from_spec(&format!("atari-go:{size},crosscut")).is_ok(), "{size}");
    }
}
