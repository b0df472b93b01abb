//! Tests of texts that are not positions, moves or games, of their error messages, and of
//! alternative spellings of valid texts.

use crate::promises::specs;
use proofwood::{Game, Turn};
use proofwood_games::{AnyGame, ConnectFour, Mnk, Othello, PGame};
use proptest::prelude::*;

/// Checks that each text is refused as a position with the given message.
pub(crate) fn refused<G: Game>(game: &G, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        match game.parse_state(text) {
            Ok(state) => panic!("'{text}' was read as {}", game.state_text(&state)),
            Err(error) => assert_eq!(error.to_string(), *message, "for '{text}'"),
        }
    }
}

pub(crate) fn same<G: Game>(game: &G, text: &str, spellings: &[&str]) {
    for spelling in spellings {
        match game.parse_state(spelling) {
            Ok(state) => assert_eq!(game.state_text(&state), text, "for '{spelling}'"),
            Err(error) => panic!("'{spelling}': {error}"),
        }
    }
}

#[test]
fn connect_four_positions() {
    let game = ConnectFour::new(5, 4, 4).unwrap();
    refused(
        &game,
        &[
            ("", "the position has 0 cells; the 5x4 board has 20"),
            ("// /", "the position has 0 cells; the 5x4 board has 20"),
            ("...../...../.....", "the position has 15 cells; the 5x4 board has 20"),
            ("...../...../......./..... x", "row 4 from the top has 2 cells; the board is 5 wide"),
            ("...../..../...../.....", "row 2 from the top has 4 cells; the board is 5 wide"),
            (
                "...../...../..q../.....",
                "'q' in row 3 from the top, column 3, is not a cell; expected x or o for a stone, \
                 or . for an empty cell",
            ),
            (
                "...../...../.x.../o.... x",
                "the stone in column 2, row 2 from the bottom, has nothing under it",
            ),
            (
                "...../...../...../xx...",
                "x has 2 stones and o has 0; x moves first, so it must have as many as o or one \
                 more",
            ),
            (
                "...../...../...../.o...",
                "x has 0 stones and o has 1; x moves first, so it must have as many as o or one \
                 more",
            ),
            (
                "...../...../...../xo... o",
                "the side to move cannot be 'o': with 2 stones on the board it is x's turn",
            ),
            (
                "...../...../...../xo... next",
                "the side to move cannot be 'next': with 2 stones on the board it is x's turn",
            ),
            (
                "...../...../...../xo...x",
                "'x' follows the 20 cells of the 5x4 board without a space",
            ),
            (
                "...../...../oooo./xxxx.",
                "both x and o have 4 in a row, but the first line ends the game",
            ),
            ("...../...../ooo../xxxxo", "x has 4 in a row, but o has moved since"),
            // There is a stone on top of every x in the line.
            (
                "...../...../ooxo./xxxxo",
                "x has 4 in a row, but no single last move can have completed it",
            ),
            ("1234567", "move 6: there is no column 6; the columns are 1 to 5"),
            ("1 2 10", "move 4: there is no column 0; the columns are 1 to 5"),
            ("0", "move 1: there is no column 0; the columns are 1 to 5"),
            ("11111", "move 5: column 1 is full"),
            ("12121212", "move 8: the game is over after 7 moves"),
        ],
    );
    same(
        &game,
        "...../...../..o../.xxo. x",
        &[
            "..... ..... ..o.. .xxo.",
            "------------O---XXO- X",
            " _____ | _____ | __o__ | _xxo_ | x ",
            ".....\n.....\n..o..\n.xxo.\nx\n",
            "2433",
            "2, 4, 3, 3",
        ],
    );
}

#[test]
fn connect_four_moves() {
    let game = ConnectFour::default();
    let split = |text| game.split_moves(text);
    assert_eq!(split("43655644233456").len(), 14);
    assert_eq!(split("4365 5644, 2"), ["4", "3", "6", "5", "5", "6", "4", "4", "2"]);
    assert_eq!(split("4x"), ["4x"]);
    let wide = ConnectFour::new(12, 4, 4).unwrap();
    assert_eq!(wide.split_moves("12 1,10"), ["12", "1", "10"]);
    let state = wide.parse_state("12 1,10").unwrap();
    assert_eq!(wide.state_text(&state), "............/............/............/o........x.x o");
    let full = game.parse_state("444444").unwrap();
    let error = game.parse_move(&full, "4").unwrap_err().to_string();
    assert_eq!(error, "'4' is not a legal move here; legal moves: 1 2 3 5 6 7");
}

