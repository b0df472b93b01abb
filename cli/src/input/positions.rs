//! The position that a command works on: `--position`, `--moves`, `--file`.

use super::game_file::{GameFile, ReadGame, read_position};
use super::moves::play_all;
use proofwood_any_game::{Position, Rules, find};
use proofwood_games::{SpecError, find_info};
use proofwood_session::Trouble;

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
    pub(crate) fn find(&self) -> Result<Found, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        if let Some(ReadGame { end, moves, .. }) = self.place.read_file(&game, &*rules)? {
            return Ok(Found { game, position: end, played: moves });
        }
        let mut position = self.place.before_moves(&*rules)?;
        let moves = self.place.moves.as_deref().unwrap_or("");
        let played = play_all(&*rules, &mut *position, moves).map_err(Trouble::Input)?;
        Ok(Found { game, position, played })
    }
}

impl Place {
    /// The position before the moves.
    pub(crate) fn before_moves(&self, rules: &dyn Rules) -> Result<Box<dyn Position>, Trouble> {
        match &self.position {
            None => Ok(rules.start()),
            Some(text) => read_position(rules, text).map_err(Trouble::Input),
        }
    }

    /// The game in the file, where there is one.
    pub(crate) fn read_file(
        &self,
        game: &str,
        rules: &dyn Rules,
    ) -> Result<Option<ReadGame>, Trouble> {
        match (&self.file, self.number) {
            (Some(path), number) => {
                GameFile::open(path, number)?.play(game, rules, self.ply).map(Some)
            }
            (None, Some(_)) => {
                Err(Trouble::Input("--number is for games in a file; give --file FILE".into()))
            }
            (None, None) => Ok(None),
        }
    }
}

/// Finds a game by its description; returns the description without spaces
/// around it and with the game's full name, too.
pub fn find_game(spec: &str) -> Result<(String, Box<dyn Rules>), Trouble> {
    let spec = full_spec(spec)?;
    let rules = find(&spec).map_err(no_game)?;
    Ok((spec, rules))
}

/// A description with the full name of the game that it is meant for.
pub(crate) fn full_spec(spec: &str) -> Result<String, Trouble> {
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

fn no_game(error: SpecError) -> Trouble {
    let text = error.to_string();
    Trouble::Input(match error {
        SpecError::UnknownGame { hint, .. } if hint.is_empty() => {
            text + "; `proofwood games` lists all games"
        }
        SpecError::UnknownGame { .. } => text + " `proofwood games` lists all games",
        _ => text,
    })
}
