//! Many machines: the commands `serve`, `work` and `status`, and the option `--on` of other
//! commands.

mod console;
mod execute;
mod games;
mod positions;
mod serve;
mod status;
mod work;

use super::remote::{ProofOrder, Proven, Remote, WorkJson};
use crate::terminal::print::Printer;
use console::Terminal;
use proofwood::CancelToken;
use proofwood_cluster::order::OneOrder;
use proofwood_cluster::{Access, Machines};
use proofwood_session::files::Whole;
use proofwood_session::input::spec::find_game;
use proofwood_session::solving::remote::{RemoteSet, SetOrder};
use proofwood_session::{Ended, Trouble};

/// The option `--on` and the credentials for its server.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct On {
    /// Use the workers of this server, such as nats://127.0.0.1:4222; `proofwood serve` starts a
    /// server, `proofwood work` a worker
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

/// The commands for many machines.
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

/// The levels of a log, the least first.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LogLevel {
    /// Errors
    Error,
    /// Errors and warnings
    Warn,
    /// Also every job
    Info,
    /// Also every message
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

/// Connects to the server, if `--on` names one.
pub fn connect(on: &On) -> Result<Option<Box<dyn Remote>>, Trouble> {
    let Some(url) = on.url() else { return Ok(None) };
    let machines = Machines::connect(url, &on.access, &Terminal::console())?;
    Ok(Some(Box::new(Many(machines))))
}

struct Many(Machines);

impl Remote for Many {
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet> {
        positions::positions(self.0, order)
    }

    fn dry_run(&self, order: &SetOrder) -> Result<Ended, Trouble> {
        positions::dry_run(&self.0, order)
    }

    fn prove(
        &self,
        order: ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<Proven, Trouble> {
        let ProofOrder { game, position, start, moves, options, config, time } = order;
        let (_, rules) = find_game(&game)?;
        let order = OneOrder { game, rules, position, start, moves, options, config, time };
        let answer = self.0.prove(&order, cancel, certificate)?;
        let by = WorkJson {
            at_a_time: answer.slots,
            jobs: answer.work.jobs,
            between_jobs: answer.work.between_jobs(),
        };
        let certificate = answer.certificate;
        let answer = answer.proof_answer(&order, &order.position.view());
        Ok(Proven { answer, certificate, by })
    }
}
