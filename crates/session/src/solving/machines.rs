//! The interface of the commands to remote machines.

use proofwood::{CancelToken, ProverConfig};
use proofwood_any_game::{Position, ProofAnswer};
use proofwood_session::contest;
use proofwood_session::files::Whole;
use proofwood_session::input::given::Given;
use proofwood_session::solving::remote::{RemoteSet, SetOrder};
use proofwood_session::{Ended, Trouble};
use std::time::Duration;

/// A connection to machines that solve positions and play games for this program.
pub trait Remote: contest::RemoteGames {
    /// Starts a set of positions, or resumes it.
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet>;

    /// Prints the number of jobs and answers that exist for a set of positions.
    fn dry_run(&self, order: &SetOrder) -> Result<Ended, Trouble>;

    /// Proves the value of one position on several machines.
    fn prove(
        &self,
        order: ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<Proven, Trouble>;
}

pub struct ProofOrder {
    pub game: String,
    pub position: Box<dyn Position>,
    /// The text of the position before the moves; `None` for the game's start.
    pub start: Option<String>,
    pub moves: Vec<String>,
    /// The options of the prover, except goal, player and limits.
    pub options: Given,
    pub config: ProverConfig,
    /// The time limit for the whole proof.
    pub time: Option<Duration>,
}

pub struct Proven {
    pub answer: ProofAnswer,
    /// The numbers of positions and references in the certificate, if one was written.
    pub certificate: Option<(u64, u64)>,
    pub by: WorkJson,
}

#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct WorkJson {
    /// The number of jobs done in parallel at the end.
    pub at_a_time: usize,
    pub jobs: u64,
    /// The share of the workers' time without a job.
    pub between_jobs: f64,
}

impl WorkJson {
    pub(crate) fn text(self) -> String {
        let WorkJson { at_a_time, jobs, between_jobs } = self;
        let share = 100.0 * between_jobs;
        format!(
            "Machines {jobs} jobs, {at_a_time} at a time; {share:.1} % of the time between jobs\n"
        )
    }
}
