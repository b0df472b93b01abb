//! `proofwood gtp`: plays through the Go Text Protocol.

use super::session::Session;
use crate::connection::Connection;
use crate::events::Events;
use crate::table::Table;
use proofwood::Config;
use proofwood_notation::gtp::Letters;
use proofwood_session::contest::Contender;
use proofwood_session::input::limits::Limits;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use std::time::Duration;

/// The time for a move when no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Speak GTP, the Go Text Protocol, for GoGui and others
///
/// Speaks GTP 2 on standard input and output, for every game. GoGui's rules commands show the board
/// and the moves of games with rows and columns; lz-analyze, kata-analyze and analyze report the
/// state of the search until the next line of input.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood gtp othello
  proofwood gtp hex:11 --letters plain --time 5s
  proofwood ugi ataxx
  proofwood uci breakthrough

The first player is black, unless the game itself calls the second player black. When
dice are rolled or cards are drawn, the player is \"chance\". Without a limit, a move
takes 1s, or as long as the clock allows after time_settings or time_left. proofwood ugi
and proofwood uci speak UGI, UCI and USI; see `proofwood help uci`.

Exit status: 0 at quit and at the end of the input, 1 for a failure, 2 for bad
options, 130 after Ctrl-C.")]
pub struct Gtp {
    /// The game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// Column letters: gtp skips I, as GoGui does; plain uses all letters, as HexGui and
    /// OpenSpiel do [gtp | plain] [default: gtp]
    #[arg(long, value_name = "NAME", default_value = "gtp", hide_default_value = true,
        value_parser = ["gtp", "plain"], hide_possible_values = true)]
    letters: String,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    options: SearchOptions,
}

impl Gtp {
    /// Executes commands until the input ends.
    pub fn run(self, connection: Connection<'_>) -> Result<Ended, Trouble> {
        let (game, _) = find_game(&self.game)?;
        let config = self.options.apply_to(Some(&game), Config::default())?;
        let budget = self.limits.budget(Some(USUAL_TIME))?;
        let contender = Contender { config, budget, reuse: true };
        let letters = match &*self.letters {
            "plain" => Letters::Plain,
            _ => Letters::WithoutI,
        };
        let (events, output) = Events::open(connection)?;
        let table = Table::new(&game, contender)?;
        Session::new(table, letters, self.limits.is_given(), events, output).run()
    }
}
