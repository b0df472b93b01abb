//! The board of Minishogi, with the pieces in hand above and below it.

use super::grid::Grid;
use super::shape::{Board, Cell, Written};

const KINDS: [(char, &str); 6] =
    [('G', "gold"), ('P', "pawn"), ('S', "silver"), ('R', "rook"), ('B', "bishop"), ('K', "king")];

/// The distance from the top of the picture to the board, which leaves room for the pieces in hand
/// above the board.
const HAND: f64 = 1.4;

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    let [upper, lower] = grid.others[..] else { return None };
    let height = grid.rows.len() as f64;
    let mut cells = grid.squares("square", piece);
    for (cell, text) in cells.iter_mut().zip(&grid.cells) {
        cell.text = cell.piece.is_some().then(|| text.to_ascii_uppercase());
        cell.y += HAND;
    }
    let mut labels = grid.labels();
    for label in &mut labels {
        label.y += HAND;
    }
    cells.extend(hand(upper, 0.5, 'p'));
    cells.extend(hand(lower, height + 2.0 * HAND - 0.5, 'P'));
    Some(Board {
        shape: "shogi",
        columns: grid.columns.len() as f64,
        rows: height + 2.0 * HAND,
        cells,
        labels,
        sides: vec!["sente-king", "gote-king"],
        hand: written.mover,
        ..Board::default()
    })
}

/// Parses a piece: a capital letter is Sente's, and a plus precedes the letter of a promoted piece.
fn piece(text: &str) -> Option<String> {
    let (promoted, letter) = match text.strip_prefix('+') {
        Some(letter) => ("promoted-", letter.chars().next()?),
        None => ("", text.chars().next()?),
    };
    let kind = KINDS.iter().find(|kind| kind.0 == letter.to_ascii_uppercase())?.1;
    let side = if letter.is_ascii_uppercase() { "sente" } else { "gote" };
    Some(format!("{side}-{promoted}{kind}"))
}

/// Returns a cell for each kind of piece in hand. Its name is the start of a drop: `P@`, in lower
/// case for Gote. Its text is the letter of the kind, followed by the number of pieces if there are
/// several.
fn hand(line: &str, y: f64, case: char) -> Vec<Cell> {
    let letters = line.strip_prefix("in hand: ").unwrap_or("");
    let mut cells: Vec<Cell> = vec![];
    for (letter, kind) in KINDS {
        let count = letters.chars().filter(|c| c.eq_ignore_ascii_case(&letter)).count();
        if count == 0 {
            continue;
        }
        let (side, name) = match case {
            'P' => ("sente", format!("{letter}@")),
            _ => ("gote", format!("{}@", letter.to_ascii_lowercase())),
        };
        let times = if count > 1 { format!("{letter}×{count}") } else { letter.to_string() };
        cells.push(Cell {
            name,
            x: cells.len() as f64 + 0.5,
            y,
            kind: "hand",
            piece: Some(format!("{side}-{kind}")),
            text: Some(times),
            ..Cell::default()
        });
    }
    cells
}
