//! The shapes of jobs and answers. Both may come from a stranger: every field is checked where
//! it is used as the command line would check it, and fields that nobody knows are refused.

use crate::contest::GameRecord;
use crate::contest::GamesOrder;
use crate::input::position_file::EntryText;
use serde::{Deserialize, Serialize};

/// The version of these shapes.
pub(super) const FORMAT: u32 = 1;

/// This program's version: another one may search another tree.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A job that comes for the time after this one has ended as many workers: it is to end no
/// more of them.
pub(super) const MOST_DELIVERIES: i64 = 1000;

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
    /// Options and limits, by name, as the command line takes them.
    pub(super) options: Vec<(String, String)>,
    #[serde(default)]
    pub(super) shortest: bool,
    /// A proof is wanted, which will have this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) certificate: Option<String>,
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
                done: Done::Solved { json: String::new(), proof: None },
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

/// A run: jobs that belong together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RunRecord {
    /// What was asked for, for people.
    pub(super) what: String,
}
