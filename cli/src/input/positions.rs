//! The position that a command works on: `--position`, `--moves`, `--file`.

use super::game_file::{GameFile, ReadGame, read_position};
use crate::exit::Failure;
use proofwood_any_game::{Position, Rules, find};
use proofwood_games::{SpecError, find_info};

/// The game and where in it to begin.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Start {
    /// The game with its options after a colon, such as connect-four or
    /// othello:6; `proofwood games` lists them all
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// Where in a game to begin.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Place {
    /// Moves to play from the start, or from --position: "43655644233456", "f5 d6,c3"
    #[arg(short, long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// The position, in the text form that `proofwood show` prints
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// A game in SGF or PGN, a FEN, or moves as --moves takes them; - for standard
    /// input. The position is that after its last move
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    pub(crate) file: Option<String>,
    /// Stop after this many plies of the file
    #[arg(long, value_name = "NUMBER", requires = "file")]
    pub(crate) ply: Option<usize>,
    /// Number of the game in the file, counted from 1, where it holds several
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) number: Option<usize>,
}

/// A game, its description, and a position in it.
pub(crate) struct Found {
    /// The description as the user gave it.
    pub(crate) game: String,
    pub(crate) position: Box<dyn Position>,
    /// The moves that were played, as the game writes them.
    pub(crate) played: Vec<String>,
}

impl Start {
    /// Finds the game and the position.
    pub(crate) fn find(&self) -> Result<Found, Failure> {
        let (game, rules) = find_game(&self.game)?;
        if let Some(ReadGame { end, moves, .. }) = self.place.read_file(&game, &*rules)? {
            return Ok(Found { game, position: end, played: moves });
        }
        let mut position = self.place.before_moves(&*rules)?;
        let moves = self.place.moves.as_deref().unwrap_or("");
        let played = play_all(&*rules, &mut *position, moves).map_err(Failure::Input)?;
        Ok(Found { game, position, played })
    }
}

impl Place {
    /// The position before the moves.
    pub(crate) fn before_moves(&self, rules: &dyn Rules) -> Result<Box<dyn Position>, Failure> {
        match &self.position {
            None => Ok(rules.start()),
            Some(text) => read_position(rules, text).map_err(Failure::Input),
        }
    }

    /// The game in the file, where there is one.
    pub(crate) fn read_file(
        &self,
        game: &str,
        rules: &dyn Rules,
    ) -> Result<Option<ReadGame>, Failure> {
        match (&self.file, self.number) {
            (Some(path), number) => {
                GameFile::open(path, number)?.play(game, rules, self.ply).map(Some)
            }
            (None, Some(_)) => {
                Err(Failure::Input("--number is for games in a file; give --file FILE".into()))
            }
            (None, None) => Ok(None),
        }
    }
}

/// What a file is called in messages.
pub(crate) fn file_name(path: &str) -> &str {
    if path == "-" { "standard input" } else { path }
}

/// Finds a game by its description; returns the description without spaces
/// around it and with the game's full name, too.
pub(crate) fn find_game(spec: &str) -> Result<(String, Box<dyn Rules>), Failure> {
    let spec = full_spec(spec)?;
    let rules = find(&spec).map_err(no_game)?;
    Ok((spec, rules))
}

/// A description with the full name of the game that it is meant for.
pub(crate) fn full_spec(spec: &str) -> Result<String, Failure> {
    let spec = spec.trim();
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let info = find_info(name).map_err(no_game)?;
    // A name that differs in case or hyphens alone stays as it was typed.
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    match (plain(name) == plain(info.name), options) {
        (true, _) => Ok(spec.to_string()),
        (false, "") => Ok(info.name.to_string()),
        (false, options) => Ok(format!("{}:{options}", info.name)),
    }
}

fn no_game(error: SpecError) -> Failure {
    let text = error.to_string();
    Failure::Input(match error {
        SpecError::UnknownGame { hint, .. } if hint.is_empty() => {
            text + "; `proofwood games` lists all games"
        }
        SpecError::UnknownGame { .. } => text + " `proofwood games` lists all games",
        _ => text,
    })
}

/// Cuts a list of moves into its moves. Where digits are a move each, they are so
/// also before a letter that is none: that letter is then the wrong move.
pub(crate) fn split_moves<'t>(rules: &dyn Rules, moves: &'t str) -> Vec<&'t str> {
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

/// Plays a list of moves; answers them, and the forced passes that the list leaves out, as
/// the game writes them.
pub(crate) fn play_all(
    rules: &dyn Rules,
    position: &mut dyn Position,
    moves: &str,
) -> Result<Vec<String>, String> {
    play_listed(position, split_moves(rules, moves))
}

/// Plays moves that are cut apart already, as [`play_all`] does.
pub(crate) fn play_listed<'m>(
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

/// Plays the move with this number, and no pass that is left out; the error names both.
pub(crate) fn play_one(
    position: &mut dyn Position,
    number: usize,
    text: &str,
) -> Result<String, String> {
    position.play(text).map_err(|error| about_move(number, text, error))
}

/// An error that names the move and its number.
pub(crate) fn about_move(number: usize, text: &str, error: impl ToString) -> String {
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

    /// Random games of every kind with forced passes, written with them and without.
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
                // Behind the last move nothing shows that a pass was left out.
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
        // Which of the two is the move is not clear.
        assert_eq!(cut("connect-four", "4.4"), "4.4");
    }
}
