//! The shapes of jobs and answers. Both may come from a stranger: every field is checked where
//! it is used as the command line would check it, and fields that nobody knows are refused.

use super::order::Work;
use crate::contest::GameRecord;
use crate::contest::GamesOrder;
use proofwood::Finding;
use proofwood_any_game::NumbersAnswer;
use proofwood_session::input::given::Given;
use proofwood_session::input::position_file::EntryText;
use serde::{Deserialize, Serialize};

/// The version of these shapes.
pub(super) const FORMAT: u32 = 1;

/// This program's version: another one may search another tree.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A job that this many workers have begun and not ended is begun by no more of them: it may be
/// what ends them.
pub(super) const MOST_BEGUN: i64 = 100;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    pub(super) format: u32,
    pub(super) version: String,
    /// Workers that are not to do it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) without: Vec<String>,
    pub(super) task: Task,
}

/// What there is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Task {
    Solve(SolveTask),
    Game(GameTask),
}

/// A position to solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveTask {
    pub(super) line: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    pub(super) game: String,
    pub(super) text: EntryText,
    pub(super) options: Given,
    #[serde(default)]
    pub(super) shortest: bool,
    /// A proof is wanted, which will have this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) certificate: Option<String>,
    /// It is a part of a proof, about which workers tell each other: so many of them there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) part_of: Option<usize>,
}

/// A game of a contest to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameTask {
    pub(super) number: u64,
    pub(super) order: GamesOrder,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub(super) format: u32,
    /// Who did it.
    pub(super) worker: String,
    pub(super) done: Done,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Done {
    Solved {
        /// The line of JSON that `solve` writes, word for word.
        json: String,
        /// The name under which the proof is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<String>,
        /// What is left of a part that is not ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        numbers: Option<NumbersAnswer>,
    },
    Played(Box<GameRecord>),
    Failed {
        /// What was asked for is wrong.
        is_input: bool,
        why: String,
    },
}

impl Job {
    pub(super) fn new(task: Task) -> Job {
        Job { format: FORMAT, version: VERSION.into(), without: Vec::new(), task }
    }

    /// Reads a job.
    pub(super) fn read(bytes: &[u8]) -> Result<Job, String> {
        let job: Job = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        match job.format == FORMAT {
            true => Ok(job),
            false => Err(format!("its format is {}, and {FORMAT} is known", job.format)),
        }
    }
}

impl Answer {
    /// Reads an answer; where it is none, somebody unknown answers nothing that holds.
    pub(super) fn read(bytes: &[u8]) -> Answer {
        let read: Result<Answer, _> = serde_json::from_slice(bytes);
        match read {
            Ok(answer) if answer.format == FORMAT && is_name(&answer.worker) => answer,
            _ => Answer {
                format: FORMAT,
                worker: "unknown".into(),
                done: Done::Solved { json: String::new(), proof: None, numbers: None },
            },
        }
    }
}

/// Whether a text is one that workers and runs may be called by: it is a part of a subject.
pub(super) fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=64).contains(&text.len()) && text.chars().all(fits)
}

/// Who is at work, as it says of itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Presence {
    pub(super) name: String,
    pub(super) version: String,
    /// Jobs at a time.
    pub(super) jobs: usize,
    pub(super) threads: usize,
    /// What it does now.
    pub(super) doing: Vec<String>,
    /// Jobs that it has done.
    pub(super) done: u64,
    /// Seconds since it came.
    pub(super) seconds: f64,
}

/// What a worker tells all others about a proof: this as a line of JSON, then findings as
/// [`Finding::write`] writes them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Telling {
    pub(super) format: u32,
    pub(super) worker: String,
    /// The name of what the meaning of findings depends on; see `Knowledge::premises`.
    pub(super) premises: String,
}

impl Telling {
    /// The message.
    pub(super) fn message(&self, findings: &[Finding]) -> Vec<u8> {
        let mut message = serde_json::to_vec(self).unwrap_or_default();
        message.push(b'\n');
        Finding::write(findings, &mut message);
        message
    }

    /// Reads a message, with the bytes of its findings; `None` where it is none.
    pub(super) fn read(message: &[u8]) -> Option<(Telling, &[u8])> {
        let end = message.iter().position(|&byte| byte == b'\n')?;
        let telling: Telling = serde_json::from_slice(&message[..end]).ok()?;
        let fits = telling.format == FORMAT && is_name(&telling.worker);
        fits.then_some((telling, &message[end + 1..]))
    }
}

/// A run: jobs that belong together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRecord {
    /// What was asked for, for people.
    pub(super) what: String,
    /// How far a proof is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<Progress>,
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// What the root's proof still takes, and its disproof, for all that is known.
    pub(super) proof_number: u64,
    pub(super) disproof_number: u64,
    /// Nodes of the tree above the jobs.
    pub(super) tree: u64,
    /// Jobs under way.
    pub(super) under_way: u64,
    /// What all workers have done.
    pub(super) work: Work,
    pub(super) seconds: f64,
}