#[test]
fn mnk_positions() {
    let game = Mnk::new(4, 3, 3, 3).unwrap();
    refused(
        &game,
        &[
            ("..../..../xx..", "x has 2 marks; after 2 moves it should have 1"),
            ("..../..../xo.. x", "the side to move cannot be 'x': after 2 moves it is +'s turn"),
            ("+++./xxx./ooo.", "x has 3 in a row, but + has moved since"),
            (
                "..../..../xo#.",
                "'#' in row 3 from the top, column 3, is not a cell; expected one of xo+ for a \
                 player's mark, or . for an empty cell",
            ),
            (
                "..../..../xo?.",
                "'?' in row 3 from the top, column 3, is not a cell; expected one of xo+ for a \
                 player's mark, or . for an empty cell",
            ),
        ],
    );
    let five = Mnk::new(5, 5, 3, 2).unwrap();
    refused(
        &five,
        &[
            ("xxx../ooo../...../...../.....", "x has 3 in a row, but o has moved since"),
            (
                "xxx../oo.oo/.oo.x/...../..xxx",
                "x has lines of 3 that no single move can have completed",
            ),
        ],
    );
    same(
        &game,
        "..../.+../xo.. x",
        &["..../.+../xo..", "____ _3__ 12__ 1", "-----+--XO-- X", "....|.+..|xo..|x"],
    );
}

#[test]
fn othello_positions() {
    let game = Othello::new(4, false).unwrap();
    refused(
        &game,
        &[
            ("-----OX--XO---- ", "the position has 15 cells; the 4x4 board has 16"),
            ("-----OX--XO---- X", "the position has 15 cells; the 4x4 board has 16"),
            (
                "-----OX--XO-----",
                "both sides could move; add X or O after the cells to say whose turn it is",
            ),
            ("-----OX--XO-----X", "'X' follows the 16 cells of the 4x4 board without a space"),
            ("-----OX--XO----- Z", "'Z' is not a side; expected X or O after the cells"),
            (
                "-----OX--X------ X",
                "c3 is empty, but the four cells in the middle hold discs from the start",
            ),
            (
                "-----OX--XQ----- X",
                "'Q' in row 3 from the top, column 3, is not a cell; expected X for a black disc, \
                 O for a white one, or - for an empty cell",
            ),
        ],
    );
    same(
        &game,
        "-----OX--XO----- X",
        &["-----OX--XO----- black", ".... / .ox. / .xo. / .... / X", "____\n_w*_\n_bw_\n____\nB"],
    );
    // If the text names no side, the side that can move is the side to move.
    same(&game, "XXXXXXXXXXXXXXO- X", &["XXXXXXXXXXXXXXO- x", "XXXXXXXXXXXXXXO-"]);
    same(&game, "OOOOOOOOOOOOOOX- X", &["OOOOOOOOOOOOOOX- x"]);
    same(&game, "OOOOOOOOOOOOOOX- O", &["OOOOOOOOOOOOOOX-", "OOOOOOOOOOOOOOX- white"]);
    // If the game is over, the named side does not matter.
    same(
        &game,
        "XXXXXXXXXXXXXXX- X",
        &["XXXXXXXXXXXXXXX- x", "XXXXXXXXXXXXXXX- O", "XXXXXXXXXXXXXXX-"],
    );
    let over = game.parse_state("XXXXXXXXXXXXXXX- O").unwrap();
    assert_eq!((game.turn(&over), game.payoff(&over, 0)), (Turn::Over, 15));
    let winner = Othello::new(4, true).unwrap();
    assert_eq!(winner.payoff(&over, 1), -16);
}

#[test]
fn othello_moves() {
    let game = Othello::default();
    assert_eq!(game.split_moves("f5d6c3"), ["f5", "d6", "c3"]);
    assert_eq!(game.split_moves("F5PASSd6, pa"), ["F5", "PASS", "d6", "pa"]);
    assert_eq!(game.split_moves("f5d f10"), ["f5d", "f10"]);
    assert_eq!(game.split_moves("é5"), ["é5"]);
    let start = game.initial_state();
    for text in ["pass", "a1", "i9", "f", "ff", "5f"] {
        let error = game.parse_move(&start, text).unwrap_err().to_string();
        assert_eq!(error, format!("'{text}' is not a legal move here; legal moves: d3 c4 f5 e6"));
    }
}

