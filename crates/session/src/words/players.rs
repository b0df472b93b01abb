//! Describes players and the results of games in words.

use proofwood_any_game::View;

/// Returns the name of a player, or `?` if the game has no player with this number.
pub fn name(players: &[String], player: usize) -> &str {
    players.get(player).map_or("?", String::as_str)
}

/// Capitalises a sentence unless it begins with a symbol on the board: `White wins`, `Player 0
/// wins`, but `x wins`.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if letters.as_str().starts_with(char::is_alphabetic) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_string(),
    }
}

/// Returns a line that names the player to move; empty if the game is over.
pub fn to_move(view: &View) -> String {
    match view.to_move {
        _ if view.is_over() => String::new(),
        Some(player) => sentence(&format!("{} to move", name(&view.players, player))) + "\n",
        None => "Chance decides\n".to_string(),
    }
}

/// Describes a proven score: `X loses by 8 with best play (b1)` if the payoffs of two players add
/// up to zero (`opposed`), otherwise the payoff that the player secures.
pub fn scores(player: &str, score: i32, opposed: bool, best: Option<&str>) -> String {
    let best = best.map_or_else(String::new, |best| format!(" ({best})"));
    let scores = match score {
        _ if !opposed => return format!("{player} secures {score} and no more{best}"),
        1.. => format!("wins by {score}"),
        0 => "draws".to_string(),
        _ => format!("loses by {}", -i64::from(score)),
    };
    format!("{player} {scores} with best play{best}")
}

/// Describes the result of a game: the winner, and the payoffs unless they are obvious.
pub fn result(players: &[String], payoffs: &[i32]) -> String {
    let Some(&best) = payoffs.iter().max() else { return String::new() };
    let each = || {
        let each = std::iter::zip(players, payoffs);
        let each: Vec<String> = each.map(|(name, payoff)| format!("{name} {payoff:+}")).collect();
        each.join(", ")
    };
    let winners: Vec<&str> = std::iter::zip(players, payoffs)
        .filter(|&(_, &payoff)| payoff == best)
        .map(|(name, _)| name.as_str())
        .collect();
    match (winners.len(), payoffs) {
        (1, [only]) => sentence(&format!("{} gets {only}", winners[0])),
        (n, _) if n == payoffs.len() && best == 0 => "A draw".to_string(),
        (n, _) if n == payoffs.len() => format!("A draw ({})", each()),
        (_, [1, -1] | [-1, 1]) => sentence(&format!("{} wins", winners[0])),
        (1, _) => sentence(&format!("{} wins ({})", winners[0], each())),
        _ => sentence(&format!("{} win ({})", winners.join(" and "), each())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_in_words() {
        let names = |names: &str| names.split(' ').map(str::to_string).collect::<Vec<String>>();
        for (players, payoffs, text) in [
            ("x o", &[1, -1][..], "x wins"),
            ("White Black", &[-1, 1], "Black wins"),
            ("x o", &[0, 0], "A draw"),
            ("X O", &[-6, 6], "O wins (X -6, O +6)"),
            ("A B C", &[2, -1, -1], "A wins (A +2, B -1, C -1)"),
            ("A B C", &[1, 1, -2], "A and B win (A +1, B +1, C -2)"),
            ("A B", &[3, 3], "A draw (A +3, B +3)"),
            ("A", &[7], "A gets 7"),
        ] {
            assert_eq!(result(&names(players), payoffs), text);
        }
    }

    #[test]
    fn signs_on_the_board_stay_small() {
        assert_eq!(sentence("x"), "x");
        assert_eq!(sentence("x wins"), "x wins");
        assert_eq!(sentence("x's best is 4"), "x's best is 4");
        assert_eq!(sentence("player 1 wins"), "Player 1 wins");
    }
}
