//! Parses drawings of rows and columns.

use super::shape::{Cell, Label, column_name};

/// The cells of a drawing, with the names of its rows and columns.
pub(super) struct Grid<'t> {
    /// The names of the columns, from the left.
    pub(super) columns: Vec<&'t str>,
    /// The names of the rows, from the top; empty if the drawing has none.
    pub(super) rows: Vec<&'t str>,
    /// The text of each cell, row by row from the top.
    pub(super) cells: Vec<&'t str>,
    /// The lines before and after the board.
    pub(super) others: Vec<&'t str>,
    /// Whether the columns' names are above the board.
    names_above: bool,
}

impl<'t> Grid<'t> {
    /// Parses a drawing; `None` if it has no rows and columns.
    pub(super) fn read(drawing: &'t str) -> Option<Grid<'t>> {
        let lines: Vec<Vec<&str>> =
            drawing.lines().map(|l| l.split_whitespace().collect()).collect();
        let header = lines.iter().position(|words| names_columns(words))?;
        let columns = lines[header].clone();
        let width = columns.len();
        let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        let named = |words: &[&str]| words.len() == width + 1 && is_number(words[0]);
        let bare = |words: &[&str]| words.len() == width;
        let has_names = lines.iter().any(|words| named(words));
        let (mut rows, mut cells, mut others) = (vec![], vec![], vec![]);
        let mut first_row = lines.len();
        for (number, (words, text)) in lines.iter().zip(drawing.lines()).enumerate() {
            if number == header {
                continue;
            }
            if has_names && named(words) {
                rows.push(words[0]);
                cells.extend_from_slice(&words[1..]);
            } else if !has_names && bare(words) {
                rows.push("");
                cells.extend_from_slice(words);
            } else {
                others.push(text.trim());
                continue;
            }
            first_row = first_row.min(number);
        }
        (!rows.is_empty()).then_some(Grid {
            columns,
            rows,
            cells,
            others,
            names_above: header < first_row,
        })
    }

    /// Returns the name that moves use for the cell at a column and a row, counted from the top. If
    /// the rows have no names, the drawing only numbers its columns, so the name is composed of a
    /// column letter and a row number.
    pub(super) fn name(&self, column: usize, row: usize) -> String {
        match self.rows[row] {
            "" => format!("{}{}", column_name(column), self.rows.len() - row),
            name => format!("{}{name}", self.columns[column]),
        }
    }

    /// Returns all cells, each one unit wide; `piece` returns the piece that a cell's text stands
    /// for.
    pub(super) fn squares(
        &self,
        kind: &'static str,
        piece: impl Fn(&str) -> Option<String>,
    ) -> Vec<Cell> {
        let width = self.columns.len();
        let cells = self.cells.iter().enumerate().map(|(at, text)| Cell {
            name: self.name(at % width, at / width),
            x: (at % width) as f64 + 0.5,
            y: (at / width) as f64 + 0.5,
            kind,
            piece: piece(text),
            ..Cell::default()
        });
        cells.collect()
    }

    /// Returns the labels beside a board of squares: the names of its rows and columns.
    pub(super) fn labels(&self) -> Vec<Label> {
        let y = if self.names_above { -0.3 } else { self.rows.len() as f64 + 0.3 };
        let column =
            |(at, name): (usize, &&str)| Label { x: at as f64 + 0.5, y, text: (*name).to_string() };
        let row = |(at, name): (usize, &&str)| Label {
            x: -0.3,
            y: at as f64 + 0.5,
            text: (*name).to_string(),
        };
        let rows = self.rows.iter().enumerate().filter(|(_, name)| !name.is_empty());
        self.columns.iter().enumerate().map(column).chain(rows.map(row)).collect()
    }
}

/// Returns whether these words are the names of columns: a, b, c or 1, 2, 3 and so on.
fn names_columns(words: &[&str]) -> bool {
    let letters = || words.iter().enumerate().all(|(at, word)| *word == column_name(at));
    let numbers = || words.iter().enumerate().all(|(at, word)| *word == (at + 1).to_string());
    !words.is_empty() && (letters() || numbers())
}
