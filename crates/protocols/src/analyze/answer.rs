//! Answers to queries: the objects of `search --json` and `solve --json`, with the query's id.

use super::query::Job;
use proofwood_any_game::{Answered, AnyAnswer};
use serde::Serialize;
use serde_json::Value;

/// An answer to a query of `analyze`.
#[derive(Serialize)]
pub(super) struct Reply<'a> {
    /// The query's id; null for a line without an id.
    id: &'a Value,
    /// The number of the query's moves before the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u64>,
    /// Whether this is the last answer about the position.
    done: bool,
    /// True for a position whose query was stopped before its search began.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_results: Option<bool>,
    /// The reason why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The field of the query that caused the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    /// Whether the query `stop` has ended another query.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<bool>,
    /// The program's version, for the query `version`.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'a str>,
    #[serde(flatten)]
    answered: Option<Answered<'a>>,
    /// The name under which the tree was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) saved_tree: Option<String>,
    /// The reason why the tree was not saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_saved: Option<String>,
}

impl<'a> Reply<'a> {
    fn new(id: &'a Value, turn: Option<u64>, done: bool) -> Reply<'a> {
        Reply {
            id,
            turn,
            done,
            no_results: None,
            error: None,
            field: None,
            stopped: None,
            version: None,
            answered: None,
            saved_tree: None,
            not_saved: None,
        }
    }

    fn of(job: &'a Job, done: bool) -> Reply<'a> {
        Reply::new(&job.asked.id, Some(job.turn), done)
    }

    pub(super) fn stopped(id: &'a Value, stopped: bool) -> Reply<'a> {
        Reply { stopped: Some(stopped), ..Reply::new(id, None, true) }
    }

    pub(super) fn version(id: &'a Value) -> Reply<'a> {
        Reply { version: Some(env!("CARGO_PKG_VERSION")), ..Reply::new(id, None, true) }
    }

    /// Returns the answer to a job that was stopped before it began.
    pub(super) fn nothing(job: &'a Job) -> Reply<'a> {
        Reply { no_results: Some(true), ..Reply::of(job, true) }
    }

    /// Returns the answer to a job that failed, with the field at fault if the error names it.
    pub(super) fn error(job: &'a Job, error: &'a str) -> Reply<'a> {
        let named = error.split_once(": ").map(|(field, _)| field);
        let field = named.filter(|field| ["load_tree", "save_tree"].contains(field));
        Reply { error: Some(error), field, ..Reply::of(job, true) }
    }

    /// Returns the answer with the result of a search or a prover and the position's text.
    pub(super) fn known(
        job: &'a Job,
        position: &'a str,
        answer: impl Into<AnyAnswer<'a>>,
        done: bool,
    ) -> Reply<'a> {
        let answered = Answered { game: &job.asked.game, position, answer: answer.into() };
        Reply { answered: Some(answered), ..Reply::of(job, done) }
    }

    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("an answer is plain data")
    }
}
