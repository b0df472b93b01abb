//! Clickable pictures of boards.
//!
//! A [`Board`] is made from a game's text and drawing of a position, without the rules. It
//! therefore needs neither the game's type nor its tables. A game without a picture here is shown
//! as the lines of its drawing.

mod chess;
mod clicks;
mod dots;
mod grid;
mod hex;
mod owners;
mod pits;
mod points;
mod scores;
mod shape;
mod shogi;
mod squares;
mod star;
#[cfg(test)]
mod tests;

pub(crate) use owners::Owners;
pub use shape::{Board, Cell, Label, Line};

use shape::Written;

impl Board {
    /// Creates the board for a position of the game with this name: `position` is the game's
    /// `state_text`, `drawing` its `board_text`, `mover` the player to move.
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

    fn of_lines(drawing: &str) -> Board {
        let notes = drawing.lines().map(str::to_string).collect();
        Board { shape: "text", notes, ..Board::default() }
    }

    /// Returns the cell with this name; `None` if there is none.
    pub fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}
