//! Tests of games whose positions split into independent parts: Clobber, Domineering, and Dots and
//! Boxes.

mod clobber;
mod domineering;
mod dots_and_boxes;

use crate::data::csv_rows;

/// Reads the rows of a game from the table of small boards: height, width and value.
fn small_boards(game: &str) -> Vec<(usize, usize, String)> {
    let rows = csv_rows("small_boards/computed_values.csv").into_iter();
    rows.filter(|row| row[0] == game)
        .map(|row| {
            let board = row[1].replace("rows", "").replace("cols", "").replace("boxes", "");
            let (height, width) = board.split_once('x').expect("a size");
            let number = |text: &str| text.trim().parse().expect("a number");
            (number(height), number(width), row[3].clone())
        })
        .collect()
}
