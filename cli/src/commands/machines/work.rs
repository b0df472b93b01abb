//! `proofwood work`: runs a worker.

use super::LogLevel;
use super::console::Terminal;
use crate::terminal::interrupt::Interrupt;
use proofwood::options::read_bytes;
use proofwood_cluster::{Access, WorkTask, work};
use proofwood_session::input::limits::{read, whole};
use proofwood_session::input::threads::cores;
use proofwood_session::{Ended, Trouble};

/// Run a worker for `solve --on` and `match --on`
///
/// A worker takes one job after another from a server and sends back the answers. Any number of
/// workers can run, on any machines, and they may come and go: if a worker disappears, its job
/// passes to another.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood work --connect nats://127.0.0.1:4222
  proofwood work --connect nats://127.0.0.1:4222 --jobs 4 --threads 1
  proofwood work --connect tls://jobs.example:4222 --creds worker.creds

Exit status: 0 at the end with --once, 1 for a failure, 2 for bad options, 130 after Ctrl-C,
which returns unfinished jobs to the server.")]
pub(crate) struct Work {
    /// URL of the server
    #[arg(long, value_name = "URL")]
    connect: String,
    /// Name of this worker: up to 64 letters, digits, - and _ [default: the machine's name and some
    /// digits]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Number of jobs to run at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1,
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    jobs: u16,
    /// Threads for each job, unless the job sets them [default: all cores, shared among the jobs]
    #[arg(long, value_name = "NUMBER",
        value_parser = whole::<u16>(1..=1024), allow_negative_numbers = true)]
    threads: Option<u16>,
    /// Memory for each job, unless the job sets it, such as 512M [default: that of the job's
    /// command]
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    memory: Option<String>,
    /// Exit when no jobs are left
    #[arg(long)]
    once: bool,
    /// Write a log at this level to standard error
    #[arg(long, value_name = "NAME")]
    log: Option<LogLevel>,
    #[command(flatten)]
    access: Access,
}

impl Work {
    pub(crate) fn run(self) -> Result<Ended, Trouble> {
        let memory = read("--memory", self.memory.as_deref(), read_bytes)?;
        let jobs = usize::from(self.jobs);
        let task = WorkTask {
            url: self.connect,
            access: self.access,
            name: self.name,
            jobs,
            threads: self.threads.map_or_else(|| (cores() / jobs).max(1), usize::from),
            memory,
            once: self.once,
            log: self.log.map(LogLevel::name),
        };
        let interrupt = Interrupt::catch()?;
        work(&task, &Terminal::console(), interrupt.token().clone())?;
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }
}
