//! Boards of squares with marks, discs, men, dominoes or numbered stones on them.

use super::grid::Grid;
use super::shape::{Board, Written};

/// Returns the word for a piece that is written as one of these signs.
fn word(signs: &[(&str, &'static str)], text: &str) -> Option<String> {
    signs.iter().find(|(sign, _)| sign.eq_ignore_ascii_case(text)).map(|(_, word)| word.to_string())
}

const X_AND_O: [(&str, &str); 2] = [("x", "x"), ("o", "o")];

/// Returns a board of squares; `signs` contains each player's sign in the drawing and the word for
/// the player's piece.
fn of_signs(
    written: &Written<'_>,
    shape: &'static str,
    signs: &[(&str, &'static str)],
) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    Some(Board {
        shape,
        columns: grid.columns.len() as f64,
        rows: grid.rows.len() as f64,
        cells: grid.squares("square", |text| word(signs, text)),
        labels: grid.labels(),
        sides: signs.iter().map(|sign| sign.1).collect(),
        notes: grid.others.iter().map(|line| (*line).to_string()).collect(),
        ..Board::default()
    })
}

/// Draws crosses, circles and two more marks.
pub(super) fn marks(written: &Written<'_>) -> Option<Board> {
    of_signs(written, "marks", &[("x", "x"), ("o", "o"), ("+", "plus"), ("#", "hash")])
}

/// Draws columns to drop stones into.
pub(super) fn drop(written: &Written<'_>) -> Option<Board> {
    of_signs(written, "drop", &X_AND_O)
}

pub(super) fn discs(written: &Written<'_>) -> Option<Board> {
    of_signs(written, "discs", &X_AND_O)
}

pub(super) fn men(written: &Written<'_>) -> Option<Board> {
    of_signs(written, "men", &X_AND_O)
}

/// Draws cells covered by dominoes; the text does not show which cells belong together.
pub(super) fn dominoes(written: &Written<'_>) -> Option<Board> {
    let board = of_signs(written, "dominoes", &[("x", "domino")])?;
    Some(Board { sides: vec!["first", "second"], ..board })
}

/// Draws stones with numbers; capital letters are White's.
pub(super) fn numbers(written: &Written<'_>) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    let letter = |text: &str| text.bytes().next().filter(u8::is_ascii_alphabetic);
    let side = |text: &str| {
        let white = letter(text)?.is_ascii_uppercase();
        Some(if white { "white" } else { "black" }.to_string())
    };
    let mut cells = grid.squares("square", side);
    for (cell, text) in cells.iter_mut().zip(&grid.cells) {
        let number = letter(text).map(|letter| letter.to_ascii_uppercase() - b'A' + 1);
        cell.text = number.map(|number| number.to_string());
    }
    Some(Board {
        shape: "numbers",
        columns: grid.columns.len() as f64,
        rows: grid.rows.len() as f64,
        cells,
        labels: grid.labels(),
        sides: vec!["white", "black"],
        notes: grid.others.iter().map(|line| die(line)).collect(),
        ..Board::default()
    })
}

/// Converts the drawing's note on the next step, such as `White: 3`, to a sentence.
fn die(line: &str) -> String {
    match line.split_once(": ") {
        Some((side, "roll")) => format!("the die is rolled for {side}"),
        Some((side, "place")) => format!("{side} places stones"),
        Some((_, "over")) => "the game is over".to_string(),
        Some((side, number)) => format!("{side} has rolled {number}"),
        None => line.to_string(),
    }
}
