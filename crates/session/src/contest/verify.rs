//! Verifies recorded games. A file of games may be old, damaged or altered, so the moves are
//! replayed, and payoffs, points and counts must agree with the rules. Playouts and times cannot be
//! checked.

use super::game::points;
use super::games::{GameRecord, Settings, seating};
use crate::Trouble;
use crate::input::moves::{play_one, split_moves};
use proofwood::Turn;
use proofwood_any_game::Rules;
use std::path::Path;

pub(super) fn refusal(path: &Path, line: usize, game: &GameRecord, why: &str) -> Trouble {
    let path = path.display();
    Trouble::Input(format!("{path}, line {line}, game {}: {why}", game.number))
}

/// Replays the moves and refuses a record that contradicts the rules.
pub(super) fn played(
    game: &GameRecord,
    settings: &Settings,
    rules: &dyn Rules,
) -> Result<(), String> {
    if game.number == 0 {
        return Err("games are numbered from 1".into());
    }
    let players = rules.players();
    let (_, a_seat) = seating(game.number, players);
    if game.a_seat != a_seat {
        return Err(format!(
            "A has seat {}, but in game {} it should have seat {a_seat}",
            game.a_seat, game.number
        ));
    }
    let mut position = match &game.start {
        None => rules.start(),
        Some(text) => {
            rules.read(text).map_err(|error| format!("cannot read the position: {error}"))?
        }
    };
    let moves = split_moves(rules, &game.moves);
    if game.opening_plies > moves.len() {
        return Err(format!(
            "its opening has {} moves, but the game has only {}",
            game.opening_plies,
            moves.len()
        ));
    }
    if moves.len() != game.plies {
        return Err(format!("it has {} moves, but the record says {}", moves.len(), game.plies));
    }
    let (mut of_a, mut of_b) = (0, 0);
    for (number, text) in (1..).zip(&moves) {
        match position.turn() {
            Turn::Player(seat) if number > game.opening_plies => {
                *(if seat == a_seat { &mut of_a } else { &mut of_b }) += 1;
            }
            _ => {}
        }
        play_one(&mut *position, number, text)?;
    }
    for (name, moved, spent) in [("A", of_a, &game.a), ("B", of_b, &game.b)] {
        if moved != spent.moves {
            let said = spent.moves;
            return Err(format!("{name} moved {moved} times, but the record says {said}"));
        }
        if spent.seconds < 0.0 {
            return Err(format!("{name} cannot have taken {} seconds", spent.seconds));
        }
    }
    let payoffs = (position.turn() == Turn::Over).then(|| position.payoffs());
    match (&payoffs, &game.payoffs) {
        (None, None) if game.plies >= settings.max_plies as usize => {}
        (None, None) if game.forfeit.is_some() => {}
        (None, _) => return Err("the game is not over after its last move".into()),
        (Some(found), Some(said)) if found == said => {}
        (Some(found), said) => {
            let said = said.as_ref().map_or("none".into(), |said| format!("{said:?}"));
            return Err(format!("its payoffs are {said}, but the rules give {found:?}"));
        }
    }
    let found = match game.forfeit {
        Some(_) => 1.0,
        None => points(payoffs.as_deref(), players, a_seat),
    };
    match game.points == found {
        true => Ok(()),
        false => Err(format!("its points are {}, but the rules give {found}", game.points)),
    }
}

/// Refuses a game whose opening is not the one that the contest assigns to it.
pub(super) fn opened(
    game: &GameRecord,
    settings: &Settings,
    rules: &dyn Rules,
) -> Result<(), String> {
    let (round, _) = seating(game.number, rules.players());
    let opening = settings.openings.find(rules, settings.seed, round);
    let opening = opening.map_err(|failure| failure.to_string())?;
    let moves = split_moves(rules, &game.moves);
    let begun = moves.get(..game.opening_plies).unwrap_or_default();
    match opening.start == game.start && opening.moves == begun {
        true => Ok(()),
        false => Err("its opening is not the one assigned by the match".into()),
    }
}
