//! Many machines at one set of jobs.
//!
//! Jobs, answers and who is at work are messages in streams of a NATS server with JetStream;
//! nothing here queues, leases or elects. The page "Protocols" of the book has the shapes.
//!
//! - [`access`]: the server's address, and what may be sent there unprotected: nothing.
//! - [`job`]: the shapes of jobs and answers, and their checks.
//! - [`order`]: one position for all machines; `plan`: which of its positions are jobs, and
//!   `tree`, the proof-number tree above these; `pace`: how large jobs are; `share`: what
//!   machines tell each other; `stitch`: one certificate of their many; `rehearsal`: all of it
//!   in simulated time, without a server.
//! - `engine`: everything that talks to the server, in a program built with the feature
//!   `machines`. What talks takes long to build, so the usual program has [`absent`] in its
//!   place, which says so.

#[cfg(not(feature = "machines"))]
mod absent;
mod access;
#[cfg(feature = "machines")]
mod engine;
#[cfg(feature = "machines")]
mod job;
#[cfg_attr(not(feature = "machines"), allow(dead_code, reason = "nobody proves here"))]
mod order;
#[cfg(feature = "machines")]
mod pace;
#[cfg(feature = "machines")]
mod plan;
#[cfg(feature = "machines")]
mod rehearsal;
#[cfg(feature = "machines")]
mod share;
#[cfg(feature = "machines")]
mod stitch;
#[cfg(feature = "machines")]
mod tree;

#[cfg(not(feature = "machines"))]
pub use absent::Machines;
#[cfg(not(feature = "machines"))]
pub(crate) use absent::{serve, status, work};
pub(crate) use access::Access;
pub use access::On;
#[cfg(feature = "machines")]
pub use engine::Machines;
#[cfg(feature = "machines")]
pub(crate) use engine::{serve, status, work};
pub(crate) use order::{OneAnswer, OneOrder};
#[cfg(feature = "machines")]
pub use rehearsal::{Rehearsal, Rehearsed};

#[cfg(feature = "machines")]
use proofwood::ProofGoal;
use proofwood_session::input::threads::cores;
use std::path::PathBuf;

/// Whose wins are asked for, one after the other until one can win.
#[cfg(feature = "machines")]
fn questions(goal: ProofGoal, player: usize) -> Vec<usize> {
    // A win; if not, not to lose: the opponent's win.
    match goal {
        ProofGoal::Win => vec![player],
        ProofGoal::DrawOrBetter => vec![1 - player],
        _ => vec![player, 1 - player],
    }
}

/// What an answer says of whether its player wins.
#[cfg(feature = "machines")]
fn verdict_of(settled: bool, value: &str) -> Option<bool> {
    match (settled, value) {
        (true, "win") => Some(true),
        (true, "not-win" | "draw" | "loss") => Some(false),
        _ => None,
    }
}

/// What a worker is told.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "machines"), expect(dead_code, reason = "nobody works here"))]
pub(crate) struct WorkTask {
    pub(crate) url: String,
    pub(crate) access: Access,
    /// What it is called; a name of its own where none was given.
    pub(crate) name: Option<String>,
    /// Jobs at a time.
    pub(crate) jobs: usize,
    /// Threads of a job that does not say how many.
    pub(crate) threads: usize,
    /// Memory of a job that does not say how much.
    pub(crate) memory: Option<u64>,
    /// It ends once there is no job left.
    pub(crate) once: bool,
    /// What is written to its log, by name; nothing where there is none.
    pub(crate) log: Option<&'static str>,
}

/// What a server is told.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "machines"), expect(dead_code, reason = "nobody serves here"))]
pub(crate) struct ServeTask {
    pub(crate) url: String,
    /// Where streams are kept.
    pub(crate) store: PathBuf,
    pub(crate) tls_cert: Option<PathBuf>,
    pub(crate) tls_key: Option<PathBuf>,
    pub(crate) access: Access,
    /// Prints what the server would be told, and starts none.
    pub(crate) dry_run: bool,
    /// What is written to its log, by name; as nats-server has it where there is none.
    pub(crate) log: Option<&'static str>,
}

/// What somebody wants to know.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "machines"), expect(dead_code, reason = "there is nothing to know"))]
pub(crate) struct StatusTask {
    pub(crate) url: String,
    pub(crate) access: Access,
    pub(crate) json: bool,
    /// Goes on until Ctrl-C.
    pub(crate) watch: bool,
    /// Forgets this run: its jobs, its answers and its proofs.
    pub(crate) forget: Option<String>,
}

/// What may be written to a log, the least first.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum LogLevel {
    /// What goes wrong
    Error,
    /// What may go wrong
    Warn,
    /// Every job
    Info,
    /// Every message
    Debug,
    /// Everything
    Trace,
}

impl LogLevel {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            LogLevel::Error => "error",
            LogLevel::Warn => "warn",
            LogLevel::Info => "info",
            LogLevel::Debug => "debug",
            LogLevel::Trace => "trace",
        }
    }
}

/// Threads of a job that says nothing, where a worker has so many jobs at a time.
pub(crate) fn threads_for(jobs: usize) -> usize {
    (cores() / jobs.max(1)).max(1)
}
