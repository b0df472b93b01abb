//! The star-shaped board of Chinese Checkers.

use super::shape::{Board, Cell, Written, column_name, rounded};

/// The vertical distance between rows.
const DOWN: f64 = 0.866;
/// The letters of the players' pieces in the drawing.
const PLAYERS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
/// The column where a row's cells begin in the drawing, after its number.
const MARGIN: usize = 3;

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let (mut cells, mut notes, mut row) = (vec![], vec![], 0);
    for line in written.drawing.lines() {
        let Ok(number) = line.trim_start().split(' ').next()?.parse::<usize>() else {
            notes.push(line.to_string());
            continue;
        };
        let signs = line.char_indices().skip(MARGIN).filter(|(_, sign)| !sign.is_whitespace());
        for (place, (at, sign)) in signs.enumerate() {
            // A small letter is the name of an empty cell.
            let piece = match sign.is_ascii_uppercase() {
                true => sign.to_ascii_lowercase().to_string(),
                false => String::new(),
            };
            cells.push(Cell {
                name: format!("{}{number}", column_name(place)),
                x: (at - MARGIN) as f64 / 2.0 + 0.5,
                y: rounded(f64::from(row) * DOWN + 0.5),
                kind: "hole",
                piece: PLAYERS.contains(&&*piece).then_some(piece),
                ..Cell::default()
            });
        }
        row += 1;
    }
    let columns = cells.iter().map(|cell| cell.x + 0.5).fold(0.0, f64::max);
    Some(Board {
        shape: "star",
        columns,
        rows: rounded(f64::from(row - 1) * DOWN + 1.0),
        cells,
        sides: PLAYERS.to_vec(),
        notes,
        ..Board::default()
    })
}
