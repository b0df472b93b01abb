//! Positions and moves of Lines of Action as text.

use super::{LinesOfAction, Move, State, connected};
use crate::text::{
    Edge, cell_name, column_name, draw_board, is_pass, legal_move, parse_step, read_fen, write_fen,
};
use proofwood_game::TextError;

pub(super) const LETTERS: [char; 2] = ['x', 'o'];
const LEGEND: &str = "x or o";

pub(super) fn move_text(mv: Move) -> String {
    let name = |cell: u8| cell_name(usize::from(cell) % 8, usize::from(cell) / 8);
    match mv {
        Move::Step { from, to } => name(from) + &name(to),
        Move::Pass => "pass".to_string(),
    }
}

pub(super) fn parse_move(
    game: &LinesOfAction,
    state: &State,
    text: &str,
) -> Result<Move, TextError> {
    let cell =
        |(column, row): (usize, usize)| (column < 8 && row < 8).then(|| (row * 8 + column) as u8);
    let step = || {
        let step = parse_step(text).filter(|step| step.suffix.is_empty())?;
        Some(Move::Step { from: cell(step.from)?, to: cell(step.to)? })
    };
    let wanted = if is_pass(text) { Some(Move::Pass) } else { step() };
    legal_move(game, state, text, wanted)
}

fn letter(state: &State, column: usize, row: usize) -> Option<char> {
    let side = state.pieces.iter().position(|pieces| pieces >> (row * 8 + column) & 1 == 1);
    side.map(|side| LETTERS[side])
}

pub(super) fn write(game: &LinesOfAction, state: &State) -> String {
    let rows = write_fen(game.size, game.size, |column, row| letter(state, column, row));
    format!("{rows} {}", LETTERS[usize::from(state.side)])
}

pub(super) fn draw(game: &LinesOfAction, state: &State) -> String {
    let rows: Vec<String> = (1..=game.size).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..game.size).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        letter(state, column, game.size - 1 - row).map_or('.', |letter| letter.to_ascii_uppercase())
    })
}

pub(super) fn read(game: &LinesOfAction, text: &str) -> Result<State, TextError> {
    let (board, rest) = read_fen(text, game.size, game.size, LEGEND, |c, promoted| {
        side(&c.to_string()).filter(|_| !promoted)
    })?;
    let mut pieces = [0u64; 2];
    for (at, piece) in board.iter().enumerate() {
        if let &Some(side) = piece {
            pieces[side] |= 1 << (at / game.size * 8 + at % game.size);
        }
    }
    let side = match side(rest) {
        Some(side) => side,
        None if rest.is_empty() => {
            return Err(TextError::new("the side to move is missing; add x or o after the rows"));
        }
        None => {
            let what = format!("'{rest}' is not a side; expected x or o after the rows");
            return Err(TextError::new(what));
        }
    };
    check(game, pieces, side)?;
    Ok(State { pieces, side: side as u8 })
}

fn side(text: &str) -> Option<usize> {
    match text.to_ascii_lowercase().as_str() {
        "x" | "b" | "black" => Some(0),
        "o" | "w" | "white" => Some(1),
        _ => None,
    }
}

fn check(game: &LinesOfAction, pieces: [u64; 2], side: usize) -> Result<(), TextError> {
    let most = game.start_count();
    for (letter, set) in LETTERS.iter().zip(pieces) {
        let count = set.count_ones() as usize;
        if count == 0 {
            return Err(TextError::new(format!(
                "{letter} has no pieces, but the game ends before the last one is taken"
            )));
        }
        if count > most {
            return Err(TextError::new(format!(
                "{letter} has {count} pieces, but starts with {most}"
            )));
        }
    }
    if pieces[side].count_ones() as usize == most && connected(pieces[side]) {
        return Err(TextError::new(format!(
            "{} is to move, but all its {most} pieces are connected, so it has already won",
            LETTERS[side],
        )));
    }
    Ok(())
}
