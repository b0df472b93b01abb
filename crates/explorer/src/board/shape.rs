//! The parts of a board.

use serde::Serialize;

/// A position as a picture. Lengths are in units of a cell, and coordinates start at the top left.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    /// The style, which determines how pieces are drawn.
    pub shape: &'static str,
    /// The width of the picture.
    pub columns: f64,
    /// The height of the picture.
    pub rows: f64,
    /// The visible and clickable places; each has a unique name.
    pub cells: Vec<Cell>,
    /// Lines that are drawn beneath the cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Names of rows and columns, outside the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// The piece that represents each player, if there is one.
    pub sides: Vec<&'static str>,
    /// Notes on parts of the position outside the board.
    pub notes: Vec<String>,
    /// The player whose pieces in hand can be dropped.
    #[serde(skip)]
    pub(super) hand: Option<usize>,
}

/// A place on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The cell's name, as it appears in moves if they name cells.
    pub name: String,
    /// The centre's horizontal coordinate.
    pub x: f64,
    /// The centre's vertical coordinate.
    pub y: f64,
    /// The style of the cell: `square`, `hex`, `point`, `pit` and the like.
    pub kind: &'static str,
    /// The piece on the cell.
    pub piece: Option<String>,
    /// Letters or a number to print on the cell.
    pub text: Option<String>,
    /// The player who placed the piece, if the moves imply it and the piece itself does not show
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<usize>,
}

/// A line that joins points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// `grid`, or the piece of the player whose border it is.
    pub kind: &'static str,
    /// The x and y of each point.
    pub points: Vec<[f64; 2]>,
}

/// The name of a row or column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// The horizontal coordinate of the centre, which is outside the board.
    pub x: f64,
    /// The vertical coordinate of the centre, which is outside the board.
    pub y: f64,
    /// The name of the row or column.
    pub text: String,
}

/// A position as the game writes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'t> {
    /// The name of the game, without options.
    pub(super) game: &'t str,
    pub(super) position: &'t str,
    pub(super) drawing: &'t str,
    pub(super) mover: Option<usize>,
}

/// Rounds a length to three decimals, which keeps the JSON short.
pub(super) fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}

/// Returns a column's name: a to z, then aa, ab and so on.
pub(super) fn column_name(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        rest => column_name(rest - 1) + &last.to_string(),
    }
}
