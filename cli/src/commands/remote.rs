//! Other machines that do the work, as the commands know them.

use proofwood::{CancelToken, ProverConfig};
use proofwood_any_game::{Position, ProofAnswer};
use proofwood_session::contest;
use proofwood_session::files::Whole;
use proofwood_session::input::given::Given;
use proofwood_session::solving::remote::{RemoteSet, SetOrder};
use proofwood_session::{Ended, Trouble};
use std::time::Duration;

/// Machines that solve positions and play games for this program.
pub trait Remote: contest::RemoteGames {
    /// Has a set of positions solved.
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet>;

    /// Says what there is for a set of positions.
    fn dry_run(&self, order: &SetOrder) -> Result<Ended, Trouble>;

    /// Proves who wins from one position.
    fn prove(
        &self,
        order: ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<Proven, Trouble>;
}

/// One position that other machines are to prove.
pub struct ProofOrder {
    /// The game.
    pub game: String,
    /// The position.
    pub position: Box<dyn Position>,
    /// The text of the position before the moves; none for the game's start.
    pub start: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
    /// Options of the prover: all but goal, player and limits.
    pub options: Given,
    /// The prover.
    pub config: ProverConfig,
    /// The time for all of it.
    pub time: Option<Duration>,
}

/// The answer about one position.
pub struct Proven {
    /// The answer as a prover gives it.
    pub answer: ProofAnswer,
    /// Positions and references of the certificate, where one was written.
    pub certificate: Option<(u64, u64)>,
    /// The machines' work.
    pub by: WorkJson,
}

/// The work of other machines for an answer.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct WorkJson {
    /// Jobs that workers did at a time, at the end.
    pub at_a_time: usize,
    /// Jobs that were answered.
    pub jobs: u64,
    /// The share of the workers' time in which no job was under way.
    pub between_jobs: f64,
}

impl WorkJson {
    /// For people.
    pub(crate) fn text(self) -> String {
        let WorkJson { at_a_time, jobs, between_jobs } = self;
        let share = 100.0 * between_jobs;
        format!(
            "Machines {jobs} jobs, {at_a_time} at a time; {share:.1} % of the time between jobs\n"
        )
    }
}
