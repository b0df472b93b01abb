//! Tests of Hex, Atari Go and NoGo.

mod capture_go;
mod capture_go_text;
mod hex;
mod hex_must_play;
mod hex_positions;
mod hex_text;

use std::collections::BTreeSet;

/// A cell as (column, row), both counted from 0 at the top left.
type Cell = (usize, usize);

/// A board as its text shows it: rows of characters and the side to move.
struct Board {
    rows: Vec<Vec<char>>,
    side: char,
}

impl Board {
    fn read(text: &str) -> Board {
        let (rows, side) = text.split_once(' ').expect("a side follows the board");
        let rows = rows.split('/').map(|row| row.chars().collect()).collect();
        Board { rows, side: side.chars().next().expect("a side") }
    }

    fn at(&self, (column, row): Cell) -> char {
        self.rows[row][column]
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)))
    }

    fn other(&self) -> char {
        if self.side == 'X' { 'O' } else { 'X' }
    }

    fn neighbours(&self, (column, row): Cell, steps: &[(isize, isize)]) -> Vec<Cell> {
        let (width, height) = (self.rows[0].len(), self.rows.len());
        steps
            .iter()
            .filter_map(|&(right, down)| {
                Some((column.checked_add_signed(right)?, row.checked_add_signed(down)?))
            })
            .filter(|&(column, row)| column < width && row < height)
            .collect()
    }

    /// Returns the cells of the same kind as `start` that are connected to it by `steps`.
    fn group(&self, start: Cell, steps: &[(isize, isize)]) -> BTreeSet<Cell> {
        let mut group = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(cell) = open.pop() {
            for next in self.neighbours(cell, steps) {
                if self.at(next) == self.at(start) && group.insert(next) {
                    open.push(next);
                }
            }
        }
        group
    }
}
