//! `proofwood show`: shows a position and its legal moves.

use crate::input::positions::Start;
use crate::terminal::print::Printer;
use proofwood_session::json::PlyJson;
use proofwood_session::words::answers;
use proofwood_session::{Ended, Trouble};

/// Show a position: the board, the side to move and the moves
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood show othello
  proofwood show connect-four --moves 4453
  proofwood show tic-tac-toe --position \".../.x./... o\"

Players are numbered from 0.")]
pub(crate) struct Show {
    #[command(flatten)]
    start: Start,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let found = self.start.find()?;
        let view = found.position.view();
        if self.json {
            let last = found.played.last().map(String::as_str);
            printer.json(&PlyJson::new(&found.game, found.played.len(), last, &view))?;
        } else {
            printer.text(&answers::position(&view))?;
        }
        Ok(Ended::Done)
    }
}
