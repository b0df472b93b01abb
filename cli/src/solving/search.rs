//! The search of one position, as `search` and `solve` run it.

use super::live;
use crate::exit::complain;
use crate::terminal::progress::Watch;
use proofwood::{Budget, Config, StopReason};
use proofwood_any_game::{Answer, Position, Searching};
use proofwood_session::{Ended, Trouble};

/// What an audit found: nothing, or what is wrong.
pub(crate) type AuditResult = Result<(), String>;

/// How an audit is reported.
pub(crate) fn audit_text(audit: AuditResult) -> String {
    audit.map_or_else(|wrong| wrong, |()| "ok".to_string())
}

/// A search that has ended.
pub(crate) struct Searched {
    pub(crate) search: Box<dyn Searching>,
    pub(crate) answer: Answer,
    pub(crate) audit: Option<AuditResult>,
}

/// Searches a position.
pub(crate) fn search(
    position: &dyn Position,
    config: &Config,
    budget: &Budget,
    watch: Watch<'_>,
) -> Result<Searched, Trouble> {
    run(position.search(config)?, config, budget, watch)
}

/// Runs a search that is ready.
pub(crate) fn run(
    mut search: Box<dyn Searching>,
    config: &Config,
    budget: &Budget,
    watch: Watch<'_>,
) -> Result<Searched, Trouble> {
    let answer = live::run(&mut *search, budget, watch)?;
    let audit = config.audit.then(|| {
        search.audit().map(|_| ()).map_err(|wrong| {
            complain(&format!("the tree is inconsistent: {wrong}"));
            wrong.to_string()
        })
    });
    Ok(Searched { search, answer, audit })
}

/// How a search ended.
pub(crate) fn outcome(answer: &Answer, audit: Option<&AuditResult>) -> Ended {
    match audit {
        Some(Err(_)) => Ended::Failed,
        _ if answer.stop_reason == Some(StopReason::Cancelled) => Ended::Interrupted,
        _ => Ended::Done,
    }
}
