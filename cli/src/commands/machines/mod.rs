//! Work on many machines: the commands `serve`, `work` and `status`, and the option `--on` of other
//! commands.

mod console;
mod serve;
mod status;
mod work;

use crate::terminal::print::Printer;
use console::Terminal;
use proofwood_cluster::{Access, Machines};
use proofwood_session::solving::machines::Remote;
use proofwood_session::{Ended, Trouble};

/// The option `--on` and the credentials for its server.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct On {
    /// Use the workers of this server, such as nats://127.0.0.1:4222; `proofwood serve` starts a
    /// server, and `proofwood work` a worker
    #[arg(long, value_name = "URL", help_heading = "Many machines")]
    on: Option<String>,
    #[command(flatten)]
    access: Access,
}

impl On {
    pub(crate) fn url(&self) -> Option<&str> {
        self.on.as_deref()
    }
}

/// The commands that work with many machines.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    Serve(serve::Serve),
    Work(work::Work),
    Status(status::Status),
}

impl Command {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        match self {
            Command::Serve(command) => command.run(),
            Command::Work(command) => command.run(),
            Command::Status(command) => command.run(printer),
        }
    }
}

/// The levels of a log, from the least detailed to the most detailed.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LogLevel {
    /// Errors
    Error,
    /// Errors and warnings
    Warn,
    /// Errors, warnings and jobs
    Info,
    /// Errors, warnings, jobs and messages
    Debug,
    /// Everything
    Trace,
}

impl LogLevel {
    fn name(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

/// Connects to the server that `--on` names; `None` without `--on`.
pub fn connect(on: &On) -> Result<Option<Box<dyn Remote>>, Trouble> {
    let Some(url) = on.url() else { return Ok(None) };
    let machines = Machines::connect(url, &on.access, &Terminal::console())?;
    Ok(Some(Box::new(machines)))
}
