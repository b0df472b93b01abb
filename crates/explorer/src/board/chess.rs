//! Boards of chess, and of races with chess pawns and knights.

use super::grid::Grid;
use super::shape::{Board, Written};

const KINDS: [(char, &str); 6] =
    [('p', "pawn"), ('n', "knight"), ('b', "bishop"), ('r', "rook"), ('q', "queen"), ('k', "king")];

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    let sides = match written.game {
        "breakthrough" => vec!["white-pawn", "black-pawn"],
        "knightthrough" => vec!["white-knight", "black-knight"],
        _ => vec!["white-king", "black-king"],
    };
    Some(Board {
        shape: "chess",
        columns: grid.columns.len() as f64,
        rows: grid.rows.len() as f64,
        cells: grid.squares("square", piece),
        labels: grid.labels(),
        sides,
        notes: notes(written.position),
        ..Board::default()
    })
}

/// Returns the piece that a letter stands for; capital letters are White's.
fn piece(text: &str) -> Option<String> {
    let letter = text.chars().next()?;
    let kind = KINDS.iter().find(|kind| kind.0 == letter.to_ascii_lowercase())?.1;
    let side = if letter.is_ascii_uppercase() { "white" } else { "black" };
    Some(format!("{side}-{kind}"))
}

/// Returns notes on facts that the board does not show: castling rights, and a pass as the last
/// move.
fn notes(position: &str) -> Vec<String> {
    let words: Vec<&str> = position.split_whitespace().collect();
    let castling = words.get(2).filter(|word| word.chars().all(|c| "KQkq".contains(c)));
    let castling = castling.map(|rights| format!("castling: {rights}"));
    let passed = words.contains(&"pass").then(|| "the last move was a pass".to_string());
    castling.into_iter().chain(passed).collect()
}
