//! Code that games with stones of two colours share: boards as bits of a wide word, and positions
//! as text.
//!
//! The cell at a column and a row is bit `row * STRIDE + column` on a board of any size, so a step
//! is a shift by a constant.

mod text;

pub(crate) mod groups;

use crate::bits::{cells, random_cell};
use crate::options::SpecError;
use crate::symmetry::Grid;
use crate::text::{cell_name, parse_cell};
use proofwood_game::Rng;

pub(crate) const SIDES: [char; 2] = ['X', 'O'];

/// The distance between rows, in bits; this is the length of the longest possible row.
pub(crate) const STRIDE: usize = 11;

pub(crate) type Cells = u128;

#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Whether row 1 is the top row instead of the bottom row.
    top_down: bool,
    pub(crate) all: Cells,
}

impl Board {
    /// Creates a board for `game` with at most `longest` rows and columns.
    pub(crate) fn new(
        game: &'static str,
        (width, height): (usize, usize),
        longest: usize,
        top_down: bool,
    ) -> Result<Board, SpecError> {
        let longest = longest.min(STRIDE);
        if ![width, height].iter().all(|side| (1..=longest).contains(side)) {
            let reason = format!(
                "a {width}x{height} board is too large or empty; each side must be 1 to {longest}"
            );
            return Err(SpecError::Impossible { game, reason });
        }
        let row: Cells = (1 << width) - 1;
        let all = (0..height).fold(0, |set, at| set | row << (at * STRIDE));
        Ok(Board { width, height, top_down, all })
    }

    /// The cell at a column and a row, both counted from 0 at a1; `None` if it is not on the board.
    pub(crate) fn cell(&self, column: usize, row: usize) -> Option<u8> {
        (column < self.width && row < self.height).then(|| (row * STRIDE + column) as u8)
    }

    pub(crate) fn grid(&self) -> Grid {
        Grid { width: self.width, height: self.height, stride: STRIDE, first: 0 }
    }

    pub(crate) fn column(&self, column: usize) -> Cells {
        (0..self.height).fold(0, |set, row| set | 1 << (row * STRIDE + column))
    }

    pub(crate) fn row(&self, row: usize) -> Cells {
        (0..self.width).fold(0, |set, column| set | 1 << (row * STRIDE + column))
    }

    pub(crate) fn name(&self, cell: u8) -> String {
        cell_name(usize::from(cell) % STRIDE, usize::from(cell) / STRIDE)
    }

    pub(crate) fn parse_cell(&self, text: &str) -> Option<u8> {
        parse_cell(text).and_then(|(column, row)| self.cell(column, row))
    }
}

const HALF: u32 = 64;

pub(crate) fn each(set: Cells) -> impl Iterator<Item = u8> {
    cells(set as u64).chain(cells((set >> HALF) as u64).map(|cell| cell + HALF as u8))
}

/// Draws a uniformly random cell of a set. Always inlined, because every move of a Hex playout
/// draws a cell.
#[inline(always)]
pub(crate) fn random(set: Cells, rng: &mut Rng) -> Option<u8> {
    let (low, high) = (set as u64, (set >> HALF) as u64);
    // Small boards lie in the low half.
    if high == 0 {
        return random_cell(low, rng);
    }
    // Choose a half in proportion to its cells, then a cell of that half.
    match rng.below(set.count_ones()) < low.count_ones() {
        true => random_cell(low, rng),
        false => random_cell(high, rng).map(|cell| cell + HALF as u8),
    }
}

#[inline]
pub(crate) fn words([x, o]: [Cells; 2]) -> [u64; 4] {
    [x as u64, (x >> HALF) as u64, o as u64, (o >> HALF) as u64]
}
