//! Jobs and answers as JSON. Both may come from an untrusted source, so every field is checked like
//! an option on the command line, and unknown fields are refused.

use crate::order::Work;
use proofwood::prover::SharedEntry;
use proofwood_any_game::NumbersAnswer;
use proofwood_session::input::given::Given;
use proofwood_session::input::position_file::EntryText;
pub use proofwood_session::solving::remote::Refused;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The version of the format of jobs and answers.
pub(crate) const FORMAT: u32 = 2;

/// The version of this program. Another version may search a different tree.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The maximum number of workers that may start a job. A job that none of them finishes may crash
/// its workers.
pub(crate) const MOST_BEGUN: i64 = 100;

/// A job for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that sends the job.
    pub version: String,
    /// The names of workers that must not do the job.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The work to be done.
    pub task: Task,
}

/// A kind of work, with its details.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Solve a position.
    Solve(SolveTask),
    /// Solve a subproblem of a proof.
    Part(PartTask),
    /// Play a game.
    Game(GameTask),
}

/// A position to be solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveTask {
    /// The number of its line in the file of positions.
    pub line: u64,
    /// The id of the line, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The description of the game.
    pub game: String,
    /// The text of the position.
    pub text: EntryText,
    /// The options and limits of the search.
    pub options: Given,
    /// Whether the length of the shortest win is asked for, too.
    #[serde(default)]
    pub shortest: bool,
    /// The name for the certificate, if one is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// A subproblem of a proof: can a player force a win from a position?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartTask {
    /// The number of the leaf in the coordinator's tree, for messages.
    pub leaf: u64,
    /// The description of the game.
    pub game: String,
    /// The text of the position.
    pub text: EntryText,
    /// The options: the prover, the player and the limits.
    pub options: Given,
    /// The number of workers that work on the proof and share their tables.
    pub workers: usize,
    /// Whether a certificate is wanted.
    #[serde(default)]
    pub certificate: bool,
}

/// A game of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTask {
    /// The number of the game in the contest.
    pub number: u64,
    /// The description of the game, for messages.
    pub game: String,
    /// The contest as JSON, for the worker that plays the game.
    pub order: Value,
}

/// The answer to a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The version of the format.
    pub format: u32,
    /// The name of the worker.
    pub worker: String,
    /// The result of the job.
    pub done: Done,
}

/// The result of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Done {
    /// The position was solved, or searched to its limits.
    Solved {
        /// The object that `solve --json` prints for the position.
        answer: Box<RawValue>,
        /// The name of the certificate on the server.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<String>,
    },
    /// The subproblem was searched.
    Part(PartAnswer),
    /// The game was played; this is its record.
    Played(Value),
    /// The job has no result, for this reason.
    Failed(Refused),
}

impl Done {
    /// Creates the answer for a failure of this machine.
    pub(crate) fn failed(why: impl Into<String>) -> Done {
        Done::Failed(Refused { is_input: false, why: why.into() })
    }

    /// Creates the answer that refuses an invalid job.
    pub(crate) fn wrong(why: impl Into<String>) -> Done {
        Done::Failed(Refused { is_input: true, why: why.into() })
    }
}

/// The result of a subproblem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartAnswer {
    /// Whether the player can force a win; `None` if that is still open.
    pub wins: Option<bool>,
    /// The winning move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_move: Option<String>,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The search time in seconds.
    pub seconds: f64,
    /// The proof numbers, if the question is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersAnswer>,
    /// The name of the certificate on the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

impl PartAnswer {
    /// Refuses counts that no prover reaches and whose sums would overflow.
    pub(crate) fn check(&self) -> Result<(), String> {
        const MOST: u64 = 1 << 48;
        match self.nodes <= MOST && (0.0..=MOST as f64).contains(&self.seconds) {
            true => Ok(()),
            false => Err(format!(
                "it reported an impossible {} nodes in {} seconds",
                self.nodes, self.seconds
            )),
        }
    }
}

impl Job {
    /// Creates a job for any worker.
    pub fn new(task: Task) -> Job {
        Job { format: FORMAT, version: VERSION.into(), without: Vec::new(), task }
    }

    /// Reads a job; refuses other versions of the format.
    pub(crate) fn read(bytes: &[u8]) -> Result<Job, String> {
        let job: Job = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match job.format == FORMAT {
            true => Ok(job),
            false => Err(format!("its format is {}, but this program reads {FORMAT}", job.format)),
        }
    }
}

impl Answer {
    /// Reads an answer. An invalid one becomes an empty answer of the worker `unknown`.
    pub(crate) fn read(bytes: &[u8]) -> Answer {
        let read: Result<Answer, _> = serde_json::from_slice(bytes);
        match read {
            Ok(answer) if answer.format == FORMAT && is_name(&answer.worker) => answer,
            _ => Answer {
                format: FORMAT,
                worker: "unknown".into(),
                done: Done::Solved { answer: RawValue::NULL.to_owned(), proof: None },
            },
        }
    }
}

/// Returns whether a text is valid as the name of a worker or a run, which is part of a subject.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// The announcement of a worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// The name of the worker.
    pub name: String,
    /// The version of the worker's program.
    pub version: String,
    /// The number of jobs that the worker does in parallel.
    pub jobs: usize,
    /// The number of threads of a job.
    pub threads: usize,
    /// Descriptions of the current jobs.
    pub doing: Vec<String>,
    /// The number of finished jobs.
    pub done: u64,
    /// The time since the worker started, in seconds.
    pub seconds: f64,
}

/// The header of a worker's published entries: one line of JSON, followed by the entries as
/// [`SharedEntry::write`] writes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EntriesHeader {
    pub(crate) format: u32,
    pub(crate) worker: String,
    /// A hash of the premises on which the meaning of entries depends; see
    /// `SharedEntries::premises`.
    pub(crate) premises: String,
}

impl EntriesHeader {
    pub(crate) fn message(&self, findings: &[SharedEntry]) -> Vec<u8> {
        let mut message = serde_json::to_vec(self).unwrap_or_default();
        message.push(b'\n');
        SharedEntry::write(findings, &mut message);
        message
    }

    /// Reads a message; returns the header and the bytes of the entries, or `None` if it is
    /// invalid.
    pub(crate) fn read(message: &[u8]) -> Option<(EntriesHeader, &[u8])> {
        let end = message.iter().position(|&byte| byte == b'\n')?;
        let header: EntriesHeader = serde_json::from_slice(&message[..end]).ok()?;
        let fits = header.format == FORMAT && is_name(&header.worker);
        fits.then_some((header, &message[end + 1..]))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    pub(crate) what: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<Progress>,
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The proof number of the root.
    pub proof_number: u64,
    /// The disproof number of the root.
    pub disproof_number: u64,
    /// The number of nodes in the coordinator's tree.
    pub tree: u64,
    /// The number of running jobs.
    pub under_way: u64,
    /// The effort of all workers.
    pub work: Work,
    /// The time since the start, in seconds.
    pub seconds: f64,
}
