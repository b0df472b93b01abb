//! The answers of jobs: those of `search --json` and `solve --json`, with the query that they
//! belong to.

use super::query::Job;
use proofwood_any_game::{Answered, AnyAnswer};
use serde::Serialize;
use serde_json::Value;

/// An answer to a query about one position.
#[derive(Serialize)]
pub(super) struct Reply<'a> {
    id: &'a Value,
    /// The number of the query's moves before the position.
    turn: u64,
    /// Whether it is the last answer about this position.
    done: bool,
    /// The search was ended before it began.
    #[serde(skip_serializing_if = "is_false")]
    no_results: bool,
    /// Why the search failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// The query's field at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(flatten)]
    answered: Option<Answered<'a>>,
    /// The name of the tree that was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) saved_tree: Option<String>,
    /// Why the tree was not saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_saved: Option<String>,
}

fn is_false(it: &bool) -> bool {
    !it
}

impl<'a> Reply<'a> {
    fn new(job: &'a Job, done: bool) -> Reply<'a> {
        Reply {
            id: &job.asked.id,
            turn: job.turn,
            done,
            no_results: false,
            error: None,
            field: None,
            answered: None,
            saved_tree: None,
            not_saved: None,
        }
    }

    /// The answer of a job that was ended before it began.
    pub(super) fn nothing(job: &'a Job) -> Reply<'a> {
        Reply { no_results: true, ..Reply::new(job, true) }
    }

    /// The answer of a job that failed, with the field at fault where the error names it.
    pub(super) fn error(job: &'a Job, error: &'a str) -> Reply<'a> {
        let named = error.split_once(": ").map(|(field, _)| field);
        let field = named.filter(|field| ["load_tree", "save_tree"].contains(field));
        Reply { error: Some(error), field, ..Reply::new(job, true) }
    }

    /// The answer of a search or a prover about the job's position, with the position's text.
    pub(super) fn known(
        job: &'a Job,
        position: &'a str,
        answer: impl Into<AnyAnswer<'a>>,
        done: bool,
    ) -> Reply<'a> {
        let answered = Answered { game: &job.asked.game, position, answer: answer.into() };
        Reply { answered: Some(answered), ..Reply::new(job, done) }
    }
}
