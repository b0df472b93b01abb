//! Boards with pieces on intersections: Go, and Surakarta with its loops.

use super::grid::Grid;
use super::shape::{Board, Cell, Line, Written, rounded};

/// The extent of Surakarta's arcs beyond the points.
const ARCS: f64 = 2.0;

pub(super) fn stones(written: &Written<'_>) -> Option<Board> {
    of_points(written, "stones", 0.0)
}

pub(super) fn surakarta(written: &Written<'_>) -> Option<Board> {
    let mut board = of_points(written, "loops", ARCS)?;
    let last = board.columns - ARCS - 0.5;
    let first = ARCS + 0.5;
    for radius in [1.0, 2.0] {
        // Each corner has arcs from the inner lines that end above or below it to those that end
        // beside it.
        for (x, y, start) in
            [(first, first, 0.0), (last, first, 90.0), (last, last, 180.0), (first, last, 270.0)]
        {
            board.lines.push(Line { kind: "grid", points: arc([x, y], radius, start) });
        }
    }
    board.labels.clear();
    Some(board)
}

fn of_points(written: &Written<'_>, shape: &'static str, margin: f64) -> Option<Board> {
    let grid = Grid::read(written.drawing)?;
    let [width, height] = [grid.columns.len() as f64, grid.rows.len() as f64];
    let piece = |text: &str| ["x", "o"].into_iter().find(|p| p.eq_ignore_ascii_case(text));
    let mut cells: Vec<Cell> = grid.squares("point", |text| piece(text).map(str::to_string));
    for cell in &mut cells {
        cell.x += margin;
        cell.y += margin;
    }
    let [left, top] = [margin + 0.5; 2];
    let [right, bottom] = [margin + width - 0.5, margin + height - 0.5];
    let lying = (0..grid.rows.len()).map(|row| top + row as f64).map(|y| [[left, y], [right, y]]);
    let upright =
        (0..grid.columns.len()).map(|column| left + column as f64).map(|x| [[x, top], [x, bottom]]);
    let lines = lying.chain(upright).map(|ends| Line { kind: "grid", points: ends.to_vec() });
    Some(Board {
        shape,
        columns: width + 2.0 * margin,
        rows: height + 2.0 * margin,
        cells,
        lines: lines.collect(),
        labels: grid.labels(),
        sides: vec!["x", "o"],
        notes: notes(written),
        ..Board::default()
    })
}

/// Returns three quarters of a circle, from `start` degrees backwards. The missing quarter lies
/// within the board.
fn arc([x, y]: [f64; 2], radius: f64, start: f64) -> Vec<[f64; 2]> {
    const STEPS: u32 = 18;
    let point = |step: u32| {
        let angle = (start - 270.0 * f64::from(step) / f64::from(STEPS)).to_radians();
        [rounded(x + radius * angle.cos()), rounded(y + radius * angle.sin())]
    };
    (0..=STEPS).map(point).collect()
}

/// Returns notes on Surakarta's count of moves without a capture, or on a vote to end the game.
fn notes(written: &Written<'_>) -> Vec<String> {
    if written.game != "surakarta" {
        return vec![];
    }
    match written.position.split_whitespace().nth(2) {
        Some("vote") => vec!["the other side proposes to end the game".to_string()],
        Some(count) if count.parse().is_ok_and(|count: i32| count > 0) => {
            vec![format!("moves without a capture: {count}")]
        }
        _ => vec![],
    }
}
