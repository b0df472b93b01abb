//! The scores of Pig.

use super::shape::{Board, Cell, Written, column_name};

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let mut words = written.position.split_whitespace();
    let scores: Vec<&str> = words.next()?.split('/').collect();
    let (mover, total) = (words.next()?, words.next()?);
    let cells = scores.iter().enumerate().map(|(player, score)| Cell {
        name: column_name(player).to_uppercase(),
        x: 2.0 * player as f64 + 1.0,
        y: 0.5,
        kind: "score",
        text: Some((*score).to_string()),
        ..Cell::default()
    });
    let mut notes = vec![format!("{mover} has {total} so far in this turn")];
    for word in words {
        notes.push(match word.strip_prefix('t') {
            Some(turns) => format!("turns played: {turns}"),
            None => "the die is rolled next".to_string(),
        });
    }
    Some(Board {
        shape: "scores",
        columns: 2.0 * scores.len() as f64,
        rows: 1.0,
        cells: cells.collect(),
        notes,
        ..Board::default()
    })
}
