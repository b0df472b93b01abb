//! Parses the lists of moves that `--moves` accepts.

use proofwood_any_game::{Position, Rules};

/// Splits a list of moves. In a game whose moves are single digits, a run of digits is split even
/// if an invalid letter follows, so that the error names that letter.
pub fn split_moves<'t>(rules: &dyn Rules, moves: &'t str) -> Vec<&'t str> {
    let mut all = Vec::new();
    for text in rules.split_moves(moves) {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (row, rest) = text.split_at(digits);
        match rules.split_moves(row) {
            row if row.len() > 1 && !rest.is_empty() => {
                all.extend(row);
                all.push(rest);
            }
            _ => all.push(text),
        }
    }
    all
}

/// Plays a list of moves, adding the forced passes that the list omits. Returns all moves in the
/// game's notation.
pub fn play_all(
    rules: &dyn Rules,
    position: &mut dyn Position,
    moves: &str,
) -> Result<Vec<String>, String> {
    play_listed(position, split_moves(rules, moves))
}

/// Plays moves that have already been split, like [`play_all`].
pub fn play_listed<'m>(
    position: &mut dyn Position,
    moves: impl IntoIterator<Item = &'m str>,
) -> Result<Vec<String>, String> {
    let mut played = Vec::new();
    for text in moves {
        let added = position.play_recorded(text);
        played.extend(added.map_err(|error| about_move(played.len() + 1, text, error))?);
    }
    Ok(played)
}

/// Plays a move without adding a forced pass. An error names the move and its number.
pub fn play_one(position: &mut dyn Position, number: usize, text: &str) -> Result<String, String> {
    position.play(text).map_err(|error| about_move(number, text, error))
}

/// Returns an error that names the move and its number.
pub fn about_move(number: usize, text: &str, error: impl ToString) -> String {
    let error = error.to_string();
    match error.contains(text) {
        true => format!("move {number}: {error}"),
        false => format!("move {number}, '{text}': {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood::{Rng, Turn};
    use proofwood_any_game::find;

    /// Checks that random games are read correctly if their forced passes are omitted.
    #[test]
    fn passes_that_are_left_out_are_moves() {
        let games = ["othello:4", "othello:6", "reversi", "ataxx:4", "awari"];
        for game in games {
            let rules = find(game).unwrap_or_else(|error| panic!("{game}: {error}"));
            let mut found = 0;
            for seed in 0..60 {
                let (mut position, mut rng) = (rules.start(), Rng::new(seed));
                let (mut moves, mut bare) = (Vec::new(), Vec::new());
                while position.turn() != Turn::Over && moves.len() < 150 {
                    let is_forced = position.view().legal_moves == ["pass"];
                    moves.push(position.play_random(&mut rng));
                    bare.extend(moves.last().filter(|_| !is_forced).cloned());
                }
                // After the last move nothing shows that a pass was omitted.
                while bare.last() != moves.last() {
                    moves.pop();
                }
                let read = play_all(&*rules, &mut *rules.start(), &bare.join(" "));
                assert_eq!(read.as_ref(), Ok(&moves), "{game}");
                found += moves.len() - bare.len();
            }
            assert!(found > 0, "{game}: there was no pass");
        }
    }

    #[test]
    fn numbers_of_moves_are_left_out() {
        let cut = |game: &str, text: &str| split_moves(&*find(game).unwrap(), text).join(" ");
        assert_eq!(cut("othello", "1. f5 d6 2. c3"), "f5 d6 c3");
        assert_eq!(cut("othello", "1.f5 d6 2.c3d3 3...c4"), "f5 d6 c3 d3 c4");
        assert_eq!(cut("connect-four", "1. 4 4 2. 3"), "4 4 3");
        // It is unclear which of the two numbers is the move.
        assert_eq!(cut("connect-four", "4.4"), "4.4");
    }
}
