//! Boards as pictures are drawn from them: cells with places, pieces and texts.

use serde::Serialize;

/// A board, in units of a cell from its top left.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Board {
    /// What it is as a whole: `grid`, `hex`, `star` and the like.
    pub shape: &'static str,
    /// How wide it is.
    pub columns: f64,
    /// How high it is.
    pub rows: f64,
    /// What there is to be seen and clicked.
    pub cells: Vec<Cell>,
    /// Lines that join places: from x and y to x and y.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<[f64; 4]>,
    /// What does not lie on the board: dice, hands, scores.
    pub notes: Vec<String>,
}

/// A cell of a board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// Its name, as moves write it.
    pub name: String,
    /// Its middle, from the left.
    pub x: f64,
    /// Its middle, from the top.
    pub y: f64,
    /// What is drawn there: `square`, `hex`, `point`, `edge`, `pit`, `box`.
    pub kind: &'static str,
    /// Who stands there: `x`, `o`, `white-queen`; none where nobody does.
    pub piece: Option<String>,
    /// A number or letters to print there; empty where there are none.
    pub text: String,
}

impl Board {
    /// The board of a position of the game of this name: `position` is the game's `state_text`,
    /// `drawing` its `board_text`, `mover` the player to move.
    pub fn new(game: &str, position: &str, drawing: &str, mover: Option<usize>) -> Board {
        let _ = (game, position, mover);
        let notes = drawing.lines().map(str::to_string).collect();
        Board { shape: "text", notes, ..Board::default() }
    }

    /// The names of the cells that one clicks, in order, to play a move or to choose an outcome
    /// of chance; empty where it is no matter of cells.
    pub fn clicks(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }
}
