//! Clickable pictures of boards.
//!
//! A [`Board`] is made from a game's text and drawing of a position, and depends on no rules. So it
//! needs neither the game's type nor its tables, and a game without a picture here is shown as the
//! lines of its drawing.

mod chess;
mod clicks;
mod dots;
mod grid;
mod hex;
mod owners;
mod pits;
mod points;
mod scores;
mod shogi;
mod squares;
mod star;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub(crate) use owners::Owners;

/// A position as a picture. Lengths are in units of a cell, from the top left.
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
    /// Lines below the cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Names of rows and columns, outside the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// Each player's piece, if one represents the player.
    pub sides: Vec<&'static str>,
    /// Notes on parts of the position outside the board.
    pub notes: Vec<String>,
    /// The player from whose hand a drop comes.
    #[serde(skip)]
    hand: Option<usize>,
}

/// A place on the board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// The name, as in moves if these contain it.
    pub name: String,
    /// The centre's horizontal coordinate.
    pub x: f64,
    /// The centre's vertical coordinate.
    pub y: f64,
    /// The kind of drawing: `square`, `hex`, `point`, `pit` and the like.
    pub kind: &'static str,
    /// The piece on the cell.
    pub piece: Option<String>,
    /// Letters or a number to print on it.
    pub text: Option<String>,
    /// The player who placed the piece, if the moves imply it and the piece does not.
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
    /// The centre, outside the board.
    pub x: f64,
    /// The centre, outside the board.
    pub y: f64,
    /// The name.
    pub text: String,
}

/// A position as the game writes it.
#[derive(Clone, Copy, Debug)]
struct Written<'t> {
    /// The name of the game, without options.
    game: &'t str,
    /// `state_text`.
    position: &'t str,
    /// `board_text`.
    drawing: &'t str,
    /// The player to move.
    mover: Option<usize>,
}

impl Board {
    /// The board of a position in the game of this name: `position` is the game's `state_text`,
    /// `drawing` its `board_text`, `mover` the player to move.
    ///
    /// ```
    /// use proofwood_explorer::board::Board;
    ///
    /// let drawing = "2 . o\n1 x .\n  a b\n";
    /// let board = Board::new("mnk", ".o/x. x", drawing, Some(0));
    /// assert_eq!(board.cells[1].piece.as_deref(), Some("o"));
    /// assert_eq!(board.clicks("b1"), ["b1"]);
    /// ```
    pub fn new(game: &str, position: &str, drawing: &str, mover: Option<usize>) -> Board {
        let written = Written { game, position, drawing, mover };
        let board = match game {
            "tic-tac-toe" | "mnk" => squares::marks(&written),
            "connect-four" => squares::drop(&written),
            "othello" | "reversi" => squares::discs(&written),
            "ataxx" | "loa7" | "loa8" | "clobber" => squares::men(&written),
            "domineering" => squares::dominoes(&written),
            "ewn" => squares::numbers(&written),
            "los-alamos" | "gardner" | "reach-chess" | "skirmish" | "breakthrough"
            | "knightthrough" => chess::board(&written),
            "minishogi" => shogi::board(&written),
            "atari-go" | "nogo" => points::stones(&written),
            "surakarta" => points::surakarta(&written),
            "hex" => hex::board(&written),
            "dots-and-boxes" => dots::board(&written),
            "awari" | "oware" => pits::board(&written),
            "chinese-checkers" => star::board(&written),
            "pig" => scores::board(&written),
            _ => None,
        };
        board.unwrap_or_else(|| Board::of_lines(drawing))
    }

    /// A board without cells: the drawing's lines.
    fn of_lines(drawing: &str) -> Board {
        let notes = drawing.lines().map(str::to_string).collect();
        Board { shape: "text", notes, ..Board::default() }
    }

    /// The cell of this name.
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}

/// Rounds a length to three decimals, which are short in JSON.
fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}

/// A column's name: a to z, then aa, ab and so on.
fn column_name(column: usize) -> String {
    let last = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => last.to_string(),
        rest => column_name(rest - 1) + &last.to_string(),
    }
}
