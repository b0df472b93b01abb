//! Other machines that do the work.

use super::remote::{RemoteSet, SetOrder};
use crate::contest::RemoteGames;
use crate::files::Whole;
use crate::input::given::Given;
use crate::{Ended, Trouble};
use proofwood::{CancelToken, ProverConfig};
use proofwood_any_game::{Position, ProofAnswer, Rules};
use serde::Serialize;
use std::time::Duration;

/// A connection to machines that solve positions and play games for this program.
pub trait Remote: RemoteGames {
    /// Starts a set of positions, or resumes it.
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet>;

    /// Prints the number of jobs and answers that exist for a set of positions.
    fn dry_run(&self, order: &SetOrder) -> Result<Ended, Trouble>;

    /// Proves the value of one position on several machines.
    fn prove(
        &self,
        order: &ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<Proven, Trouble>;
}

/// A position to be proven by other machines.
pub struct ProofOrder {
    /// The game.
    pub game: String,
    /// Its rules.
    pub rules: Box<dyn Rules>,
    /// The position.
    pub position: Box<dyn Position>,
    /// The text of the position before the moves; `None` for the game's start.
    pub start: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
    /// The options of the prover, except goal, player and limits.
    pub options: Given,
    /// The prover.
    pub config: ProverConfig,
    /// The time limit for the whole proof.
    pub time: Option<Duration>,
}

/// The answer about one position.
pub struct Proven {
    /// The answer as a prover gives it.
    pub answer: ProofAnswer,
    /// The numbers of positions and references in the certificate, if one was written.
    pub certificate: Option<(u64, u64)>,
    /// The machines' work.
    pub by: WorkJson,
}

/// The work of other machines for an answer.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WorkJson {
    /// The number of jobs done in parallel at the end.
    pub at_a_time: usize,
    /// Jobs that were answered.
    pub jobs: u64,
    /// The share of the workers' time without a job.
    pub between_jobs: f64,
}

impl WorkJson {
    /// For people.
    pub fn text(self) -> String {
        let WorkJson { at_a_time, jobs, between_jobs } = self;
        let share = 100.0 * between_jobs;
        format!(
            "Machines {jobs} jobs, {at_a_time} at a time; {share:.1} % of the time between jobs\n"
        )
    }
}
