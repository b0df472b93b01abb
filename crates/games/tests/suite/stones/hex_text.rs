//! Tests of positions and moves of Hex as text.

use crate::bad_input::{no_game, refused, same};
use proofwood::{Game, Turn};
use proofwood_games::Hex;

#[test]
fn wrong_positions_are_refused() {
    let game = Hex::new(3, 3).unwrap();
    refused(
        &game,
        &[
            ("", "the position has 0 cells; the 3x3 board has 9"),
            ("... .X. .. O", "the position has 8 cells; the 3x3 board has 9"),
            ("..../.X./... O", "row 2 from the top has 1 cells; the board is 3 wide"),
            (
                ".../.#./... O",
                "'#' in row 2 from the top, column 2, is not a cell; expected X or O for a stone, \
                 or . for an empty cell",
            ),
            (".../.X./... 2", "'2' is not a side; expected X or O after the cells"),
            (
                "X../.X./...",
                "X has 2 stones and O has 0; add X or O after the cells to say whose turn it is",
            ),
            (
                ".../.O./...",
                "X has 0 stones and O has 1; add X or O after the cells to say whose turn it is",
            ),
            ("XO./X.O/X.. X", "X has joined its sides, but O has moved since"),
            ("XX./OOO/X.X O", "O has joined its sides, but X has moved since"),
            ("XOX/XOX/X.X O", "X has joined its sides, but no single last move can have done so"),
        ],
    );
}

#[test]
fn spelling_is_free() {
    let game = Hex::new(3, 3).unwrap();
    same(
        &game,
        "X../.O./..X O",
        &["X../.O./..X", "x-- -w- --b white", "X__\n _O_\n  __X\no", "*..|.o.|..* | O"],
    );
    same(&game, ".../.../... X", &[".........", "--- --- --- B"]);
    // The side to move may be named, whether the numbers of stones are equal or differ by one.
    same(&game, ".../.X./... X", &[".../.x./... black"]);
    let over = game.parse_state("XO./XO./X.. O").unwrap();
    assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, 1));
    let over = game.parse_state("X../OOO/X.X X").unwrap();
    assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, -1));
}

#[test]
fn moves_are_cells() {
    let game = Hex::new(3, 2).unwrap();
    let state = game.parse_state(".X./... O").unwrap();
    for text in ["b1", "a3", "d1", "1a", "", "pass", "swap", "a1b1"] {
        let error = game.parse_move(&state, text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("'{text}' is not a legal move here; legal moves: a1 c1 a2 b2 c2")
        );
    }
    let mv = game.parse_move(&state, "B2").unwrap();
    assert_eq!(game.state_text(&game.after(&state, mv)), ".X./.O. X");
    let board = "  a b c\n1 . X .\n 2 . . .\nX joins top and bottom, O left and right\n";
    assert_eq!(game.board_text(&state), board);
}

#[test]
fn impossible_boards() {
    assert_eq!(
        Hex::new(12, 3).unwrap_err().to_string(),
        "hex: a 12x3 board is too large or empty; each side must be 1 to 11"
    );
    assert!(Hex::new(3, 0).is_err());
    no_game(
        "hex:12",
        "hex: '12' is not a valid value for the board's width; it must be a number from 1 to 11",
    );
    no_game("hex:5,swap", "hex has no option 'swap'; its options are: WIDTHxHEIGHT");
}