#[test]
fn p_game_positions() {
    let game =
        PGame::new(3, 4, 1, 0, proofwood_games::p_game::Leaves::Won { percent: 50 }).unwrap();
    refused(
        &game,
        &[
            ("1 4", "move 2: '4' is not a move; the moves are 1 to 3"),
            ("0", "move 1: '0' is not a move; the moves are 1 to 3"),
            ("a", "move 1: 'a' is not a move; the moves are 1 to 3"),
            ("1 2 3 1 1", "move 5: the path ends in a leaf after 4 moves"),
        ],
    );
    same(&game, "root", &["", "Root", "  "]);
    same(&game, "3 1 2", &["3,1,2", " 3, 1 2 "]);
}

pub(crate) fn no_game(spec: &str, message: &str) {
    let error = AnyGame::from_spec(spec).expect_err(spec).to_string();
    assert_eq!(error, message, "for '{spec}'");
}

#[test]
fn impossible_games() {
    no_game(
        "mnk:9,9,5",
        "mnk: a board with 9 columns and 9 rows has 81 cells; it must have 1 to 64",
    );
    no_game(
        "mnk:4,3,5",
        "mnk: a line of 5 does not fit on a board with 4 columns and 3 rows; k must be 1 to 4",
    );
    no_game(
        "connect-four:9x7",
        "connect-four: a 9x7 board is too large or empty; width * (height + 1) is 72 and must not \
         exceed 64",
    );
    no_game(
        "connect-four:3x3",
        "connect-four: a line of 4 does not fit on a 3x3 board; k must be 1 to 3",
    );
    no_game("othello:8x6", "othello: the board must be square, not 8x6");
    no_game("othello:5", "othello: the board's side length must be 4, 6 or 8, not 5");
    no_game(
        "p-game:2,65",
        "p-game: a tree with 2 moves per position and depth 65 has too many leaves; the maximum is \
         2^64",
    );
    no_game(
        "p-game:2,9,win=40,values=3",
        "p-game: win= and values= cannot be combined; give only one of them",
    );
    no_game("p-game", "p-game needs B, the number of moves; for example p-game:2,20,seed=7");
    no_game(
        "p-game:2,20,seed=-1",
        "p-game: '-1' is not a valid value for seed; it must be a number from 0 to \
         18446744073709551615",
    );
}

/// Parses a text as a move, as a list of moves and as a position; if it is a valid position, the
/// position's own text must be valid, too.
fn read<G: Game>(game: &G, text: &str) {
    let _ = game.parse_move(&game.initial_state(), text);
    let _ = game.split_moves(text);
    if let Ok(state) = game.parse_state(text) {
        let written = game.state_text(&state);
        let again = game.parse_state(&written).expect("a written position");
        assert_eq!(game.state_text(&again), written);
    }
}

fn spoil<G: Game>(game: &G, choices: &[usize], place: usize, letter: char) {
    let mut state = game.initial_state();
    for choice in choices {
        let mut moves = Vec::new();
        if game.turn(&state) != Turn::Over {
            game.legal_moves(&state, &mut moves);
            game.play(&mut state, moves[choice % moves.len()]);
        }
    }
    let mut text: Vec<char> = game.state_text(&state).chars().collect();
    let place = place % text.len();
    text[place] = letter;
    read(game, &text.into_iter().collect::<String>());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        for spec in specs() {
            read(&AnyGame::from_spec(spec).expect(spec), &text);
        }
        let _ = AnyGame::from_spec(&text).map(|game| read(&game, ""));
    }

    #[test]
    fn any_options_are_read_or_refused(
        name in "mnk|connect-four|othello|p-game|hex|atari-go|nogo|clobber|domineering|dots-and-boxes|pig|ewn|ataxx|awari|oware|breakthrough|knightthrough",
        options in "([0-9]{1,3}|[0-9]{1,2}x[0-9]{1,2}|k=[0-9]|players=[0-9]|empties|crosscut|early=[0-9]{1,3}|horizontal|turns=[0-9]|setup=random|clones|sow12|rows=[0-9]|pass|no-pass,){0,4}",
    ) {
        let game = AnyGame::from_spec(&format!("{name}:{options}"));
        let _ = game.map(|game| read(&game, "1"));
    }

    #[test]
    fn spoiled_positions_are_read_or_refused(
        choices in prop::collection::vec(0usize..1000, 0..40),
        place in 0usize..1000,
        letter in "[-xo.+#XO/ 0-9|a-fA-Fwt]",
    ) {
        let letter = letter.chars().next().expect("a letter");
        for spec in specs() {
            spoil(&AnyGame::from_spec(spec).expect(spec), &choices, place, letter);
        }
    }
}
