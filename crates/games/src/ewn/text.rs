//! Positions and moves of EinStein würfelt nicht! as text.

use super::setup::{self, MOST_STONES};
use super::{Ewn, GONE, Move, Phase, Setup, State};
use crate::text::{
    Edge, cell_name, column_name, draw_board, parse_step, read_fen, read_side, write_fen,
};
use proofwood_game::{Game, TextError, Turn};

const SIDES: [&[&str]; 2] = [&["w", "white"], &["b", "black"]];
pub(super) const NAMES: [&str; 2] = ["White", "Black"];

fn cell_text(game: &Ewn, cell: u8) -> String {
    cell_name(usize::from(cell) % game.size, usize::from(cell) / game.size)
}

pub(super) fn move_text(game: &Ewn, mv: Move) -> String {
    match mv {
        Move::Place(number) => {
            let order = setup::order(game.count(), number);
            order[..game.count()].iter().map(|stone| char::from(b'1' + stone)).collect()
        }
        Move::Die(die) => die.to_string(),
        Move::Step { from, to } => cell_text(game, from) + &cell_text(game, to),
    }
}

pub(super) fn parse_move(game: &Ewn, state: &State, text: &str) -> Result<Move, TextError> {
    if game.turn(state) == Turn::Over {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    }
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let cell = |(column, row)| {
        (column < game.size && row < game.size).then(|| (row * game.size + column) as u8)
    };
    let wanted = match state.phase {
        Phase::Place => setup::number(game.count(), text).map(Move::Place),
        Phase::Roll => text.parse().ok().map(Move::Die),
        _ => parse_step(text)
            .filter(|step| step.suffix.is_empty())
            .and_then(|step| Some(Move::Step { from: cell(step.from)?, to: cell(step.to)? })),
    };
    wanted
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

fn letter(state: &State, cell: u8) -> Option<char> {
    (0..2).find_map(|side| {
        let stone = state.stones[side].iter().position(|&stone| stone == cell)?;
        Some(char::from([b'A', b'a'][side] + stone as u8))
    })
}

fn next_text(phase: Phase) -> String {
    match phase {
        Phase::Place => "place".to_string(),
        Phase::Roll => "roll".to_string(),
        Phase::Move(die) => die.to_string(),
        Phase::Over => "over".to_string(),
    }
}

pub(super) fn write(game: &Ewn, state: &State) -> String {
    let board = write_fen(game.size, game.size, |column, row| {
        letter(state, (row * game.size + column) as u8).map(String::from)
    });
    format!("{board} {} {}", SIDES[usize::from(state.side)][0], next_text(state.phase))
}

pub(super) fn draw(game: &Ewn, state: &State) -> String {
    let rows: Vec<String> = (1..=game.size).rev().map(|row| row.to_string()).collect();
    let columns: Vec<String> = (0..game.size).map(column_name).collect();
    let board = draw_board(&rows, &columns, Edge::Bottom, |column, row| {
        letter(state, ((game.size - 1 - row) * game.size + column) as u8).unwrap_or('.')
    });
    format!("{board}{}: {}\n", NAMES[usize::from(state.side)], next_text(state.phase))
}

pub(super) fn read(game: &Ewn, text: &str) -> Result<State, TextError> {
    let last = char::from(b'a' + game.count() as u8 - 1);
    let legend = format!(
        "A to {} for a white stone or a to {last} for a black one",
        last.to_ascii_uppercase()
    );
    let (board, rest) = read_fen(text, game.size, game.size, &legend, |c, promoted| {
        let stone = (c.to_ascii_lowercase() as usize).wrapping_sub('a' as usize);
        let side = usize::from(c.is_ascii_lowercase());
        (stone < game.count() && !promoted).then_some((side, stone))
    })?;
    let mut stones = [[GONE; MOST_STONES]; 2];
    for (cell, stone) in board.into_iter().enumerate() {
        let Some((side, stone)) = stone else { continue };
        let place = &mut stones[side][stone];
        if *place != GONE {
            return Err(TextError::new(format!(
                "{}'s stone {} stands on both {} and {}",
                NAMES[side],
                stone + 1,
                cell_text(game, *place),
                cell_text(game, cell as u8),
            )));
        }
        *place = cell as u8;
    }
    let mut words = rest.split_whitespace();
    let side = read_side(words.next().unwrap_or(""), SIDES)?;
    let next = words.next();
    if let Some(word) = words.next() {
        return Err(TextError::new(format!("unexpected '{word}' after the side and the die")));
    }
    check_ways(game, &stones)?;
    let (due, phase) = phase(game, &stones)?;
    if let (Some(side), Some(due)) = (side, due)
        && side != due
    {
        return Err(TextError::new(format!(
            "it cannot be {}'s turn: {}",
            NAMES[side],
            match phase {
                Phase::Over => format!("{} has won", NAMES[1 - due]),
                _ => format!("{}'s stones are not yet placed", NAMES[due]),
            },
        )));
    }
    let side = side.or(due).ok_or_else(|| {
        TextError::new("the side to move is missing; expected w or b after the board")
    })?;
    let phase = read_next(game, phase, next)?;
    Ok(State { stones, side: side as u8, phase })
}

/// The side to move, if the stones imply it, and the next phase. The stones do not show whether the
/// die has been rolled, so in the middle of a game the phase is [`Phase::Roll`].
fn phase(game: &Ewn, stones: &[[u8; MOST_STONES]; 2]) -> Result<(Option<usize>, Phase), TextError> {
    let present = |side: usize| stones[side].iter().filter(|&&stone| stone != GONE);
    let count = [0, 1].map(|side| present(side).count());
    let at_home = |side: usize| {
        count[side] == game.count() && present(side).all(|cell| game.homes[side].contains(cell))
    };
    if game.setup != Setup::Fixed && count[1] == 0 && (count[0] == 0 || at_home(0)) {
        return Ok((Some(usize::from(count[0] > 0)), Phase::Place));
    }
    let won = |side: usize| stones[side].contains(&game.goal(side));
    if won(0) && won(1) {
        return Err(TextError::new(
            "both sides have reached the far corner, but the first to get there has already won",
        ));
    }
    if count == [0, 0] {
        return Err(TextError::new("there are no stones on the board"));
    }
    match game.side_that_has_won(stones) {
        Some(side) if at_home(side) => Err(TextError::new(format!(
            "{} has no stones, but {}'s stones have not moved",
            NAMES[1 - side],
            NAMES[side],
        ))),
        Some(side) => Ok((Some(1 - side), Phase::Over)),
        None => Ok((None, Phase::Roll)),
    }
}

/// Checks that every stone could have come from an initial cell of its side.
fn check_ways(game: &Ewn, stones: &[[u8; MOST_STONES]; 2]) -> Result<(), TextError> {
    let place = |cell: u8| (usize::from(cell) % game.size, usize::from(cell) / game.size);
    for side in 0..2 {
        let comes = |home: u8, cell: u8| {
            let [(from, below), (to, above)] = match side {
                0 => [place(home), place(cell)],
                _ => [place(cell), place(home)],
            };
            to <= from && below <= above
        };
        let name = NAMES[side];
        if game.setup == Setup::Fixed {
            let start = game.initial_state().stones[side];
            let ways = start.into_iter().zip(stones[side]);
            let mut wrong = ways.filter(|&(home, cell)| cell != GONE && !comes(home, cell));
            if let Some((home, cell)) = wrong.next() {
                return Err(TextError::new(format!(
                    "{name}'s stone on {} cannot have come from its starting cell, {}",
                    cell_text(game, cell),
                    cell_text(game, home),
                )));
            }
        }
        let cells: Vec<u8> = stones[side].iter().copied().filter(|&cell| cell != GONE).collect();
        if !setup::can_come(&cells, &game.homes[side], &comes) {
            return Err(TextError::new(format!(
                "{name}'s stones cannot all have come from their corner"
            )));
        }
    }
    Ok(())
}

/// Reads the next phase and checks that it is possible; returns `phase` if there is no word.
fn read_next(game: &Ewn, phase: Phase, word: Option<&str>) -> Result<Phase, TextError> {
    let Some(word) = word else { return Ok(phase) };
    if word.eq_ignore_ascii_case(&next_text(phase)) {
        return Ok(phase);
    }
    match word.parse::<u8>() {
        Ok(die) if phase == Phase::Roll && (1..=game.count()).contains(&die.into()) => {
            Ok(Phase::Move(die))
        }
        _ => Err(TextError::new(format!(
            "unexpected '{word}'; expected {}",
            match phase {
                Phase::Roll => format!("roll or the number on the die, 1 to {}", game.count()),
                _ => next_text(phase),
            },
        ))),
    }
}
