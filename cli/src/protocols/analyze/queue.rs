//! Jobs that wait and jobs that run, for several threads.

use super::query::Job;
use proofwood::CancelToken;
use serde_json::Value;
use std::cmp::{self, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Jobs that wait, at most. Who brings more waits too.
const WAITING: usize = 1 << 14;

/// Jobs, the highest priority first, and among those the oldest.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// There is a job, or there will be none.
    filled: Condvar,
    /// There is room, or nobody takes any more.
    emptied: Condvar,
    /// How many jobs have files that must not be left half-written.
    open: AtomicUsize,
}

/// Says that a job has files open, as long as it lives.
pub(super) struct Open<'q>(&'q AtomicUsize);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    /// The jobs that run, by their numbers.
    running: HashMap<u64, Known>,
    /// How many jobs have come.
    numbers: u64,
    closed: bool,
}

/// What must be known of a job to end it.
struct Known {
    id: Value,
    turn: u64,
    cancel: CancelToken,
}

struct Waiting {
    number: u64,
    job: Job,
}

/// A job that was taken.
pub(super) struct Running {
    pub(super) number: u64,
    pub(super) job: Job,
}

impl Waiting {
    fn rank(&self) -> (i64, Reverse<u64>) {
        (self.job.priority, Reverse(self.number))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Waiting {}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job, once there is room; false when no more are taken.
    pub(super) fn push(&self, job: Job) -> bool {
        let full = |state: &mut State| state.waiting.len() >= WAITING && !state.closed;
        let mut state =
            self.emptied.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return false;
        }
        state.numbers += 1;
        let number = state.numbers;
        state.waiting.push(Waiting { number, job });
        self.filled.notify_one();
        true
    }

    /// Takes the next job, once there is one; `None` when there will be none.
    pub(super) fn take(&self) -> Option<Running> {
        let empty = |state: &mut State| state.waiting.is_empty() && !state.closed;
        let mut state =
            self.filled.wait_while(self.lock(), empty).unwrap_or_else(PoisonError::into_inner);
        let Waiting { number, job } = state.waiting.pop()?;
        let known = Known { id: job.asked.id.clone(), turn: job.turn, cancel: job.cancel.clone() };
        state.running.insert(number, known);
        self.emptied.notify_one();
        Some(Running { number, job })
    }

    /// Has the program wait for the end of this job's files.
    pub(super) fn keep_open(&self) -> Open<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(&self.open)
    }

    /// Whether a job has files open. It acquires what [`Open`] releases: who sees no file
    /// open sees them all closed.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    /// Forgets a job that has ended.
    pub(super) fn end(&self, number: u64) {
        self.lock().running.remove(&number);
    }

    /// Ends the jobs with this id, and of these turns; without one, all. Returns how many had
    /// begun, and those that had not.
    pub(super) fn stop(&self, id: Option<&Value>, turns: Option<&[u64]>) -> (usize, Vec<Job>) {
        let meant = |its: &Value, turn: u64| {
            id.is_none_or(|id| id == its) && turns.is_none_or(|turns| turns.contains(&turn))
        };
        let mut state = self.lock();
        let running = state.running.values().filter(|known| meant(&known.id, known.turn));
        let running = running.inspect(|known| known.cancel.cancel()).count();
        let waiting = std::mem::take(&mut state.waiting).into_vec();
        let (mut ended, rest): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|waiting| meant(&waiting.job.asked.id, waiting.job.turn));
        state.waiting = rest.into();
        drop(state);
        self.emptied.notify_all();
        ended.sort_unstable_by_key(|waiting| waiting.number);
        (running, ended.into_iter().map(|waiting| waiting.job).collect())
    }

    /// Takes no more jobs, and ends all that there are; whoever takes one sees that.
    pub(super) fn cancel_all(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.running.values().for_each(|known| known.cancel.cancel());
        state.waiting.iter().for_each(|waiting| waiting.job.cancel.cancel());
        drop(state);
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    /// Takes no more jobs.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }
}
