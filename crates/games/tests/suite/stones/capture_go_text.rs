//! Tests of positions and moves of Atari Go and NoGo as text.

use crate::bad_input::{no_game, refused, same};
use proofwood::{Game, Turn};
use proofwood_games::{CaptureGo, SpecError};

fn atari_go(width: usize, height: usize, crosscut: bool) -> CaptureGo {
    CaptureGo::atari_go(width, height, crosscut).expect("a possible size")
}

#[test]
fn wrong_positions_are_refused() {
    let cases = [
        ("", "the position has 0 cells; the 3x3 board has 9"),
        ("... .X. .. O", "the position has 8 cells; the 3x3 board has 9"),
        ("..../.X./... O", "row 2 from the top has 1 cells; the board is 3 wide"),
        (
            ".../.#./... O",
            "'#' in row 2 from the top, column 2, is not a cell; expected X or O for a stone, or . \
             for an empty cell",
        ),
        (".../.X./... 2", "'2' is not a side; expected X or O after the cells"),
        (
            "X../.X./... O",
            "X has 2 stones and O has 0; X moves first, so it must have as many as O or one more",
        ),
        (
            ".../.O./... X",
            "X has 0 stones and O has 1; X moves first, so it must have as many as O or one more",
        ),
        (
            ".../.X./... X",
            "the side to move cannot be 'X': with 1 stones on the board it is O's turn",
        ),
    ];
    refused(&atari_go(3, 3, false), &cases);
    let nogo = CaptureGo::nogo(3, 3).unwrap();
    refused(&nogo, &cases);
    refused(
        &nogo,
        &[(".../O../XOX X", "X's group at a1 has no liberty, but nothing may be captured")],
    );
    refused(
        &atari_go(3, 3, false),
        &[(
            "..O/X../OX. X",
            "O's group at a1 has no liberty, but a move must not take its own group's last liberty",
        )],
    );
    refused(
        &atari_go(4, 4, false),
        &[(
            ".XOX/.X.O/O.../XO.. X",
            "X's group at a1 has no liberty, but no single last move can have captured it",
        )],
    );
}

#[test]
fn the_crosscut_stays() {
    let game = atari_go(4, 3, true);
    assert_eq!(game.state_text(&game.initial_state()), "..../.OX./.XO. X");
    let message = "must hold X: the game starts with a crosscut in the centre";
    refused(
        &game,
        &[
            ("..../..../.... X", &format!("b1 {message}")),
            ("..../.XO./.OX. X", &format!("b1 {message}")),
            ("..../.O../.XO. X", &format!("c2 {message}")),
        ],
    );
    same(&game, "X.../.OX./.XO. O", &["x--- -wb- -bw-"]);
    let square = atari_go(6, 6, true);
    let start = "....../....../..OX../..XO../....../...... X";
    assert_eq!(square.state_text(&square.initial_state()), start);
}

#[test]
fn spelling_is_free() {
    for game in [atari_go(3, 3, false), CaptureGo::nogo(3, 3).unwrap()] {
        same(
            &game,
            "X../.O./..X O",
            &["X../.O./..X", "x-- -w- --b white", "X__\n _O_\n  __X\no", "*..|.o.|..* | O"],
        );
        same(&game, ".../.../... X", &[".........", "--- --- --- B"]);
    }
}

/// Checks that a capturing stone needs no liberty in Atari Go, that NoGo forbids captures, and that
/// both games forbid a stone without a liberty that captures nothing.
#[test]
fn a_stone_without_a_liberty_may_capture() {
    let (before, after) = ("O..X/XO.X/.XO. O", "O..X/XO.X/OXO. X");
    let game = atari_go(4, 3, false);
    let state = game.parse_state(before).unwrap();
    let won = game.after(&state, game.parse_move(&state, "a1").unwrap());
    assert_eq!(game.state_text(&won), after);
    for over in [won, game.parse_state(after).unwrap()] {
        assert_eq!((game.turn(&over), game.payoff(&over, 1)), (Turn::Over, 1));
    }
    let nogo = CaptureGo::nogo(4, 3).unwrap();
    let state = nogo.parse_state(before).unwrap();
    assert!(nogo.parse_move(&state, "a1").is_err());
    for game in [game, nogo] {
        let state = game.parse_state("O..X/XO../.XO. X").unwrap();
        assert!(game.parse_move(&state, "a1").is_err());
        assert!(game.parse_move(&state, "d1").is_ok());
    }
}

#[test]
fn moves_are_cells() {
    let game = atari_go(3, 2, false);
    let state = game.parse_state(".X./... O").unwrap();
    for text in ["b2", "a3", "d1", "1a", "", "pass", "a1b1"] {
        let error = game.parse_move(&state, text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("'{text}' is not a legal move here; legal moves: a1 b1 c1 a2 c2")
        );
    }
    let mv = game.parse_move(&state, "C1").unwrap();
    assert_eq!(game.state_text(&game.after(&state, mv)), ".X./..O X");
    assert_eq!(game.board_text(&state), "2 . X .\n1 . . .\n  a b c\n");
    let tiny = atari_go(1, 1, false);
    let error = tiny.parse_move(&tiny.initial_state(), "a1").unwrap_err().to_string();
    assert_eq!(error, "the game is over before the move 'a1'");
}

#[test]
fn impossible_boards() {
    let error = |game: Result<CaptureGo, SpecError>| game.map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error(CaptureGo::atari_go(10, 3, false)),
        "atari-go: a 10x3 board is too large or empty; each side must be 1 to 9"
    );
    assert_eq!(
        error(CaptureGo::nogo(0, 3)),
        "nogo: a 0x3 board is too large or empty; each side must be 1 to 9"
    );
    no_game(
        "atari-go:1x5,crosscut",
        "atari-go: a crosscut needs at least 2x2 cells; the board has 1x5",
    );
    no_game("nogo:5,crosscut", "nogo has no option 'crosscut'; its options are: WIDTHxHEIGHT");
}
