//! `proofwood serve`: starts a job server.

use super::LogLevel;
use super::console::Terminal;
use proofwood_cluster::{Access, ServeTask, serve};
use proofwood_session::{Ended, Trouble};
use std::path::PathBuf;

/// Start a job server
///
/// The server is the program nats-server, which must be installed. It keeps jobs and results
/// on the disk. It listens on this machine alone, unless it has a certificate and a password.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood serve --store jobs
  proofwood serve nats://127.0.0.1:4333 --store /var/lib/proofwood
  proofwood serve --store jobs --dry-run

Beyond this machine it takes tls:// with --tls-cert and --tls-key, and --user with
--password-file.

Exit status: that of nats-server, 1 where it cannot be started, 2 for bad options.")]
pub(crate) struct Serve {
    /// Where it listens
    #[arg(default_value = "nats://127.0.0.1:4222")]
    url: String,
    /// Keep jobs and results in this folder
    #[arg(long, value_name = "DIR")]
    store: PathBuf,
    /// Its certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of its certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Print the configuration of the server, and start none
    #[arg(long)]
    dry_run: bool,
    /// Write the server's log to standard error, with this much in it [default: to server.log in
    /// the folder]
    #[arg(long, value_name = "NAME")]
    log: Option<LogLevel>,
    #[command(flatten)]
    access: Access,
}

impl Serve {
    pub(crate) fn run(self) -> Result<Ended, Trouble> {
        let Serve { url, store, tls_cert, tls_key, dry_run, log, access } = self;
        let log = log.map(LogLevel::name);
        let task = ServeTask { url, store, tls_cert, tls_key, access, dry_run, log };
        serve(&task, &*Terminal::console()).map(|()| Ended::Done)
    }
}
