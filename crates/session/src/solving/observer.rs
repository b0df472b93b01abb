//! Observers of searches and of work on files.

use super::checkpoint::Checkpoints;
use proofwood::{Budget, SearchError};
use proofwood_any_game::{Answer, ProofAnswer, Proving, Searching};
use std::thread;
use std::time::Duration;

/// Shows the progress of searches and of work on files, and reports warnings.
pub trait Observer {
    /// Shows that work on a file has begun; `doing` is a word such as `writing`.
    fn begin(&self, doing: &str, name: &str);

    /// Shows that the work on the file has ended.
    fn end(&self);

    /// Reports a problem that does not end the work.
    fn complain(&self, what: &str);

    /// Shows the progress of a search until it ends.
    fn follow(&self, search: &dyn Searching, budget: &Budget);

    /// Shows the progress of a proof search until it ends; calls `meanwhile` at intervals.
    fn follow_proof(
        &self,
        search: &dyn Proving,
        budget: &Budget,
        meanwhile: Option<&mut dyn FnMut()>,
    );
}

/// An observer that shows nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn begin(&self, _: &str, _: &str) {}

    fn end(&self) {}

    fn complain(&self, _: &str) {}

    fn follow(&self, _: &dyn Searching, _: &Budget) {}

    fn follow_proof(&self, search: &dyn Proving, _: &Budget, meanwhile: Option<&mut dyn FnMut()>) {
        const INTERVAL: Duration = Duration::from_millis(20);
        let Some(meanwhile) = meanwhile else { return };
        while search.is_running() {
            thread::sleep(INTERVAL);
            meanwhile();
        }
    }
}

/// A guard that shows work on a file until it is dropped.
pub(super) struct Step<'o>(&'o dyn Observer);

impl<'o> Step<'o> {
    pub(super) fn begin(observer: &'o dyn Observer, doing: &str, name: &str) -> Step<'o> {
        observer.begin(doing, name);
        Step(observer)
    }
}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Runs a search to its end while `observer` shows its progress.
pub fn run(
    search: &mut dyn Searching,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Answer, SearchError> {
    search.start(budget)?;
    observer.follow(search, budget);
    search.wait()
}

/// Runs a proof search to its end while `observer` shows its progress. Writes checkpoints if they
/// are requested.
pub fn prove(
    search: &mut dyn Proving,
    budget: &Budget,
    observer: &dyn Observer,
    checkpoints: Option<&mut Checkpoints>,
) -> Result<ProofAnswer, SearchError> {
    search.start(budget)?;
    match checkpoints {
        None => observer.follow_proof(search, budget, None),
        Some(checkpoints) => {
            let mut save = || checkpoints.save_when_due(search, observer);
            observer.follow_proof(search, budget, Some(&mut save));
            checkpoints.save(search, observer);
        }
    }
    search.wait()
}
