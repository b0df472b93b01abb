//! Othello positions and moves as text.

use super::{Move, Othello, Phase, State};
use crate::text::{Edge, cell_name, column_name, draw_board, parse_cell, read_board};
use proofwood_game::TextError;

const PASSES: [&str; 4] = ["pass", "pa", "ps", "--"];
pub(crate) const SIDES: [char; 2] = ['X', 'O'];
const LEGEND: &str = "X for a black disc, O for a white one, or - for an empty cell";

/// The names of a board's cells: Othello counts rows from the top, Reversi from the bottom.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    pub(crate) size: usize,
    pub(crate) first_row: Edge,
}

impl Names {
    /// Converts a row counted from the top to the number in its name minus one, and back.
    fn row(self, row: usize) -> usize {
        match self.first_row {
            Edge::Top => row,
            Edge::Bottom => self.size - 1 - row,
        }
    }

    pub(crate) fn move_text(self, mv: Move) -> String {
        match mv {
            Move::Disc(cell) => cell_name(usize::from(cell) % 8, self.row(usize::from(cell) / 8)),
            Move::Pass => PASSES[0].to_string(),
        }
    }

    pub(crate) fn read_move(self, text: &str) -> Option<Move> {
        match parse_cell(text) {
            Some((column, row)) if column < self.size && row < self.size => {
                Some(Move::Disc((self.row(row) * 8 + column) as u8))
            }
            _ => PASSES.iter().any(|pass| text.eq_ignore_ascii_case(pass)).then_some(Move::Pass),
        }
    }

    pub(crate) fn draw(self, state: &State) -> String {
        let rows: Vec<String> = (0..self.size).map(|row| (self.row(row) + 1).to_string()).collect();
        let columns: Vec<String> = (0..self.size).map(column_name).collect();
        draw_board(&rows, &columns, self.first_row, |column, row| {
            match symbol(state, row * 8 + column) {
                '-' => '.',
                disc => disc,
            }
        })
    }
}

/// Splits a text at spaces and commas, and splits words that consist of several moves.
pub(crate) fn split_moves(text: &str) -> Vec<&str> {
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

pub(crate) fn write_cells(game: &Othello, state: &State) -> String {
    let cells = (0..game.size).flat_map(|row| (0..game.size).map(move |column| row * 8 + column));
    cells.map(|cell| symbol(state, cell)).collect()
}

pub(super) fn write(game: &Othello, state: &State) -> String {
    format!("{} {}", write_cells(game, state), SIDES[usize::from(game.side(state))])
}

pub(super) fn read(game: &Othello, names: Names, text: &str) -> Result<State, TextError> {
    let (discs, rest) = read_discs(game, names, text)?;
    position(game, discs, side(rest)?)
}

/// Reads the discs of black and of white; also returns the rest of the text.
pub(crate) fn read_discs<'t>(
    game: &Othello,
    names: Names,
    text: &'t str,
) -> Result<([u64; 2], &'t str), TextError> {
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
            "{} is empty, but the four cells in the middle hold discs from the start",
            names.move_text(Move::Disc(bare.trailing_zeros() as u8)),
        )));
    }
    Ok((colours, read.rest))
}

/// Creates a position with a side to move or, if no side is given, with the side that can move.
pub(crate) fn position(
    game: &Othello,
    discs: [u64; 2],
    side: Option<u8>,
) -> Result<State, TextError> {
    let [black, white] = discs;
    let sides =
        [State { own: black, other: white, side: 0 }, State { own: white, other: black, side: 1 }];
    if let Some(side) = side {
        return Ok(sides[usize::from(side)]);
    }
    match sides.map(|state| game.phase(&state)) {
        [Phase::Place(_), Phase::Place(_)] => Err(TextError::new(
            "both sides could move; add X or O after the cells to say whose turn it is",
        )),
        // The side that can move is to move, not the side that would pass.
        [Phase::Pass, _] => Ok(sides[1]),
        _ => Ok(sides[0]),
    }
}

/// The side named by `text`; `None` if `text` is empty.
pub(crate) fn side(text: &str) -> Result<Option<u8>, TextError> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "x" | "*" | "b" | "black" => Ok(Some(0)),
        "o" | "w" | "white" => Ok(Some(1)),
        _ => {
            Err(TextError::new(format!("'{text}' is not a side; expected X or O after the cells")))
        }
    }
}
