//! A search or a proof under way, as the engine sees it.

use proofwood_any_game::query::Wrong;
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Work that goes on in steps until it has its last answer.
pub(crate) trait Task {
    /// The id of the query that it answers; `None` when that has its last answer.
    fn id(&mut self) -> &mut Option<Value>;

    /// Whether a query waits for its last answer.
    fn is_under_way(&self) -> bool;

    /// Works for about this long, or looks after the threads that work; `bell` is rung when they
    /// have ended. Returns an answer when one is due.
    fn step(
        &mut self,
        time: Duration,
        bell: Box<dyn FnOnce() + Send>,
    ) -> Result<Option<Told>, Wrong>;

    /// Ends it, and returns what it has found.
    fn stop(&mut self) -> Result<Value, Wrong>;
}

/// An answer on the way, or the last one.
pub(crate) struct Told {
    pub(crate) answer: Value,
    /// No other answer follows.
    pub(crate) last: bool,
    /// The task is of no further use.
    pub(crate) over: bool,
}

/// An answer to the query with an id.
pub(crate) type Answered = (Value, Result<Value, Wrong>);

/// Goes on with a task, where one is under way. Returns its answer, and whether that is the last.
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

/// Ends a task, where it answers the query with this id, or any where none is given. Returns its
/// last answer.
pub(crate) fn end<T: Task>(slot: &mut Option<T>, which: Option<&Value>) -> Option<Answered> {
    let task = slot.as_mut()?;
    let id = task.id().take_if(|id| which.is_none_or(|which| id == which))?;
    let answer = task.stop();
    if answer.is_err() {
        *slot = None;
    }
    Some((id, answer))
}

/// An answer as JSON.
pub(crate) fn to_json(answer: &impl Serialize) -> Result<Value, Wrong> {
    serde_json::to_value(answer).map_err(Wrong::new)
}
