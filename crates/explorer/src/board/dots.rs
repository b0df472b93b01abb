//! Dots, the lines between them, and the boxes that four lines enclose.

use super::shape::{Board, Cell, Label, Written, column_name};

pub(super) fn board(written: &Written<'_>) -> Option<Board> {
    let mut words = written.position.split_whitespace();
    let rows: Vec<Vec<char>> = words.next()?.split('/').map(|row| row.chars().collect()).collect();
    let [width, height] = [rows.first()?.len(), rows.len() / 2];
    // Dots are counted from the left and from the top.
    let dot = |column: usize, down: usize| format!("{}{}", column_name(column), height + 1 - down);
    let drawn = |row: usize, place: usize| {
        rows.get(row).and_then(|row| row.get(place)).is_some_and(|&sign| sign != '.')
    };
    let middle = |half: usize| half as f64 / 2.0 + 0.5;
    let place = |name, x: usize, y: usize, kind, piece: Option<&str>| Cell {
        name,
        x: middle(x),
        y: middle(y),
        kind,
        piece: piece.map(str::to_string),
        ..Cell::default()
    };
    let mut cells = vec![];
    for y in 0..=2 * height {
        for x in 0..=2 * width {
            let (column, down) = (x / 2, y / 2);
            cells.push(match (x % 2, y % 2) {
                (0, 0) => place(dot(column, down), x, y, "dot", None),
                (1, 0) => {
                    let name = dot(column, down) + &dot(column + 1, down);
                    place(name, x, y, "edge-lying", drawn(y, column).then_some("line"))
                }
                (0, _) => {
                    let name = dot(column, down + 1) + &dot(column, down);
                    place(name, x, y, "edge-upright", drawn(y, column).then_some("line"))
                }
                _ => {
                    let around = [(y - 1, column), (y + 1, column), (y, column), (y, column + 1)];
                    let taken = around.iter().all(|&(row, place)| drawn(row, place));
                    let name = format!("box {}", dot(column, down + 1));
                    place(name, x, y, "box", taken.then_some("box"))
                }
            });
        }
    }
    let columns = (0..=width).map(|column| Label {
        x: column as f64 + 0.5,
        y: height as f64 + 1.2,
        text: column_name(column),
    });
    let numbers = (0..=height).map(|down| Label {
        x: -0.2,
        y: down as f64 + 0.5,
        text: (height + 1 - down).to_string(),
    });
    let boxes = words.next().and_then(|word| word.split_once('-'));
    Some(Board {
        shape: "dots",
        columns: width as f64 + 1.0,
        rows: height as f64 + 1.0,
        cells,
        labels: columns.chain(numbers).collect(),
        sides: vec!["first", "second"],
        notes: boxes.map(|(a, b)| format!("boxes: A {a}, B {b}")).into_iter().collect(),
        ..Board::default()
    })
}
