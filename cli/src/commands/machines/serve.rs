//! `proofwood serve`: starts a job server.

use super::LogLevel;
use super::console::Terminal;
use proofwood_cluster::{Access, ServeTask, serve};
use proofwood_session::{Ended, Trouble};
use std::path::PathBuf;

/// Start a job server
///
/// The server is the program nats-server, which must be installed. It keeps jobs and results on
/// disk and listens on this machine only, unless it has a certificate and a password.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood serve --store jobs
  proofwood serve nats://127.0.0.1:4333 --store /var/lib/proofwood
  proofwood serve --store jobs --dry-run

To serve other machines, give a tls:// address with --tls-cert and --tls-key,
and --user with --password-file.

Exit status: that of nats-server, 1 if it cannot be started, 2 for bad options.")]
pub(crate) struct Serve {
    /// Address to listen on
    #[arg(default_value = "nats://127.0.0.1:4222")]
    url: String,
    /// Keep jobs and results in this folder
    #[arg(long, value_name = "DIR")]
    store: PathBuf,
    /// TLS certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key of the TLS certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Print the server's configuration without starting it
    #[arg(long)]
    dry_run: bool,
    /// Write the server's log to standard error at this level [default: to server.log in the
    /// folder]
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
