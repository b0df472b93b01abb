//! Chinese Checkers positions and moves as text.

use super::star::{OUTSIDE, Star};
use super::{ChineseCheckers, MOST_PLAYERS, Move, State};
use crate::text::{
    cell_name, is_pass, leading_cell, legal_move, parse_step, read_fen_rows, write_fen,
};
use proofwood_game::{Game, TextError};

pub(super) const LETTERS: [char; MOST_PLAYERS] = ['A', 'B', 'C', 'D', 'E', 'F'];

fn error<T>(message: String) -> Result<T, TextError> {
    Err(TextError::new(message))
}

fn cell_text(star: &Star, cell: usize) -> String {
    let (row, place) = star.place(cell);
    cell_name(place, row)
}

fn cell_number(star: &Star, (column, row): (usize, usize)) -> Option<u8> {
    let width = *star.widths().get(row)?;
    (column < width).then(|| star.cell(row, column) as u8)
}

fn player_at(state: &State, cell: usize) -> Option<usize> {
    state.pieces.iter().position(|pieces| pieces >> cell & 1 == 1)
}

pub(super) fn move_text(game: &ChineseCheckers, mv: Move) -> String {
    match mv {
        Move::Go { from, to } => {
            cell_text(game.star, from.into()) + &cell_text(game.star, to.into())
        }
        Move::Pass => "pass".to_string(),
    }
}

pub(super) fn parse_move(
    game: &ChineseCheckers,
    state: &State,
    text: &str,
) -> Result<Move, TextError> {
    let wanted = if is_pass(text) { Some(Move::Pass) } else { go_of(game.star, text) };
    legal_move(game, state, text, wanted)
}

fn go_of(star: &Star, text: &str) -> Option<Move> {
    let step = parse_step(text).filter(|step| step.suffix.is_empty())?;
    Some(Move::Go { from: cell_number(star, step.from)?, to: cell_number(star, step.to)? })
}

pub(super) fn write(game: &ChineseCheckers, state: &State) -> String {
    let star = game.star;
    let row_text = |(row, &width): (usize, &usize)| {
        let letter =
            |place, _| player_at(state, star.cell(row, place)).map(|player| LETTERS[player]);
        write_fen(width, 1, letter)
    };
    let rows: Vec<String> = star.widths().iter().enumerate().rev().map(row_text).collect();
    let mover = LETTERS[usize::from(state.mover) % game.homes.len()];
    format!("{} {mover} {} {}", rows.join("/"), hops_text(star, state), state.turns)
}

fn hops_text(star: &Star, state: &State) -> String {
    if !state.is_hopping() {
        return "-".to_string();
    }
    let left = state.visited & !(1 << state.hopper);
    let left = (0..usize::from(OUTSIDE)).filter(|cell| left >> cell & 1 == 1);
    let cells = left.chain([state.hopper.into()]);
    let visited: Vec<String> = cells.map(|cell| cell_text(star, cell)).collect();
    visited.join("-")
}

pub(super) fn draw(game: &ChineseCheckers, state: &State) -> String {
    let star = game.star;
    let mut text = String::new();
    for (row, &width) in star.widths().iter().enumerate().rev() {
        let mut line = format!("{:>2} ", row + 1);
        line += &" ".repeat(star.across(row, 0));
        for place in 0..width {
            let player = player_at(state, star.cell(row, place));
            // An empty cell is shown as its letter, because rows begin at different columns.
            let letter = char::from(b'a' + place as u8);
            line.push(player.map_or(letter, |player| LETTERS[player]));
            line.push(' ');
        }
        text += line.trim_end();
        text.push('\n');
    }
    if state.is_hopping() {
        text += &format!("hops so far: {}\n", hops_text(star, state));
    }
    text
}

