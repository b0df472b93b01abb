//! The rhombic board of Hex.

use super::grid::Grid;
use super::shape::{Board, Label, Line, Written, rounded};

/// The radius of a cell that is one unit wide.
const RADIUS: f64 = 0.577_35;

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    let [width, height] = [grid.columns.len(), grid.rows.len()];
    let x = |column: f64, row: f64| rounded(column + row / 2.0 + 0.5);
    let y = |row: f64| rounded(row * 1.5 * RADIUS + RADIUS);
    let piece = |text: &str| ["x", "o"].into_iter().find(|p| p.eq_ignore_ascii_case(text));
    let mut cells = grid.squares("hex", |text| piece(text).map(str::to_string));
    for (at, cell) in cells.iter_mut().enumerate() {
        let [column, row] = [(at % width) as f64, (at / width) as f64];
        (cell.x, cell.y) = (x(column, row), y(row));
    }
    // Each side's border follows the corners of the outer cells.
    let corner = |column: usize, row: usize, right: f64, down: f64| {
        let [column, row] = [column as f64, row as f64];
        [rounded(x(column, row) + right / 2.0), rounded(y(row) + down * RADIUS)]
    };
    let upper = |column| [corner(column, 0, -1.0, -0.5), corner(column, 0, 0.0, -1.0)];
    let lower =
        |column| [corner(column, height - 1, 0.0, 1.0), corner(column, height - 1, 1.0, 0.5)];
    let left = |row| [corner(0, row, -1.0, -0.5), corner(0, row, -1.0, 0.5)];
    let right = |row| [corner(width - 1, row, 1.0, -0.5), corner(width - 1, row, 1.0, 0.5)];
    let border = |kind, points: Vec<[[f64; 2]; 2]>| Line { kind, points: points.concat() };
    let lines = vec![
        border("x", (0..width).map(upper).collect()),
        border("x", (0..width).map(lower).collect()),
        border("o", (0..height).map(left).collect()),
        border("o", (0..height).map(right).collect()),
    ];
    let columns = grid.columns.iter().enumerate().map(|(column, name)| Label {
        x: x(column as f64, -0.5),
        y: -0.25,
        text: (*name).to_string(),
    });
    let rows = grid.rows.iter().enumerate().map(|(row, name)| Label {
        x: rounded(x(0.0, row as f64) - 0.8),
        y: y(row as f64),
        text: (*name).to_string(),
    });
    Some(Board {
        shape: "hex",
        columns: rounded(width as f64 + (height as f64 - 1.0) / 2.0),
        rows: rounded((height as f64 - 1.0) * 1.5 * RADIUS + 2.0 * RADIUS),
        labels: columns.chain(rows).collect(),
        cells,
        lines,
        sides: vec!["x", "o"],
        ..Board::default()
    })
}
