//! Surakarta positions and moves as text.

use super::{Move, PATIENCE, PIECES, Phase, SIZE, State, Surakarta};
use crate::text::{
    Edge, cell_name, column_name, draw_board, is_pass, legal_move, parse_step, read_fen, write_fen,
};
use proofwood_game::{Game, TextError};

pub(super) const LETTERS: [char; 2] = ['x', 'o'];
const LEGEND: &str = "x for the first player or o for the second";
const WORDS: [(Move, &str); 4] =
    [(Move::Pass, "pass"), (Move::Propose, "propose"), (Move::End, "end"), (Move::No, "no")];

pub(super) fn move_text(mv: Move) -> String {
    let name = |point: u8| cell_name(usize::from(point) % SIZE, usize::from(point) / SIZE);
    match mv {
        Move::Step { from, to } => name(from) + &name(to),
        _ => WORDS.iter().find(|word| word.0 == mv).expect("a word").1.to_string(),
    }
}

pub(super) fn parse_move(game: &Surakarta, state: &State, text: &str) -> Result<Move, TextError> {
    legal_move(game, state, text, wanted(text.trim()))
}

/// Parses a move without checking that it is legal.
fn wanted(text: &str) -> Option<Move> {
    if is_pass(text) {
        return Some(Move::Pass);
    }
    if let Some((mv, _)) = WORDS.iter().find(|word| word.1.eq_ignore_ascii_case(text)) {
        return Some(*mv);
    }
    let point = |(column, row): (usize, usize)| {
        (column < SIZE && row < SIZE).then(|| (row * SIZE + column) as u8)
    };
    let step = parse_step(text).filter(|step| step.suffix.is_empty())?;
    Some(Move::Step { from: point(step.from)?, to: point(step.to)? })
}

fn symbol(state: &State, column: usize, row: usize) -> Option<char> {
    let point = row * SIZE + column;
    let side = state.sides().iter().position(|pieces| pieces >> point & 1 == 1)?;
    Some(LETTERS[side])
}

pub(super) fn write(state: &State) -> String {
    let board = write_fen(SIZE, SIZE, |c, r| symbol(state, c, r).map(String::from));
    let side = LETTERS[usize::from(state.side)];
    match state.phase {
        Phase::Play(count) => format!("{board} {side} {count}"),
        Phase::Vote => format!("{board} {side} vote"),
        Phase::Ended => format!("{board} {side} ended"),
    }
}

pub(super) fn draw(state: &State) -> String {
    let rows: Vec<String> = (1..=SIZE).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..SIZE).map(column_name).collect();
    draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        symbol(state, column, SIZE - 1 - row).unwrap_or('.')
    })
}

pub(super) fn read(game: &Surakarta, text: &str) -> Result<State, TextError> {
    let refuse = |what: String| Err(TextError::new(what));
    let (points, rest) =
        read_fen(text, SIZE, SIZE, LEGEND, |letter, promoted| match letter.to_ascii_lowercase() {
            _ if promoted => None,
            'x' => Some(0),
            'o' => Some(1),
            _ => None,
        })?;
    let mut sides = [0u64; 2];
    for (at, point) in points.into_iter().enumerate() {
        if let Some(side) = point {
            let side: usize = side;
            sides[side] |= 1 << at;
        }
    }
    let counts = sides.map(u64::count_ones);
    if let Some(side) = (0..2).find(|&side| counts[side] > PIECES) {
        return refuse(format!(
            "{} has {} pieces, but starts with {PIECES} and never gains any",
            LETTERS[side], counts[side],
        ));
    }
    if counts == [0, 0] {
        return refuse("the board is empty, but the winner has pieces left".to_string());
    }
    let mut words = rest.split_whitespace();
    let side = match words.next() {
        Some("x" | "X") => 0,
        Some("o" | "O") => 1,
        Some(word) => {
            return refuse(format!("'{word}' is not a side; expected x or o after the board"));
        }
        None => {
            return refuse("the side to move is missing; add x or o after the board".to_string());
        }
    };
    let start = game.initial_state();
    let starts = sides == start.sides() && side == 0;
    let phase = match words.next().map(str::to_ascii_lowercase).as_deref() {
        None => Phase::Play(if starts { -1 } else { 0 }),
        Some("vote") => Phase::Vote,
        Some("ended") => Phase::Ended,
        Some(word) => match word.parse() {
            Ok(-1) if !starts => {
                return refuse("the count can be -1 only in the start position".to_string());
            }
            Ok(count) if (-1..=PATIENCE).contains(&count) => Phase::Play(count),
            _ => {
                return refuse(format!(
                    "'{word}' is not a count of moves without a capture; \
                     expected -1 to {PATIENCE}, 'vote' or 'ended'"
                ));
            }
        },
    };
    if let Some(word) = words.next() {
        return refuse(format!("unexpected '{word}' after the count"));
    }
    if let (Some(side), Phase::Vote | Phase::Ended) =
        ((0..2).find(|&side| counts[side] == 0), phase)
    {
        return refuse(format!(
            "{} has no pieces left, so the game was over before any vote",
            LETTERS[side],
        ));
    }
    Ok(Surakarta::position(sides[side], sides[1 - side], side as u8, phase))
}
