use super::small_boards;
use crate::bad_input::{no_game, refused, same};
use crate::data::csv_rows;
use crate::oracle::Oracle;
use crate::recorded::{fairy, openspiel};
use proofwood::{Game, Turn};
use proofwood_games::{Clobber, perft};
use std::collections::BTreeSet;

/// Replays games from OpenSpiel, where the first player is o; here it is x.
#[test]
fn openspiel_games() {
    let board = |last: &str| -> String {
        let rows = last.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        rows.map(|row| {
            let cells = row.trim_start_matches(|c: char| c.is_ascii_digit());
            run_lengths(&cells.replace('o', "1").replace('x', "o").replace('1', "x"))
        })
        .collect()
    };
    for (name, width, height) in [("clobber_4x4", 4, 4), ("clobber_5x6", 6, 5)] {
        openspiel(name, &Clobber::new(width, height).unwrap(), str::to_string, board);
    }
}

fn run_lengths(row: &str) -> String {
    let mut text = String::new();
    for run in row.split_inclusive(|c| c != '.') {
        let empty = run.matches('.').count();
        if empty > 0 {
            text += &empty.to_string();
        }
        text += run.trim_start_matches('.');
    }
    text
}

/// Replays games from Fairy-Stockfish, where the board is mirrored top to bottom.
#[test]
fn fairy_stockfish_games() {
    let translate = |mv: &str| {
        let turned = mv.chars().map(|c| match c.to_digit(10) {
            Some(row) => char::from_digit(7 - row, 10).expect("a row"),
            None => c,
        });
        turned.collect()
    };
    let board = |fen: &str| {
        let (board, _) = fen.split_once(' ').expect("a board");
        let rows: String = board.split('/').rev().collect();
        rows.replace('p', "o").replace('P', "x")
    };
    fairy("clobber", &Clobber::default(), translate, board);
}

#[test]
fn fairy_stockfish_perft() {
    let game = Clobber::default();
    let mut rows = 0;
    for row in csv_rows("perft/perft_start.csv") {
        if row[0] == "fairy-stockfish" && row[1] == "clobber" {
            let depth = row[3].parse().unwrap();
            let count = perft(&game, &game.initial_state(), depth);
            assert_eq!(count.to_string(), row[4], "at depth {depth}");
            rows += 1;
        }
    }
    assert_eq!(rows, 3);
}

#[test]
fn winners_of_small_boards() {
    let rows = small_boards("clobber");
    assert_eq!(rows.len(), 8);
    for (height, width, winner) in rows {
        let game = Clobber::new(width, height).unwrap();
        let value = Oracle::new(&game, 0).value(&game.initial_state());
        let expected = if winner == "first" { 1 } else { -1 };
        assert_eq!(value, expected, "{height} rows, {width} columns");
    }
}

#[test]
fn best_first_moves() {
    let table = csv_rows("small_boards/openspiel_minimax_values.csv");
    let mut checked = 0;
    for row in table.iter().filter(|row| row[0].starts_with("clobber")) {
        let size: Vec<usize> =
            row[0].split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
        let game = Clobber::new(size[1], size[0]).unwrap();
        let (value, moves) = Oracle::new(&game, 0).solve();
        assert_eq!(value, row[2].parse::<f64>().unwrap() as i32, "{}", row[0]);
        let expected: BTreeSet<&str> = row[3].split(' ').collect();
        assert_eq!(BTreeSet::from_iter(moves.iter().map(String::as_str)), expected, "{}", row[0]);
        checked += 1;
    }
    assert_eq!(checked, 3);
}

#[test]
fn positions() {
    let game = Clobber::new(4, 4).unwrap();
    refused(
        &game,
        &[
            ("", "the position has 1 row separated by '/'; the board has 4"),
            ("oxox/xoxo/oxox x", "the position has 3 rows separated by '/'; the board has 4"),
            ("oxox/xoxo/oxox/xox x", "row 4 from the top has 3 cells; the board is 4 wide"),
            (
                "oxox/xoqo/oxox/xoxo x",
                "'q' in row 2 from the top, column 3, is not a piece; expected x or o for a stone",
            ),
            (
                "oxox/xo+xo/oxox/xoxo x",
                "'+' in row 2 from the top, column 3, is not a piece; expected x or o for a stone",
            ),
            ("oxox/xoxo/xxox/xoxo o", "x has 9 stones, but starts with 8"),
            (
                "oxox/xoxo/oxox/xo2 o",
                "the side to move cannot be 'o': with this board it is x's turn",
            ),
            ("oxox/xoxo/oxox/xoxo z", "'z' is not a side; expected x or o after the board"),
            (
                "oxox/xoxo/o1ox/xoxo",
                "x has taken 0 and o has taken 1; they take one stone at a time in turn, x first",
            ),
            (
                "4/xoxo/1x1x/1o1x x",
                "x has taken 5 and o has taken 3; they take one stone at a time in turn, x first",
            ),
        ],
    );
    same(
        &game,
        "oxox/xoxo/xxox/1oxo o",
        &["oxox/xoxo/xxox/.oxo", "OXOX/XOXO/XXOX/-OXO O", " OXOX/xoxo/xxox/_oxo   black "],
    );
}

#[test]
fn moves() {
    let game = Clobber::new(3, 2).unwrap();
    let start = game.initial_state();
    assert_eq!(game.state_text(&start), "oxo/xox x");
    assert_eq!(game.board_text(&start), "2 o x o\n1 x o x\n  a b c\n");
    for text in ["a1a2", "A1-A2", "a1xa2", "a1*a2", "a1:A2"] {
        assert_eq!(game.move_text(&start, game.parse_move(&start, text).unwrap()), "a1a2");
    }
    for text in ["", "a1", "a1a3", "a2a1", "a1b2", "a1a1", "d1c1", "a1a2x", "pass"] {
        assert_eq!(
            game.parse_move(&start, text).unwrap_err().to_string(),
            format!(
                "'{text}' is not a legal move here; legal moves: a1b1 b2c2 c1b1 b2a2 a1a2 c1c2 b2b1"
            ),
        );
    }
    let mut state = start;
    for mv in ["a1b1", "a2b2", "c1c2", "b2b1"] {
        state = game.after(&state, game.parse_move(&state, mv).unwrap());
    }
    assert_eq!(game.state_text(&state), "2x/1o1 x");
    assert_eq!((game.turn(&state), game.payoff(&state, 0)), (Turn::Over, -1));
    let error = game.parse_move(&state, "c2b2").unwrap_err().to_string();
    assert_eq!(error, "the game is over before the move 'c2b2'");
}

#[test]
fn impossible_boards() {
    no_game("clobber:9x8", "clobber: a 9x8 board has 72 cells; it must have 1 to 64");
    no_game(
        "clobber:0x8",
        "clobber: '0' is not a valid value for the board's width; it must be a number from 1 to 64",
    );
}
