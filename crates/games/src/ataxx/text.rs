//! Ataxx positions and moves as text.

use super::{Ataxx, Move, State};
use crate::bits::cells;
use crate::text::{
    Edge, cell_name, column_name, draw_board, is_pass, legal_move, parse_cell, parse_step,
    read_fen, write_fen,
};
use proofwood_game::TextError;

pub(super) const PIECES: [char; 2] = ['x', 'o'];
const LEGEND: &str = "x for the first player or o for the second";

pub(super) fn move_text(game: &Ataxx, mv: Move) -> String {
    let name = |cell: u8| cell_name(usize::from(cell) % game.size, usize::from(cell) / game.size);
    match mv {
        Move::Clone(to) => name(to),
        Move::Step { from, to } => name(from) + &name(to),
        Move::Pass => "pass".to_string(),
    }
}

pub(super) fn parse_move(game: &Ataxx, state: &State, text: &str) -> Result<Move, TextError> {
    legal_move(game, state, text, wanted(game, state, text.trim()))
}

/// Parses a move without checking that it is legal.
fn wanted(game: &Ataxx, state: &State, text: &str) -> Option<Move> {
    let cell = |(column, row): (usize, usize)| {
        (column < game.size && row < game.size).then(|| (row * game.size + column) as u8)
    };
    if is_pass(text) {
        return Some(Move::Pass);
    }
    if let Some(step) = parse_step(text).filter(|step| step.suffix.is_empty()) {
        let (from, to) = (cell(step.from)?, cell(step.to)?);
        let is_clone = game.beside[usize::from(to)] & state.own & 1 << from != 0;
        let merged = is_clone && !game.origins_matter;
        return Some(if merged { Move::Clone(to) } else { Move::Step { from, to } });
    }
    let target = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@")).unwrap_or(text);
    let to = cell(parse_cell(target)?)?;
    if !game.origins_matter {
        return Some(Move::Clone(to));
    }
    // The target is unambiguous if exactly one piece is next to it.
    let mut origins = cells(game.beside[usize::from(to)] & state.own);
    let from = origins.next()?;
    origins.next().is_none().then_some(Move::Step { from, to })
}

fn symbol(game: &Ataxx, state: &State, column: usize, row: usize) -> Option<char> {
    let cell = row * game.size + column;
    let side = state.sides().iter().position(|pieces| pieces >> cell & 1 == 1)?;
    Some(PIECES[side])
}

pub(super) fn write(game: &Ataxx, state: &State) -> String {
    let piece = |column, row| symbol(game, state, column, row).map(String::from);
    let side = PIECES[usize::from(state.side)];
    format!("{} {side}", write_fen(game.size, game.size, piece))
}

pub(super) fn draw(game: &Ataxx, state: &State) -> String {
    let rows: Vec<String> = (1..=game.size).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..game.size).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        symbol(game, state, column, game.size - 1 - row).unwrap_or('.')
    })
}

pub(super) fn read(game: &Ataxx, text: &str) -> Result<State, TextError> {
    // Other programs write `-` for a blocked cell, but `read_fen` would accept it as an empty cell.
    if text.split_whitespace().next().is_some_and(|board| board.contains('-')) {
        return Err(TextError::new(
            "blocked cells ('-') are not supported; write an empty cell as '.' or as part of a \
             number",
        ));
    }
    let (cells, rest) =
        read_fen(text, game.size, game.size, LEGEND, |letter, promoted| match letter {
            _ if promoted => None,
            'x' | 'X' | 'P' => Some(0),
            'o' | 'O' | 'p' => Some(1),
            _ => None,
        })?;
    let mut sides = [0u64; 2];
    for (at, cell) in cells.into_iter().enumerate() {
        if let Some(side) = cell {
            let side: usize = side;
            sides[side] |= 1 << at;
        }
    }
    let pieces = (sides[0] | sides[1]).count_ones();
    if pieces < 4 {
        return Err(TextError::new(format!(
            "the board has {pieces} {}; the game starts with 4, and pieces never leave the board",
            if pieces == 1 { "piece" } else { "pieces" },
        )));
    }
    let mut words = rest.split_whitespace();
    let side = match words.next() {
        Some("x" | "X" | "w" | "W" | "P") => 0,
        Some("o" | "O" | "b" | "B" | "p") => 1,
        Some(word) => {
            let what = format!("'{word}' is not a side; expected x or o after the board");
            return Err(TextError::new(what));
        }
        None => {
            return Err(TextError::new("the side to move is missing; add x or o after the board"));
        }
    };
    if let Some(word) = words.find(|word| *word != "-" && word.parse::<u32>().is_err()) {
        let what = format!("unexpected '{word}' after the side to move");
        return Err(TextError::new(what));
    }
    Ok(game.position(sides[side], sides[1 - side], side as u8))
}
