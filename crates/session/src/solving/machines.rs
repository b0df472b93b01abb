//! Connections to other machines that solve positions and play games.

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
    /// Starts or resumes solving a set of positions.
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet>;

    /// Prints how many jobs a set of positions has, and how many of the answers already exist.
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
    /// The description of the game.
    pub game: String,
    /// The rules of the game.
    pub rules: Box<dyn Rules>,
    /// The position to prove.
    pub position: Box<dyn Position>,
    /// The text of the position before `moves`; `None` for the game's start.
    pub start: Option<String>,
    /// The moves that lead from there to `position`.
    pub moves: Vec<String>,
    /// The options of the prover, except goal, player and limits.
    pub options: Given,
    /// The configuration of the prover.
    pub config: ProverConfig,
    /// The time limit for the whole proof.
    pub time: Option<Duration>,
}

/// The answer about one position.
pub struct Proven {
    /// The answer, in the form in which a single prover would return it.
    pub answer: ProofAnswer,
    /// The numbers of positions and references in the certificate, if one was written.
    pub certificate: Option<(u64, u64)>,
    /// The work that the machines have done.
    pub by: WorkJson,
}

/// The work that other machines did for an answer.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WorkJson {
    /// The number of jobs that were being done in parallel at the end.
    pub at_a_time: usize,
    /// The number of jobs that were answered.
    pub jobs: u64,
    /// The share of their time that the workers spent without a job.
    pub between_jobs: f64,
}

impl WorkJson {
    /// Formats the work as a line for users.
    pub fn text(self) -> String {
        let WorkJson { at_a_time, jobs, between_jobs } = self;
        let share = 100.0 * between_jobs;
        format!(
            "Machines {jobs} jobs, {at_a_time} at a time; workers idle {share:.1} % of the time\n"
        )
    }
}
