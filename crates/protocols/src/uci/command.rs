//! `proofwood ugi` and `proofwood uci`: play through UGI, UCI or USI.

use super::dialect::Dialect;
use super::session::Session;
use crate::connection::Connection;
use crate::events::Events;
use crate::table::Table;
use proofwood::Config;
use proofwood_notation::variants::{VARIANTS, Variant};
use proofwood_session::contest::Contender;
use proofwood_session::input::limits::Limits;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use std::time::Duration;

/// The time for a move when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Speak UGI, the Universal Game Interface
///
/// Speaks UGI on standard input and output, for every game. Positions and moves are written as
/// elsewhere in this program. The other program need not know the game: query tells it whether the
/// game is over, whose turn it is, and who has won.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood ugi ataxx
  proofwood ugi connect-four:9x7 --threads 2

setoption accepts Threads, Hash, MultiPV and the options below. go accepts movetime, nodes
(counted as playouts), infinite, ponder, searchmoves, mate, and p1time, p2time, p1inc,
p2inc. Without a limit, a move takes 1s.

Exit status: 0 at quit and at the end of the input, 1 for a failure, 2 for bad
options, 130 after Ctrl-C.")]
pub struct Ugi {
    /// The game with its options after a colon; `proofwood games` lists them all
    game: String,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

/// Speak UCI with UCI_Variant, or USI
///
/// Speaks UCI on standard input and output, for the games that Fairy-Stockfish and
/// cutechess know, with their names, positions and moves. UCI_Variant chooses the game.
/// A program that sends usi first is answered in USI.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood uci breakthrough
  proofwood uci minishogi --threads 2

The games are ataxx, breakthrough, connect-four (cfour), clobber, gardner,
los-alamos, minishogi, othello (flipello) and tic-tac-toe, under either name. go accepts
movetime, nodes (counted as playouts), infinite, ponder, searchmoves, mate, and wtime,
btime, winc, binc, movestogo and byoyomi. Without a limit, a move takes 1s.

Exit status: 0 at quit and at the end of the input, 1 for a failure, 2 for bad
options, 130 after Ctrl-C.")]
pub struct Uci {
    /// The game to begin with [default: breakthrough, or minishogi in USI]
    game: Option<String>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Ugi {
    /// Executes commands until the input ends.
    pub fn run(self, connection: Connection<'_>) -> Result<Ended, Trouble> {
        let (game, _) = find_game(&self.game)?;
        run(&game, Dialect::ugi(), &self.limits, self.options, connection)
    }
}

impl Uci {
    /// Executes commands until the input ends.
    pub fn run(self, connection: Connection<'_>) -> Result<Ended, Trouble> {
        let game = self.game.as_deref().unwrap_or("breakthrough");
        let variant = Variant::named(game).map_or_else(
            || {
                let (game, _) = find_game(game)?;
                Variant::of(&game).ok_or_else(|| {
                    let known: Vec<&str> = VARIANTS.iter().map(|variant| variant.game).collect();
                    Trouble::Input(format!(
                        "{game}: UCI has no name for this game; it has names for {}; \
                         `proofwood ugi {game}` speaks UGI instead",
                        known.join(", ")
                    ))
                })
            },
            Ok,
        )?;
        run(
            variant.game,
            Dialect::uci(variant, self.game.is_some()),
            &self.limits,
            self.options,
            connection,
        )
    }
}

fn run(
    game: &str,
    dialect: Dialect,
    limits: &Limits,
    options: SearchOptions,
    connection: Connection<'_>,
) -> Result<Ended, Trouble> {
    let config = options.apply_to(Some(game), Config::default())?;
    let budget = limits.budget(Some(USUAL_TIME))?;
    let contender = Contender { config, budget, reuse: true };
    let (events, output) = Events::open(connection)?;
    let table = Table::new(game, contender)?;
    Session::new(table, dialect, options, events, output).run()
}
