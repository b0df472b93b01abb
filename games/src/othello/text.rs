//! Othello positions and moves as text.

use super::{Move, Othello, Phase, State};
use crate::text::{Edge, cell_name, column_name, draw_board, parse_cell, read_board};
use proofwood::{Game, TextError, Turn};

const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];
const LEGEND: &str = "X for black, O for white or - for empty";

pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Disc(cell) => cell_name(usize::from(cell) % 8, usize::from(cell) / 8),
        Move::Pass => PASSES[0].to_string(),
    }
}

pub(super) fn parse_move(game: &Othello, state: &State, text: &str) -> Result<Move, TextError> {
    if game.turn(state) == Turn::Over {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    }
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let wanted = match parse_cell(text) {
        Some((column, row)) if column < 8 && row < 8 => Some(Move::Disc((row * 8 + column) as u8)),
        _ => PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)).then_some(Move::Pass),
    };
    wanted
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

/// Cuts at spaces and commas, and words that are nothing but moves into them.
pub(super) fn split_moves(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .flat_map(|word| split_word(word).unwrap_or_else(|| vec![word]))
        .collect()
}

fn split_word(mut word: &str) -> Option<Vec<&str>> {
    let mut moves = Vec::new();
    while !word.is_empty() {
        let pass = PASSES.iter().find(|pass| {
            word.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass))
        });
        let length = match (pass, word.as_bytes()) {
            (Some(pass), _) => pass.len(),
            (None, [letter, digit, ..])
                if letter.is_ascii_alphabetic() && digit.is_ascii_digit() =>
            {
                2
            }
            _ => return None,
        };
        let (mv, rest) = word.split_at(length);
        moves.push(mv);
        word = rest;
    }
    Some(moves)
}

fn symbol(state: &State, cell: usize) -> char {
    let [black, white] = state.colours();
    match (black >> cell & 1, white >> cell & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    }
}

pub(super) fn write(game: &Othello, state: &State) -> String {
    let cells = (0..game.size).flat_map(|row| (0..game.size).map(move |column| row * 8 + column));
    let board: String = cells.map(|cell| symbol(state, cell)).collect();
    format!("{board} {}", ['X', 'O'][usize::from(state.side)])
}

pub(super) fn draw(game: &Othello, state: &State) -> String {
    let rows: Vec<String> = (1..=game.size).map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..game.size).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Top, |column, row| match symbol(state, row * 8 + column) {
        '-' => '.',
        disc => disc,
    })
}

pub(super) fn read(game: &Othello, text: &str) -> Result<State, TextError> {
    let read = read_board(text, game.size, game.size, LEGEND, |c| match c {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Some(0)),
        'O' | 'o' | 'W' | 'w' => Some(Some(1)),
        '-' | '.' | '_' => Some(None),
        _ => None,
    })?;
    let mut colours = [0u64; 2];
    for (at, cell) in read.cells.iter().enumerate() {
        if let &Some(colour) = cell {
            let colour: usize = colour;
            colours[colour] |= 1 << (at / game.size * 8 + at % game.size);
        }
    }
    let [black, white] = game.middle();
    let bare = (black | white) & !(colours[0] | colours[1]);
    if bare != 0 {
        return Err(TextError::new(format!(
            "{} is empty, but the four cells in the middle hold discs from the start on",
            move_text(Move::Disc(bare.trailing_zeros() as u8)),
        )));
    }
    let position = |side: u8| {
        let (own, other) = (colours[usize::from(side)], colours[usize::from(1 - side)]);
        game.position(own, other, side)
    };
    match side(read.rest)? {
        Some(side) => Ok(position(side)),
        None => match [position(0), position(1)] {
            [state, other] if state.phase == other.phase && state.phase == Phase::Place => {
                Err(TextError::new(
                    "both sides could move: add X or O after the cells to say whose turn it is",
                ))
            }
            // The one who can move is meant, not the one who would pass.
            [state, other] => Ok(if state.phase == Phase::Pass { other } else { state }),
        },
    }
}

/// The side that a word names, if there is a word.
fn side(text: &str) -> Result<Option<u8>, TextError> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "x" | "*" | "b" | "black" => Ok(Some(0)),
        "o" | "w" | "white" => Ok(Some(1)),
        _ => Err(TextError::new(format!("'{text}' is no side; after the cells comes X or O"))),
    }
}
