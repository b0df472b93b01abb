//! `proofwood status`: runs and workers of a server.

use crate::machines::{Access, StatusTask, status};
use crate::terminal::print::Printer;
use proofwood_session::{Ended, Trouble};

/// Show the runs and the workers of a server
///
/// A run is what one `solve --on` or `match --on` has asked for. Its jobs and answers stay on
/// the server until it has ended, also when the program that asked is gone.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood status nats://127.0.0.1:4222
  proofwood status nats://127.0.0.1:4222 --watch
  proofwood status nats://127.0.0.1:4222 --json
  proofwood status nats://127.0.0.1:4222 --forget 1f0c6f2a9b3d4e58")]
pub(crate) struct Status {
    /// The server
    url: String,
    /// Forget a run: its jobs and its answers
    #[arg(long, value_name = "RUN")]
    forget: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Show it again every second, until Ctrl-C
    #[arg(long, conflicts_with = "forget")]
    watch: bool,
    #[command(flatten)]
    access: Access,
}

impl Status {
    /// Prints what there is.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let Status { url, forget, json, watch, access } = self;
        status(StatusTask { url, access, json, watch, forget }, printer)
    }
}
