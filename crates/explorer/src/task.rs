//! The interface of the engine to searches and proofs.

use proofwood_any_game::query::Wrong;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Work that proceeds in steps until its last answer.
pub(crate) trait Task {
    /// Returns the id of the query that the task answers; `None` after the last answer.
    fn id(&mut self) -> &mut Option<Value>;

    /// Returns whether a query waits for its last answer.
    fn is_under_way(&self) -> bool;

    /// Works for about `time`, or checks the progress of its threads; `bell` is called when the
    /// threads have ended. Returns an answer if one is due.
    fn step(
        &mut self,
        time: Duration,
        bell: Box<dyn FnOnce() + Send>,
    ) -> Result<Option<Told>, Wrong>;

    /// Stops the task and returns its results.
    fn stop(&mut self) -> Result<Value, Wrong>;
}

/// An intermediate or last answer.
pub(crate) struct Told {
    pub(crate) answer: Value,
    pub(crate) last: bool,
    /// Whether the task is of no further use.
    pub(crate) over: bool,
}

/// The id of a query, and the answer to it.
pub(crate) type Answered = (Value, Result<Value, Wrong>);

/// Continues a running task. Returns its answer, and whether this is the last one.
pub(crate) fn go_on<T: Task>(
    slot: &mut Option<T>,
    time: Duration,
    bell: Box<dyn FnOnce() + Send>,
) -> Option<(Answered, bool)> {
    let task = slot.as_mut()?;
    let id = task.id().clone()?;
    let told = task.step(time, bell).transpose()?;
    let last = told.as_ref().map_or(true, |told| told.last);
    if last {
        *task.id() = None;
    }
    if told.as_ref().map_or(true, |told| told.over) {
        *slot = None;
    }
    Some(((id, told.map(|told| told.answer)), last))
}

/// Stops a task if it answers the query `which`, or any task if `which` is `None`. Returns its last
/// answer.
pub(crate) fn end<T: Task>(slot: &mut Option<T>, which: Option<&Value>) -> Option<Answered> {
    let task = slot.as_mut()?;
    let id = task.id().take_if(|id| which.is_none_or(|which| id == which))?;
    let answer = task.stop();
    if answer.is_err() {
        *slot = None;
    }
    Some((id, answer))
}

pub(crate) fn to_json(answer: &impl Serialize) -> Result<Value, Wrong> {
    serde_json::to_value(answer).map_err(Wrong::new)
}
