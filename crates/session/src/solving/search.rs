//! Searches one position, for `search` and `solve`.

use super::observer::{self, Observer};
use crate::{Ended, Trouble};
use proofwood::{Budget, Config, StopReason};
use proofwood_any_game::{Answer, Position, Searching};

/// The result of an audit: `Ok`, or the error found in the tree.
pub type AuditResult = Result<(), String>;

/// Formats the result of an audit: `ok` or the error.
pub fn audit_text(audit: AuditResult) -> String {
    audit.map_or_else(|wrong| wrong, |()| "ok".to_string())
}

/// A finished search.
pub struct Searched {
    /// The search, with its tree.
    pub search: Box<dyn Searching>,
    /// The answer of the search.
    pub answer: Answer,
    /// The result of the audit, if there was one.
    pub audit: Option<AuditResult>,
}

/// Searches a position until `budget` is used up or the search ends by itself.
pub fn search(
    position: &dyn Position,
    config: &Config,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Searched, Trouble> {
    run(position.search(config)?, config, budget, observer)
}

/// Runs an existing search like [`search`], and audits its tree if the configuration says so.
pub fn run(
    mut search: Box<dyn Searching>,
    config: &Config,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Searched, Trouble> {
    let answer = observer::run(&mut *search, budget, observer)?;
    let audit = config.audit.then(|| {
        search.audit().map(|_| ()).map_err(|wrong| {
            observer.complain(&format!("the tree is inconsistent: {wrong}"));
            wrong.to_string()
        })
    });
    Ok(Searched { search, answer, audit })
}

/// Returns the result of the search, which determines the exit status.
pub fn outcome(answer: &Answer, audit: Option<&AuditResult>) -> Ended {
    match audit {
        Some(Err(_)) => Ended::Failed,
        _ if answer.stop_reason == Some(StopReason::Cancelled) => Ended::Interrupted,
        _ => Ended::Done,
    }
}
