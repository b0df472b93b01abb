//! Compares the values of small boards with published values.

use crate::data::csv_rows;
use crate::oracle::Oracle;
use crate::recorded::mnk::mnk_cell;
use proofwood::Game;
use proofwood_games::{ConnectFour, Mnk, Othello};
use std::collections::BTreeSet;

#[test]
fn othello_4x4() {
    let mut rows = 0;
    for row in csv_rows("small_boards/computed_values.csv") {
        if row[0] == "othello" {
            assert_eq!(row[1], "4rows x 4cols");
            let game = Othello::new(4, row[2].contains("empties to winner")).unwrap();
            let value = Oracle::new(&game, 0).value(&game.initial_state());
            assert_eq!(value.to_string(), row[3], "{}", row[2]);
            rows += 1;
        }
    }
    assert_eq!(rows, 2);
}

/// Reads a game's value and best first moves from OpenSpiel's table.
pub(crate) fn openspiel(game: &str, translate: impl Fn(&str) -> String) -> (i32, BTreeSet<String>) {
    let rows = csv_rows("small_boards/openspiel_minimax_values.csv");
    let row = rows.iter().find(|row| row[0] == game).expect(game);
    let moves = row[3].split(' ').map(translate).collect();
    (row[2].parse::<f64>().unwrap() as i32, moves)
}

pub(crate) fn rows_and_columns(size: &str) -> (usize, usize) {
    let (rows, columns) = size.split_once("rows x ").expect(size);
    let columns = columns.strip_suffix("cols").expect(size);
    (rows.parse().expect(size), columns.parse().expect(size))
}

#[test]
fn mnk() {
    for (name, m, n, k) in [
        ("tic_tac_toe", 3, 3, 3),
        ("mnk(m=3,n=3,k=3)", 3, 3, 3),
        ("mnk(m=4,n=3,k=3)", 4, 3, 3),
        ("mnk(m=3,n=4,k=3)", 3, 4, 3),
    ] {
        let game = Mnk::new(m, n, k, 2).unwrap();
        let (value, moves) = Oracle::new(&game, 0).solve();
        let expected = openspiel(name, |mv| mnk_cell(mv, n));
        assert_eq!((value, BTreeSet::from_iter(moves)), expected, "{name}");
    }
}

#[test]
fn connect_four() {
    for (name, width, height, k) in [
        ("connect_four(columns=5,rows=3)", 5, 3, 4),
        ("connect_four(columns=4,rows=4,x_in_row=3)", 4, 4, 3),
    ] {
        let game = ConnectFour::new(width, height, k).unwrap();
        let (value, moves) = Oracle::new(&game, 0).solve();
        let column = |mv: &str| (mv[1..].parse::<usize>().unwrap() + 1).to_string();
        let expected = openspiel(name, column);
        assert_eq!((value, BTreeSet::from_iter(moves)), expected, "{name}");
    }
}

/// Checks the payoffs that one of three players can force against both others.
#[test]
fn three_players() {
    let rows = csv_rows("small_boards/three_player_paranoid.csv");
    assert_eq!(rows.len(), 29);
    for row in &rows {
        let (height, width) = row[0].split_once("rows x ").expect("a size");
        let width = width.strip_suffix("cols").expect("a size").parse().unwrap();
        let (height, k) = (height.parse().unwrap(), row[1].parse().unwrap());
        let player = row[2].strip_prefix("player").unwrap().parse::<usize>().unwrap() - 1;
        let game = Mnk::new(width, height, k, 3).unwrap();
        let value = match Oracle::new(&game, player).value(&game.initial_state()) {
            2 => "can force own line",
            0 => "can force a draw but no more",
            _ => "cannot stop a loss",
        };
        assert_eq!(value, row[3], "{row:?}");
    }
}
