//! Connect Four positions and moves as text.

use super::{ConnectFour, State};
use crate::bits::cells;
use crate::text::{Edge, draw_board, read_board};
use proofwood_game::{Game, TextError, Turn};

pub(super) const SIDES: [char; 2] = ['x', 'o'];
const LEGEND: &str = "x or o for a stone, or . for an empty cell";

/// Splits a text at spaces and commas, and, on boards of up to nine columns, between digits.
pub(super) fn split_moves(text: &str, width: usize) -> Vec<&str> {
    let mut moves = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        if width <= 9 && word.bytes().all(|b| b.is_ascii_digit()) {
            moves.extend((0..word.len()).map(|i| &word[i..=i]));
        } else {
            moves.push(word);
        }
    }
    moves
}

pub(super) fn write(game: &ConnectFour, state: &State) -> String {
    let row = |row| (0..game.width).map(|column| symbol(game, state, column, row)).collect();
    let rows: Vec<String> = (0..game.height).map(row).collect();
    format!("{} {}", rows.join("/"), SIDES[mover(state)])
}

pub(super) fn draw(game: &ConnectFour, state: &State) -> String {
    let columns: Vec<String> = (1..=game.width).map(|column| column.to_string()).collect();
    let rows = vec![String::new(); game.height];
    draw_board(&rows, &columns, Edge::Bottom, |column, row| symbol(game, state, column, row))
}

fn symbol(game: &ConnectFour, state: &State, column: usize, row: usize) -> char {
    let cell = game.cell_from_top(column, row);
    let side = ConnectFour::sides(state).iter().position(|stones| stones >> cell & 1 == 1);
    side.map_or('.', |side| SIDES[side])
}

fn mover(state: &State) -> usize {
    (state.stones.count_ones() & 1) as usize
}

pub(super) fn read(game: &ConnectFour, text: &str) -> Result<State, TextError> {
    let is_move_list = |c: char| c.is_ascii_digit() || c.is_whitespace() || c == ',';
    if text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(is_move_list) {
        read_moves(game, text)
    } else {
        read_position(game, text)
    }
}

fn read_moves(game: &ConnectFour, text: &str) -> Result<State, TextError> {
    let mut state = game.initial_state();
    for (ply, text) in split_moves(text, game.width).into_iter().enumerate() {
        let wrong = |what: String| Err(TextError::new(format!("move {}: {what}", ply + 1)));
        if game.turn(&state) == Turn::Over {
            return wrong(format!("the game is over after {ply} moves"));
        }
        match text.parse::<u8>() {
            Ok(column) if (1..=game.width).contains(&usize::from(column)) => {
                if !game.is_open(state.stones, column - 1) {
                    return wrong(format!("column {column} is full"));
                }
                game.play(&mut state, column - 1);
            }
            _ => {
                let width = game.width;
                return wrong(format!("there is no column {text}; the columns are 1 to {width}"));
            }
        }
    }
    Ok(state)
}

fn read_position(game: &ConnectFour, text: &str) -> Result<State, TextError> {
    let read = read_board(text, game.width, game.height, LEGEND, |c| match c {
        '.' | '-' | '_' => Some(None),
        _ => side(c).map(Some),
    })?;
    let mut sides = [0; 2];
    for (at, cell) in read.cells.iter().enumerate() {
        if let &Some(side) = cell {
            sides[side] |= 1 << game.cell_from_top(at % game.width, at / game.width);
        }
    }
    check_support(game, sides[0] | sides[1])?;
    let state = check_counts(sides)?;
    check_lines(game, sides, mover(&state))?;
    let mut rest = read.rest.chars();
    match (rest.next().map(side), rest.next()) {
        (None, _) => Ok(state),
        (Some(Some(side)), None) if side == mover(&state) => Ok(state),
        _ => Err(TextError::new(format!(
            "the side to move cannot be '{}': with {} stones on the board it is {}'s turn",
            read.rest,
            state.stones.count_ones(),
            SIDES[mover(&state)],
        ))),
    }
}

fn side(c: char) -> Option<usize> {
    SIDES.iter().position(|&side| side == c.to_ascii_lowercase())
}

/// Checks that every stone lies on the bottom or on another stone.
fn check_support(game: &ConnectFour, stones: u64) -> Result<(), TextError> {
    let column = game.height + 1;
    let floating = |&cell: &usize| !cell.is_multiple_of(column) && stones >> (cell - 1) & 1 == 0;
    match cells(stones).map(usize::from).find(floating) {
        None => Ok(()),
        Some(cell) => Err(TextError::new(format!(
            "the stone in column {}, row {} from the bottom, has nothing under it",
            cell / column + 1,
            cell % column + 1,
        ))),
    }
}

/// Checks that the sides have moved alternately, x first.
fn check_counts(sides: [u64; 2]) -> Result<State, TextError> {
    let [x, o] = sides.map(u64::count_ones);
    if x != o && x != o + 1 {
        return Err(TextError::new(format!(
            "x has {x} stones and o has {o}; x moves first, so it must have as many as o or one \
             more"
        )));
    }
    Ok(State { own: sides[(x - o) as usize], stones: sides[0] | sides[1] })
}

/// Checks that the game ended with the last move and not before.
fn check_lines(game: &ConnectFour, sides: [u64; 2], mover: usize) -> Result<(), TextError> {
    let lines = sides.map(|stones| game.has_line(stones));
    let (k, last) = (game.k, 1 - mover);
    if lines == [true, true] {
        return Err(TextError::new(format!(
            "both x and o have {k} in a row, but the first line ends the game"
        )));
    }
    if lines[mover] {
        return Err(TextError::new(format!(
            "{} has {k} in a row, but {} has moved since",
            SIDES[mover], SIDES[last],
        )));
    }
    let mut last_moves = cells(sides[last] & game.highest_stones(sides[0] | sides[1]));
    if lines[last] && !last_moves.any(|cell| !game.has_line(sides[last] & !(1 << cell))) {
        return Err(TextError::new(format!(
            "{} has {k} in a row, but no single last move can have completed it",
            SIDES[last],
        )));
    }
    Ok(())
}
