//! Positions and moves of Pig as text.

use super::{Move, PLAYERS, Pig, State};
use crate::text::read_player;
use proofwood_game::{Game, TextError, Turn};

pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Roll => "roll".to_string(),
        Move::Hold => "hold".to_string(),
        Move::Die(points) => points.to_string(),
    }
}

pub(super) fn parse_move(game: &Pig, state: &State, text: &str) -> Result<Move, TextError> {
    if game.turn(state) == Turn::Over {
        return Err(TextError::new(format!("the game is over before the move '{text}'")));
    }
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let word = text.to_ascii_lowercase();
    let wanted = match word.as_str() {
        "roll" | "r" => Some(Move::Roll),
        "hold" | "h" | "stop" => Some(Move::Hold),
        die => die.strip_prefix("roll ").unwrap_or(die).parse().ok().map(Move::Die),
    };
    wanted
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| TextError::illegal_move(game, state, text, &legal))
}

pub(super) fn write(game: &Pig, state: &State) -> String {
    let scores: Vec<String> = state.scores[..game.players].iter().map(u16::to_string).collect();
    let mover = PLAYERS[usize::from(state.mover)];
    let mut text = format!("{} {mover} {}", scores.join("/"), state.total);
    if state.rolling {
        text += " roll";
    }
    if game.limit.is_some() {
        text += &format!(" t{}", state.turns);
    }
    text
}

pub(super) fn draw(game: &Pig, state: &State) -> String {
    let mut text = String::new();
    for (player, name) in PLAYERS.iter().enumerate().take(game.players) {
        let moves = player == usize::from(state.mover) && game.turn(state) != Turn::Over;
        let turn = match moves {
            true if state.rolling => format!(" + {}, rolling", state.total),
            true => format!(" + {}", state.total),
            false => String::new(),
        };
        text += &format!("{name}: {}{turn}\n", state.scores[player]);
    }
    match game.limit {
        Some(limit) => format!("{text}turns played: {} of {limit}\n", state.turns),
        None => text,
    }
}

pub(super) fn read(game: &Pig, text: &str) -> Result<State, TextError> {
    let mut words = text.split_whitespace().peekable();
    let mut state = game.initial_state();
    read_scores(game, words.next().unwrap_or(""), &mut state)?;
    let players = &PLAYERS[..game.players];
    let mover = words.next().ok_or_else(|| {
        let last = players[players.len() - 1];
        TextError::new(format!("the player to move is missing; add A to {last} after the scores"))
    })?;
    state.mover = read_player(mover, players).ok_or_else(|| {
        let last = players[players.len() - 1];
        TextError::new(format!("there is no player '{mover}'; the players are A to {last}"))
    })? as u8;
    if let Some(total) = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_digit())) {
        state.total = total.parse().map_err(|_| too_much(total))?;
    }
    state.rolling = words.next_if(|word| word.eq_ignore_ascii_case("roll")).is_some();
    let turns = words.next_if(|word| game.limit.is_some() && word.starts_with(['t', 'T']));
    if let Some(word) = words.next() {
        return Err(too_much(word));
    }
    check(game, &state)?;
    if let Some(limit) = game.limit {
        state.turns = read_turns(game, &state, turns, limit)?;
    }
    Ok(state)
}

fn too_much(word: &str) -> TextError {
    TextError::new(format!(
        "unexpected '{word}'; a position looks like 23/17 B 6 roll: the scores, the player, the \
         turn's total, and roll while the die is rolling"
    ))
}

fn read_scores(game: &Pig, text: &str, state: &mut State) -> Result<(), TextError> {
    let scores: Vec<&str> = text.split('/').collect();
    if scores.len() != game.players {
        return Err(TextError::new(format!(
            "'{text}' must have one score for each of the {} players, such as {}",
            game.players,
            vec!["0"; game.players].join("/"),
        )));
    }
    for (score, text) in state.scores.iter_mut().zip(scores) {
        *score = text.parse().map_err(|_| TextError::new(format!("'{text}' is not a score")))?;
    }
    Ok(())
}

/// Returns whether a turn that starts with `score` can reach `total`. No roll adds 1, and before
/// the last roll the player was still below the target.
fn can_total(game: &Pig, score: u16, total: u16) -> bool {
    let before = (2..=6).filter_map(|points| total.checked_sub(points));
    let mut before = before.filter(|&before| before != 1);
    total == 0 || before.any(|before| u32::from(score) + u32::from(before) < game.target.into())
}

fn check(game: &Pig, state: &State) -> Result<(), TextError> {
    let refuse = |what: String| Err(TextError::new(what));
    for (player, &score) in state.scores[..game.players].iter().enumerate() {
        if !can_total(game, 0, score) {
            return refuse(format!(
                "{} cannot have {score} points: a turn adds 0 or at least 2, and the game ends at \
                 {}",
                PLAYERS[player], game.target,
            ));
        }
        if score >= game.target && player != game.last(state) {
            return refuse(format!(
                "{} has {score} points and won with the last turn, so {} must be to move",
                PLAYERS[player],
                PLAYERS[(player + 1) % game.players],
            ));
        }
    }
    let score = state.scores[usize::from(state.mover)];
    if !can_total(game, score, state.total) {
        return refuse(format!(
            "a turn that starts with {score} of {} points cannot have a total of {}",
            game.target, state.total,
        ));
    }
    if game.has_winner(state) && (state.total > 0 || state.rolling) {
        return refuse(format!(
            "{} has already won, so no turn can be in progress",
            PLAYERS[game.last(state)]
        ));
    }
    if state.rolling && game.must_hold(state) {
        let points = score + state.total;
        return refuse(format!("a player with {points} of {} points does not roll", game.target));
    }
    Ok(())
}

/// Reads the number of finished turns, which must be consistent with the mover and the scores.
fn read_turns(game: &Pig, state: &State, word: Option<&str>, limit: u32) -> Result<u32, TextError> {
    let mover = usize::from(state.mover);
    let second_round = state.scores[mover..].iter().any(|&score| score > 0);
    let least = mover as u32 + if second_round { game.players as u32 } else { 0 };
    let turns = match word {
        None => least,
        Some(word) => word[1..].parse().map_err(|_| too_much(word))?,
    };
    let refuse = |what: String| Err(TextError::new(what));
    if turns > limit {
        return refuse(format!("{turns} turns were played, but the game ends after {limit}"));
    }
    if turns < least || turns as usize % game.players != mover {
        return refuse(format!(
            "{turns} turns cannot lead to this position; expected {least}, or {least} plus a \
             multiple of {}",
            game.players,
        ));
    }
    if turns == limit && (state.total > 0 || state.rolling) {
        return refuse(format!("the game ends after {limit} turns, so no turn can be in progress"));
    }
    Ok(turns)
}
