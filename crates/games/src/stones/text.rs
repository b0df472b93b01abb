//! Positions of stones as text.

use super::{Board, Cells, SIDES, STRIDE};
use crate::text::{Edge, column_name, draw_board, read_board};
use proofwood_game::{Game, TextError, Turn};

const LEGEND: &str = "X or O for a stone, or . for an empty cell";

/// A parsed position: both sides' stones, and the side to move if the text contains it.
pub(crate) struct Read {
    pub(crate) stones: [Cells; 2],
    pub(crate) side: Option<usize>,
}

impl Board {
    /// Writes the rows from the top, separated by `/`, and the side to move.
    pub(crate) fn write(&self, stones: [Cells; 2], side: usize) -> String {
        let mut text = String::with_capacity((self.width + 1) * self.height + 2);
        for row in 0..self.height {
            text.extend((0..self.width).map(|column| self.symbol(stones, column, row)));
            text.push(if row + 1 < self.height { '/' } else { ' ' });
        }
        text.push(SIDES[side]);
        text
    }

    pub(crate) fn draw(&self, stones: [Cells; 2]) -> String {
        let number = |row| (self.row_from_top(row) + 1).to_string();
        let rows: Vec<String> = (0..self.height).map(number).collect();
        let columns: Vec<String> = (0..self.width).map(column_name).collect();
        let edge = if self.top_down { Edge::Top } else { Edge::Bottom };
        draw_board(&rows, &columns, edge, |column, row| self.symbol(stones, column, row))
    }

    /// Reads a position as written by [`write`](Board::write) or in another accepted spelling; the
    /// side to move may be omitted.
    pub(crate) fn read(&self, text: &str) -> Result<Read, TextError> {
        let read = read_board(text, self.width, self.height, LEGEND, |c| match c {
            '.' | '-' | '_' => Some(None),
            'X' | 'x' | '*' | 'B' | 'b' => Some(Some(0)),
            'O' | 'o' | 'W' | 'w' => Some(Some(1)),
            _ => None,
        })?;
        let mut stones = [0; 2];
        for (at, cell) in read.cells.iter().enumerate() {
            if let &Some(side) = cell {
                let side: usize = side;
                stones[side] |= 1 << self.cell_from_top(at % self.width, at / self.width);
            }
        }
        Ok(Read { stones, side: side(read.rest)? })
    }

    fn row_from_top(&self, row: usize) -> usize {
        if self.top_down { row } else { self.height - 1 - row }
    }

    fn cell_from_top(&self, column: usize, row: usize) -> usize {
        self.row_from_top(row) * STRIDE + column
    }

    fn symbol(&self, stones: [Cells; 2], column: usize, row: usize) -> char {
        let cell = self.cell_from_top(column, row);
        stones.iter().position(|set| set >> cell & 1 == 1).map_or('.', |side| SIDES[side])
    }

    pub(crate) fn parse_move<G: Game<Move = u8>>(
        &self,
        game: &G,
        state: &G::State,
        legal: Cells,
        text: &str,
    ) -> Result<u8, TextError> {
        if game.turn(state) == Turn::Over {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        let cell = self.parse_cell(text).filter(|&cell| legal >> cell & 1 == 1);
        cell.ok_or_else(|| {
            let mut moves = Vec::new();
            game.legal_moves(state, &mut moves);
            TextError::illegal_move(game, state, text, &moves)
        })
    }
}

/// The side named by `text`; `None` if `text` is empty.
fn side(text: &str) -> Result<Option<usize>, TextError> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "x" | "*" | "b" | "black" => Ok(Some(0)),
        "o" | "w" | "white" => Ok(Some(1)),
        _ => {
            Err(TextError::new(format!("'{text}' is not a side; expected X or O after the cells")))
        }
    }
}
