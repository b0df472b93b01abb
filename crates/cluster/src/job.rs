//! The shapes of jobs and answers. Both may come from a stranger: every field is checked where
//! it is used as the command line would check it, and fields that nobody knows are refused.

use crate::order::Work;
use proofwood::prover::SharedEntry;
use proofwood_any_game::NumbersAnswer;
use proofwood_session::input::given::Given;
use proofwood_session::input::position_file::EntryText;
pub use proofwood_session::solving::remote::Refused;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The version of these shapes.
pub(crate) const FORMAT: u32 = 2;

/// This program's version: another one may search another tree.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A job that this many workers have begun and not ended is begun by no more of them: it may be
/// what ends them.
pub(crate) const MOST_BEGUN: i64 = 100;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The version of the shapes.
    pub format: u32,
    /// The version of the program that asks.
    pub version: String,
    /// Workers that are not to do it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The task.
    pub task: Task,
}

/// What there is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// A position to solve.
    Solve(SolveTask),
    /// A part of a proof.
    Part(PartTask),
    /// A game to play.
    Game(GameTask),
}

/// A position to solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveTask {
    /// The line of the file of positions.
    pub line: u64,
    /// The name of the line, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The game.
    pub game: String,
    /// The position.
    pub text: EntryText,
    /// Options and limits.
    pub options: Given,
    /// How soon the winner wins is asked for, too.
    #[serde(default)]
    pub shortest: bool,
    /// A proof is wanted, which will have this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
}

/// A part of a proof: a position, and whether a player can force a win there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartTask {
    /// The number of its leaf, for people.
    pub leaf: u64,
    /// The game.
    pub game: String,
    /// The position.
    pub text: EntryText,
    /// The prover, the player and the limits.
    pub options: Given,
    /// Workers at the proof, which tell each other what they find out.
    pub workers: usize,
    /// A certificate is wanted.
    #[serde(default)]
    pub certificate: bool,
}

/// A game of a contest to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTask {
    /// Its number in the contest.
    pub number: u64,
    /// The game, for people.
    pub game: String,
    /// What else it follows from, for who plays it.
    pub order: Value,
}

/// What came of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The version of the shapes.
    pub format: u32,
    /// Who did it.
    pub worker: String,
    /// The result.
    pub done: Done,
}

/// What was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Done {
    /// A position was solved, or searched to its limits.
    Solved {
        /// The object that `solve --json` prints for the position.
        answer: Box<RawValue>,
        /// The name under which the proof is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<String>,
    },
    /// A part of a proof was searched.
    Part(PartAnswer),
    /// The record of a game.
    Played(Value),
    /// There is no result.
    Failed(Refused),
}

impl Done {
    /// Something went wrong here.
    pub(crate) fn failed(why: impl Into<String>) -> Done {
        Done::Failed(Refused { is_input: false, why: why.into() })
    }

    /// What was asked for is wrong.
    pub(crate) fn wrong(why: impl Into<String>) -> Done {
        Done::Failed(Refused { is_input: true, why: why.into() })
    }
}

/// What came of a part of a proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartAnswer {
    /// Whether the player can force a win; null as long as that is open.
    pub wins: Option<bool>,
    /// The move that wins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_move: Option<String>,
    /// Nodes that it took.
    pub nodes: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// What is left where it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<NumbersAnswer>,
    /// The name under which the proof is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

impl PartAnswer {
    /// Refuses what no prover takes: sums of it would overflow.
    pub(crate) fn check(&self) -> Result<(), String> {
        const MOST: u64 = 1 << 48;
        match self.nodes <= MOST && (0.0..=MOST as f64).contains(&self.seconds) {
            true => Ok(()),
            false => Err(format!("it took {} nodes and {} seconds", self.nodes, self.seconds)),
        }
    }
}

impl Job {
    /// A job that any worker may do.
    pub fn new(task: Task) -> Job {
        Job { format: FORMAT, version: VERSION.into(), without: Vec::new(), task }
    }

    /// Reads a job.
    pub(crate) fn read(bytes: &[u8]) -> Result<Job, String> {
        let job: Job = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match job.format == FORMAT {
            true => Ok(job),
            false => Err(format!("its format is {}, and {FORMAT} is known", job.format)),
        }
    }
}

impl Answer {
    /// Reads an answer; where it is none, somebody unknown answers nothing that holds.
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

/// Whether a text is one that workers and runs may be called by: it is a part of a subject.
pub(crate) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// Who is at work, as it says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name.
    pub name: String,
    /// The version of its program.
    pub version: String,
    /// Jobs at a time.
    pub jobs: usize,
    /// Threads of a job.
    pub threads: usize,
    /// What it does now.
    pub doing: Vec<String>,
    /// Jobs that it has done.
    pub done: u64,
    /// Seconds since it came.
    pub seconds: f64,
}

/// What a worker tells all others about a proof: this as a line of JSON, then findings as
/// [`SharedEntry::write`] writes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct EntriesHeader {
    pub(crate) format: u32,
    pub(crate) worker: String,
    /// The name of what the meaning of findings depends on; see `SharedEntries::premises`.
    pub(crate) premises: String,
}

impl EntriesHeader {
    /// The message.
    pub(crate) fn message(&self, findings: &[SharedEntry]) -> Vec<u8> {
        let mut message = serde_json::to_vec(self).unwrap_or_default();
        message.push(b'\n');
        SharedEntry::write(findings, &mut message);
        message
    }

    /// Reads a message, with the bytes of its findings; `None` where it is none.
    pub(crate) fn read(message: &[u8]) -> Option<(EntriesHeader, &[u8])> {
        let end = message.iter().position(|&byte| byte == b'\n')?;
        let header: EntriesHeader = serde_json::from_slice(&message[..end]).ok()?;
        let fits = header.format == FORMAT && is_name(&header.worker);
        fits.then_some((header, &message[end + 1..]))
    }
}

/// A run: jobs that belong together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRecord {
    /// What was asked for, for people.
    pub(crate) what: String,
    /// The progress of a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<Progress>,
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The proof number of the root.
    pub proof_number: u64,
    /// The disproof number.
    pub disproof_number: u64,
    /// Nodes of the tree above the jobs.
    pub tree: u64,
    /// Jobs under way.
    pub under_way: u64,
    /// What all workers have done.
    pub work: Work,
    /// Seconds since it began.
    pub seconds: f64,
}
