//! The search of one position, as `search` and `solve` run it.

use super::observer::{self, Observer};
use crate::{Ended, Trouble};
use proofwood::{Budget, Config, StopReason};
use proofwood_any_game::{Answer, Position, Searching};

/// What an audit found: nothing, or what is wrong.
pub type AuditResult = Result<(), String>;

/// How an audit is reported.
pub fn audit_text(audit: AuditResult) -> String {
    audit.map_or_else(|wrong| wrong, |()| "ok".to_string())
}

/// A search that has ended.
pub struct Searched {
    /// The search.
    pub search: Box<dyn Searching>,
    /// Its answer.
    pub answer: Answer,
    /// How its audit ended, where there was one.
    pub audit: Option<AuditResult>,
}

/// Searches a position.
pub fn search(
    position: &dyn Position,
    config: &Config,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Searched, Trouble> {
    run(position.search(config)?, config, budget, observer)
}

/// Runs a search that is ready.
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

/// How a search ended.
pub fn outcome(answer: &Answer, audit: Option<&AuditResult>) -> Ended {
    match audit {
        Some(Err(_)) => Ended::Failed,
        _ if answer.stop_reason == Some(StopReason::Cancelled) => Ended::Interrupted,
        _ => Ended::Done,
    }
}