pub(super) fn read(game: &ChineseCheckers, text: &str) -> Result<State, TextError> {
    let players = game.homes.len();
    let widths: Vec<usize> = game.star.widths().iter().rev().copied().collect();
    let legend = format!("A to {}", LETTERS[players - 1]);
    let player_of =
        |c: char| LETTERS[..players].iter().position(|letter| letter.eq_ignore_ascii_case(&c));
    let (read, rest) =
        read_fen_rows(text, &widths, &legend, |c, promoted| player_of(c).filter(|_| !promoted))?;
    let mut state = State { pieces: [0; MOST_PLAYERS], ..game.initial_state() };
    for (cell, player) in read.into_iter().enumerate() {
        if let Some(player) = player {
            state.pieces[player] |= 1 << cell;
        }
    }
    for (player, letter) in LETTERS[..players].iter().enumerate() {
        let (pieces, due) = (state.pieces[player].count_ones(), game.star.pieces());
        if pieces != due {
            return error(format!("{letter} has {pieces} pieces instead of {due}"));
        }
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (mover, hops, turns) = match words[..] {
        [mover] => (mover, "-", None),
        [mover, hops] => (mover, hops, None),
        [mover, hops, turns] => (mover, hops, Some(turns)),
        [] => return error(format!("the player to move is missing; expected {legend}")),
        [_, _, _, word, ..] => {
            return error(format!("unexpected '{word}' after the number of turns"));
        }
    };
    let mut letters = mover.chars();
    let Some(player) = letters.next().and_then(player_of).filter(|_| letters.next().is_none())
    else {
        return error(format!("the player to move must be {legend}, not '{mover}'"));
    };
    state.mover = player as u8;
    state.turns = read_turns(game, turns, player)?;
    if hops != "-" {
        read_hops(game, &mut state, hops)?;
    }
    check_end(game, &mut state)?;
    Ok(state)
}

/// Reads the number of turns played and checks that it implies the player to move.
fn read_turns(game: &ChineseCheckers, text: Option<&str>, player: usize) -> Result<u16, TextError> {
    let Some(text) = text else { return Ok(player as u16) };
    let turns = text.parse::<u16>().ok().filter(|&turns| turns <= game.turns);
    let Some(turns) = turns else {
        return error(format!("'{text}' is not a number of turns; expected 0 to {}", game.turns));
    };
    let due = usize::from(turns) % game.homes.len();
    if due != player {
        let [player, due] = [player, due].map(|player| LETTERS[player]);
        return error(format!(
            "the player to move cannot be {player}: after {turns} turns it is {due}'s turn"
        ));
    }
    Ok(turns)
}

/// Reads the cells that the hopping piece has visited, its present cell last.
fn read_hops(game: &ChineseCheckers, state: &mut State, text: &str) -> Result<(), TextError> {
    let star = game.star;
    let mut rest = text;
    let mut path = Vec::new();
    while let Some((name, after)) = leading_cell(rest) {
        let Some(cell) = cell_number(star, name) else { break };
        path.push(usize::from(cell));
        rest = after.strip_prefix('-').unwrap_or(after);
    }
    let (Some(&hopper), true) = (path.last(), rest.is_empty() && path.len() > 1) else {
        return error(format!(
            "'{text}' is not the path of a hopping piece; expected - or at least two cells, as in \
             a3-g5"
        ));
    };
    if state.pieces[usize::from(state.mover)] >> hopper & 1 == 0 {
        let (mover, cell) = (LETTERS[usize::from(state.mover)], cell_text(star, hopper));
        return error(format!("{mover} has no piece on {cell}, where its hops end"));
    }
    for (at, &cell) in path.iter().enumerate() {
        let occupied = cell != hopper && state.taken() >> cell & 1 == 1;
        let again = path[..at].contains(&cell);
        if occupied || again || !hops_lead(star, cell, hopper) {
            let (cell, hopper) = (cell_text(star, cell), cell_text(star, hopper));
            return error(format!(
                "a piece cannot have hopped from {cell} to {hopper} in this turn"
            ));
        }
        state.visited |= 1 << cell;
    }
    state.hopper = hopper as u8;
    if game.next_hops(state).next().is_none() {
        let cell = cell_text(star, hopper);
        return error(format!("the piece on {cell} cannot hop any further, so its turn is over"));
    }
    Ok(())
}

/// Returns whether a series of hops can lead from one cell to another. Each hop spans two rows and
/// two half cells sideways, or four half cells within a row.
fn hops_lead(star: &Star, from: usize, to: usize) -> bool {
    let [(from_row, from), (to_row, to)] = [star.place(from), star.place(to)];
    let across = star.across(from_row, from).abs_diff(star.across(to_row, to));
    let rows = from_row.abs_diff(to_row);
    rows.is_multiple_of(2) && (across + rows).is_multiple_of(4)
}

/// Checks that a player who has won did so in the last turn.
fn check_end(game: &ChineseCheckers, state: &mut State) -> Result<(), TextError> {
    let last = game.last_mover(state);
    for (player, letter) in LETTERS[..game.homes.len()].iter().enumerate() {
        let hopping = state.is_hopping() && player == usize::from(state.mover);
        if game.has_won(state, player) && !hopping {
            if player != last || state.is_hopping() {
                return error(format!("{letter} has won, but {} has moved since", LETTERS[last]));
            }
            state.over = true;
        }
    }
    state.over |= state.turns >= game.turns;
    match state.over && state.is_hopping() {
        true => error(format!(
            "the game is over after {} turns, but a piece is still hopping",
            state.turns
        )),
        false => Ok(()),
    }
}
