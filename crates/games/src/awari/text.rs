//! Rows of pits and captured seeds as text.

use super::sowing::{Board, Seeds};
use crate::text::{cell_name, column_name, parse_cell};
use proofwood_game::TextError;

pub(crate) const SIDES: [char; 2] = ['S', 'N'];
pub(crate) const NAMES: [&str; 2] = ["South", "North"];

fn place(board: &Board, pit: usize) -> (usize, usize) {
    if pit < board.pits { (pit, 0) } else { (2 * board.pits - 1 - pit, 1) }
}

fn pit_at(board: &Board, column: usize, row: usize) -> usize {
    if row == 0 { column } else { 2 * board.pits - 1 - column }
}

pub(crate) fn pit_name(board: &Board, pit: u8) -> String {
    let (column, row) = place(board, pit.into());
    cell_name(column, row)
}

pub(crate) fn parse_pit(board: &Board, text: &str) -> Option<u8> {
    let (column, row) = parse_cell(text)?;
    (column < board.pits && row < 2).then(|| pit_at(board, column, row) as u8)
}

pub(crate) fn write(board: &Board, seeds: &Seeds, side: u8) -> String {
    let row = |row: usize| {
        let pits = (0..board.pits).map(|column| seeds.pits[pit_at(board, column, row)].to_string());
        pits.collect::<Vec<String>>().join(",")
    };
    let [first, second] = seeds.captured;
    format!("{}/{} {first}-{second} {}", row(0), row(1), SIDES[usize::from(side)])
}

pub(crate) fn draw(board: &Board, seeds: &Seeds) -> String {
    let line = |cell: &dyn Fn(usize) -> String| -> String {
        (0..board.pits).map(|column| format!("{:>3}", cell(column))).collect()
    };
    let row = |row: usize| line(&|column| seeds.pits[pit_at(board, column, row)].to_string());
    let [first, second] = seeds.captured;
    format!(
        "North has captured {second}\n2{}\n1{}\n {}\nSouth has captured {first}\n",
        row(1),
        row(0),
        line(&column_name),
    )
}

/// Reads the seeds and the side to move, and also returns the rest of the text.
pub(crate) fn read<'t>(board: &Board, text: &'t str) -> Result<(Seeds, u8, &'t str), TextError> {
    let refuse = |what: String| Err(TextError::new(what));
    let Some((lower, rest)) = text.split_once(['/', '|']) else {
        return refuse("the position has one row; expected two, separated by '/'".to_string());
    };
    let word = rest.find(|c: char| c.is_alphabetic()).unwrap_or(rest.len());
    let (upper, rest) = rest.split_at(word);
    let (lower, upper) = (numbers(lower)?, numbers(upper)?);
    let pits = board.pits;
    if lower.len() != pits {
        return refuse(format!("S's row has {} pits, but must have {pits}", lower.len()));
    }
    if upper.len() != pits && upper.len() != pits + 2 {
        return refuse(format!(
            "the '/' is followed by {} numbers; expected the {pits} pits of N, then the seeds \
             captured by S and N",
            upper.len(),
        ));
    }
    let all: usize = lower.iter().chain(&upper).map(|&seeds| usize::from(seeds)).sum();
    if all != board.total() {
        return refuse(format!(
            "there are {all} seeds, including captured ones; the game has {}",
            board.total(),
        ));
    }
    let mut seeds = Seeds { pits: [0; 12], captured: [0, 0] };
    for column in 0..pits {
        seeds.pits[pit_at(board, column, 0)] = lower[column];
        seeds.pits[pit_at(board, column, 1)] = upper[column];
    }
    if let [first, second] = upper[pits..] {
        seeds.captured = [first, second];
    }
    let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let side = match name.to_ascii_lowercase().as_str() {
        "s" | "south" => 0,
        "n" | "north" => 1,
        "" => return refuse("the side to move is missing; add S or N after the seeds".to_string()),
        _ => return refuse(format!("'{name}' is not a side; expected S or N after the seeds")),
    };
    // Every capture takes at least two seeds, so a total of 1 is impossible.
    let on_board = seeds.pits.iter().any(|&pit| pit > 0);
    if let Some(side) = (0..2).find(|&side| on_board && seeds.captured[side] == 1) {
        return refuse(format!(
            "{} cannot have captured 1 seed: a capture takes at least two",
            SIDES[side],
        ));
    }
    Ok((seeds, side, rest.trim()))
}

/// Reads the numbers of seeds in a text, separated by spaces, commas and the like.
fn numbers(text: &str) -> Result<Vec<u8>, TextError> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | ':' | '/' | '|'));
    words
        .filter(|word| !word.is_empty())
        .map(|word| {
            word.parse().map_err(|_| {
                TextError::new(format!("'{word}' is not a number of seeds; expected 0 to 255"))
            })
        })
        .collect()
}
