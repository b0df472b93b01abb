//! Positions and moves of Breakthrough and Knightthrough as text.

use super::{Move, Piece, State, Stuck, Through};
use crate::bits::cells;
use crate::text::{
    Edge, cell_name, column_name, draw_board, is_pass, legal_move, parse_step, read_fen, write_fen,
};
use proofwood_game::TextError;

const SIDES: [&str; 2] = ["white", "black"];
pub(super) const NAMES: [&str; 2] = ["White", "Black"];

impl Through {
    fn cell_name(&self, cell: u8) -> String {
        cell_name(usize::from(cell) % self.width, usize::from(cell) / self.width)
    }

    fn cell(&self, (column, row): (usize, usize)) -> Option<u8> {
        (column < self.width && row < self.height).then(|| (row * self.width + column) as u8)
    }

    fn letters(&self) -> [char; 2] {
        match self.piece {
            Piece::Pawn => ['P', 'p'],
            Piece::Knight => ['N', 'n'],
        }
    }

    fn letter(&self, state: &State, column: usize, row: usize) -> Option<char> {
        let cell = row * self.width + column;
        let side = state.pieces.iter().position(|pieces| pieces >> cell & 1 == 1);
        side.map(|side| self.letters()[side])
    }
}

pub(super) fn move_text(game: &Through, mv: Move) -> String {
    match mv {
        Move::Step { from, to } => game.cell_name(from) + &game.cell_name(to),
        Move::Pass => "pass".to_string(),
    }
}

pub(super) fn parse_move(game: &Through, state: &State, text: &str) -> Result<Move, TextError> {
    let step = || {
        let step = parse_step(text).filter(|step| step.suffix.is_empty())?;
        Some(Move::Step { from: game.cell(step.from)?, to: game.cell(step.to)? })
    };
    let wanted = if is_pass(text) { Some(Move::Pass) } else { step() };
    legal_move(game, state, text, wanted)
}

pub(super) fn write(game: &Through, state: &State) -> String {
    let rows = write_fen(game.width, game.height, |column, row| game.letter(state, column, row));
    format!("{rows} {}", ['w', 'b'][usize::from(state.side)])
}

pub(super) fn draw(game: &Through, state: &State) -> String {
    let rows: Vec<String> = (1..=game.height).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..game.width).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        game.letter(state, column, game.height - 1 - row).unwrap_or('.')
    })
}

pub(super) fn read(game: &Through, text: &str) -> Result<State, TextError> {
    let letters = game.letters();
    let legend = format!("{} for white's or {} for black's", letters[0], letters[1]);
    let (board, rest) = read_fen(text, game.width, game.height, &legend, |c, promoted| {
        letters.iter().position(|&letter| letter == c && !promoted)
    })?;
    let mut pieces = [0u64; 2];
    for (cell, piece) in board.iter().enumerate() {
        if let &Some(side) = piece {
            let side: usize = side;
            pieces[side] |= 1 << cell;
        }
    }
    let side = side(rest)?;
    check(game, pieces, side)?;
    Ok(game.position(pieces, side))
}

/// Reads the side to move; the FEN fields that have no meaning here may follow.
fn side(rest: &str) -> Result<usize, TextError> {
    let mut words = rest.split_whitespace();
    let word = words.next().unwrap_or_default();
    let side = match word.to_ascii_lowercase().as_str() {
        "w" | "white" => 0,
        "b" | "black" => 1,
        "" => {
            return Err(TextError::new("the side to move is missing; add w or b after the rows"));
        }
        _ => {
            return Err(TextError::new(format!(
                "'{word}' is not a side; expected w or b after the rows"
            )));
        }
    };
    let field = |word: &str| word == "-" || word.bytes().all(|b| b.is_ascii_digit());
    match words.enumerate().find(|&(at, word)| at >= 4 || !field(word)) {
        None => Ok(side),
        Some((_, word)) => Err(TextError::new(format!(
            "unexpected '{word}' after the side to move; only the rest of a FEN, '- - 0 1', may \
             follow"
        ))),
    }
}

fn check(game: &Through, pieces: [u64; 2], side: usize) -> Result<(), TextError> {
    let most = game.width * game.rows;
    for (name, set) in SIDES.iter().zip(pieces) {
        let count = set.count_ones();
        if count as usize > most {
            return Err(TextError::new(format!(
                "{name} has {count} pieces, but starts with {most}"
            )));
        }
    }
    let (own, other) = (SIDES[side], SIDES[1 - side]);
    let [won, lost] = [side, 1 - side].map(|side| pieces[side] & game.goals[side]);
    if let Some(cell) = cells(won).next() {
        return Err(TextError::new(format!(
            "{own} has won with the piece on {}, so {other} must be to move",
            game.cell_name(cell),
        )));
    }
    if lost.count_ones() > 1 {
        return Err(TextError::new(format!(
            "{other} has {} pieces on its far row, but the first to get there ends the game",
            lost.count_ones(),
        )));
    }
    if pieces == [0; 2] {
        return Err(TextError::new(
            "neither side has any pieces, but one side must have some left",
        ));
    }
    if pieces[1 - side] == 0 && game.stuck == Stuck::Loses {
        return Err(TextError::new(format!(
            "{other} has no pieces left and has lost, so it must be the side to move"
        )));
    }
    Ok(())
}
