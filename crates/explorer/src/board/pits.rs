//! Two rows of pits with seeds, and the seeds that each side has captured.

use super::shape::{Board, Cell, Label, Written, column_name};

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let lines: Vec<Vec<&str>> =
        written.drawing.lines().map(|line| line.split_whitespace().collect()).collect();
    let row = |name: &str| {
        let found = lines.iter().find(|words| words.first() == Some(&name));
        found.map(|words| words[1..].to_vec())
    };
    let captured = |side: &str| {
        lines
            .iter()
            .find(|words| words.first() == Some(&side))
            .and_then(|words| words.last().copied())
    };
    let rows = [("2", row("2")?), ("1", row("1")?)];
    let width = rows[0].1.len();
    let mut cells = vec![];
    for (down, (name, seeds)) in rows.iter().enumerate() {
        for (column, seeds) in seeds.iter().enumerate() {
            cells.push(Cell {
                name: format!("{}{name}", column_name(column)),
                x: column as f64 + 1.5,
                y: down as f64 + 0.5,
                kind: "pit",
                text: Some((*seeds).to_string()),
                ..Cell::default()
            });
        }
    }
    for (side, x) in [("North", 0.5), ("South", width as f64 + 1.5)] {
        cells.push(Cell {
            name: side.to_string(),
            x,
            y: 1.0,
            kind: "store",
            text: Some(captured(side)?.to_string()),
            ..Cell::default()
        });
    }
    let labels = (0..width).map(|column| Label {
        x: column as f64 + 1.5,
        y: 2.2,
        text: column_name(column),
    });
    Some(Board {
        shape: "pits",
        columns: width as f64 + 2.0,
        rows: 2.0,
        cells,
        labels: labels.collect(),
        notes: vec!["North has the upper row, and South has the lower one".to_string()],
        ..Board::default()
    })
}
