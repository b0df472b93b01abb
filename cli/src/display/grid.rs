//! Formats tables. If a terminal is too narrow for a table, the columns of the highest ranks are
//! left out, and a line below the table names them.

use super::screen::{columns, of_output, wrap};
use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::fmt::Write;

const BOLD: Style = Style::new().bold();

/// A column with its name, alignment and rank. The columns of the highest rank are left out first;
/// columns of rank 0 are always shown.
#[derive(Clone, Debug)]
pub struct Column<'n> {
    name: &'n str,
    side: CellAlignment,
    rank: u8,
}

pub fn left(name: &str, rank: u8) -> Column<'_> {
    Column { name, side: CellAlignment::Left, rank }
}

pub fn right(name: &str, rank: u8) -> Column<'_> {
    Column { name, side: CellAlignment::Right, rank }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableStyle {
    Plain,
    Markdown,
}

/// Formats a table for standard output. Without rows, the text is empty.
pub fn grid(header: &[Column<'_>], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut rows = rows.into_iter().peekable();
    if rows.peek().is_none() {
        return String::new();
    }
    Grid::new(header, rows, TableStyle::Plain, of_output()).text()
}

pub fn markdown(header: &[Column<'_>], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    Grid::new(header, rows, TableStyle::Markdown, of_output()).text()
}

pub(crate) struct Grid {
    lines: Vec<String>,
    left_out: Vec<String>,
    look: TableStyle,
    width: Option<usize>,
}

impl Grid {
    /// Lays out a table for a screen of `width` columns.
    pub(crate) fn new(
        header: &[Column<'_>],
        rows: impl IntoIterator<Item = Vec<String>>,
        look: TableStyle,
        width: Option<usize>,
    ) -> Grid {
        let rows: Vec<Vec<String>> = rows.into_iter().collect();
        let wide: Vec<usize> = (0..header.len())
            .map(|number| {
                let cells = rows.iter().filter_map(|row| row.get(number));
                cells.map(|cell| columns(cell)).fold(columns(header[number].name), usize::max)
            })
            .collect();
        let shown = fitting(header, &wide, look, width);
        let mut table = Table::new();
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.load_style(match look {
            TableStyle::Plain => presets::NOTHING,
            TableStyle::Markdown => presets::ASCII_MARKDOWN,
        });
        table.set_header(shown.iter().map(|&number| header[number].name));
        for (place, &number) in shown.iter().enumerate() {
            if let Some(column) = table.column_mut(place) {
                column.set_cell_alignment(header[number].side);
            }
        }
        table.add_rows(rows.iter().map(|row| {
            shown
                .iter()
                .map(|&number| row.get(number).map_or("", String::as_str))
                .collect::<Vec<_>>()
        }));
        let names = (0..header.len()).filter(|number| !shown.contains(number));
        let names = names.map(|number| header[number].name.to_string());
        let left_out = names.filter(|name| !name.is_empty()).collect();
        let lines = table.lines().map(|line| line.trim_end().to_string()).collect();
        Grid { lines, left_out, look, width }
    }

    /// Formats the table with a bold header and a style for each row; Markdown has no styles.
    pub(crate) fn styled(&self, style_of: impl Fn(usize) -> Style) -> String {
        let mut text = String::new();
        for (number, line) in self.lines.iter().enumerate() {
            let style = match self.look {
                TableStyle::Plain => number.checked_sub(1).map_or(BOLD, &style_of),
                TableStyle::Markdown => Style::new(),
            };
            let _ = writeln!(text, "{style}{line}{style:#}");
        }
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            text.push_str(&wrap(
                &format!(" columns hidden (narrow terminal): {names}\n"),
                self.width,
            ));
        }
        text
    }

    pub(crate) fn text(&self) -> String {
        self.styled(|_| Style::new())
    }
}

/// Returns the columns that fit; columns of the same rank are shown or left out together.
fn fitting(
    header: &[Column<'_>],
    wide: &[usize],
    look: TableStyle,
    width: Option<usize>,
) -> Vec<usize> {
    let (room, edge) = match look {
        // A cell has a space on both sides; the last space of a row is omitted.
        TableStyle::Plain => (2, 0),
        // A cell has a space on both sides and a line before it; a line ends the row.
        TableStyle::Markdown => (3, 1),
    };
    let most = header.iter().map(|column| column.rank).max().unwrap_or(0);
    let of = |rank: u8| (0..header.len()).filter(move |&number| header[number].rank <= rank);
    let fits = |rank: &u8| {
        let taken: usize = of(*rank).map(|number| wide[number] + room).sum();
        width.is_none_or(|width| (taken + edge).saturating_sub(usize::from(edge == 0)) <= width)
    };
    of((0..=most).rev().find(fits).unwrap_or(0)).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Checks that a table is never wider than the terminal, unless its rank-0 columns are, and
    /// that no cell is cut.
    pub(crate) fn check(header: &[Column<'_>], rows: &[Vec<String>], look: TableStyle) {
        let least = columns(&Grid::new(header, rows.to_vec(), look, Some(1)).lines[0]);
        for width in 20..=200 {
            let grid = Grid::new(header, rows.to_vec(), look, Some(width));
            let text = grid.text();
            let widest = text.lines().map(columns).max().unwrap_or(0);
            assert!(widest <= width.max(least + 1), "{width}: {widest}\n{text}");
            for (number, column) in header.iter().enumerate().filter(|(_, c)| !c.name.is_empty()) {
                let out = grid.left_out.iter().any(|name| name == column.name);
                assert!(out || grid.lines[0].contains(column.name), "{width}: {}", column.name);
                let whole = |row: &Vec<String>| {
                    row.get(number).is_none_or(|cell| text.contains(cell.as_str()))
                };
                assert!(out || rows.iter().all(whole), "{width}: {}", column.name);
            }
        }
        let all = Grid::new(header, rows.to_vec(), look, None);
        assert_eq!(all.left_out, [""; 0]);
    }

    #[test]
    fn the_greatest_rank_goes_first() {
        let header = [left("game", 0), right("nodes", 2), right("time", 1)];
        let rows = vec![vec!["othello".into(), "1234".into(), "1.2 s".into()]];
        for (look, at) in [(TableStyle::Plain, 22), (TableStyle::Markdown, 27)] {
            let names = |width| Grid::new(&header, rows.clone(), look, Some(width)).left_out;
            assert_eq!(names(at), [""; 0], "{look:?}");
            assert_eq!(names(at - 1), ["nodes"]);
            assert_eq!(names(8), ["nodes", "time"]);
            check(&header, &rows, look);
        }
        let narrow = Grid::new(&header, rows, TableStyle::Plain, Some(21)).text();
        assert!(
            narrow.ends_with("\n othello  1.2 s\n columns hidden\n(narrow terminal):\nnodes\n"),
            "{narrow:?}"
        );
    }
}
