//! The position that a command works on: `--position`, `--moves`, `--file`.

use proofwood_any_game::{Position, Rules};
use proofwood_notation::game_file::{GameFile, ReadGame, read_position};
use proofwood_session::Trouble;
use proofwood_session::input::moves::play_all;
use proofwood_session::input::spec::find_game;

/// A game and a position in it.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Start {
    /// The game with its options after a colon, such as connect-four or
    /// othello:6; `proofwood games` lists them all
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) place: Place,
}

/// A position in a game, by moves or as text.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Place {
    /// Moves to play from the start, or from --position: "43655644233456", "f5 d6,c3"
    #[arg(short, long, value_name = "MOVES", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
    /// The position, in the text form that `proofwood show` prints
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Start from the end of a game in this file: SGF, PGN, a FEN, or moves as for --moves; - for
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    pub(crate) file: Option<String>,
    /// Stop after this many plies of the file
    #[arg(long, value_name = "NUMBER", requires = "file")]
    pub(crate) ply: Option<usize>,
    /// Number of the game in the file, counted from 1, if it holds several
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) number: Option<usize>,
}

pub(crate) struct Found {
    pub(crate) game: String,
    pub(crate) position: Box<dyn Position>,
    /// The moves that led to the position, in the game's notation.
    pub(crate) played: Vec<String>,
}

impl Start {
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
    /// Returns the position to which the moves are applied.
    pub(crate) fn before_moves(&self, rules: &dyn Rules) -> Result<Box<dyn Position>, Trouble> {
        match &self.position {
            None => Ok(rules.start()),
            Some(text) => read_position(rules, text).map_err(Trouble::Input),
        }
    }

    /// Reads the game in the file, if one was given.
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
                Err(Trouble::Input("--number needs a file of games; give --file FILE".into()))
            }
            (None, None) => Ok(None),
        }
    }
}
