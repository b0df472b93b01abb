//! Formats the games of a match.

use crate::contest::{GameRecord, RecordedMatch};

/// Describes a game: the players, the result and the moves.
pub fn about(found: &RecordedMatch, game: &GameRecord) -> String {
    let names = found.rules.player_names();
    let of_a = names.get(game.a_seat).cloned().unwrap_or_default();
    let others = names.iter().enumerate().filter(|&(seat, _)| seat != game.a_seat);
    let of_b: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let end = match &game.payoffs {
        None => format!("drawn: unfinished after {} plies", game.plies),
        Some(payoffs) => {
            let payoffs: Vec<String> = names
                .iter()
                .zip(payoffs)
                .map(|(name, payoff)| format!("{name} {payoff}"))
                .collect();
            format!("{} after {} plies ({})", result(game), game.plies, payoffs.join(", "))
        }
    };
    format!(
        "Game {}: {}, {end}\nA  {of_a}  {}\nB  {}  {}\nMoves  {}\n\n",
        game.number,
        found.settings.game,
        found.settings.a,
        of_b.join(", "),
        found.settings.b,
        game.moves
    )
}

/// Returns the result of a game for contender A.
pub fn result(game: &GameRecord) -> &'static str {
    match game.points {
        points if points >= 1.0 => "A won",
        points if points <= 0.0 => "A lost",
        _ if game.payoffs.is_none() => "drawn, unfinished",
        _ => "drawn",
    }
}
