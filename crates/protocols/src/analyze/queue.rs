//! The queue of jobs, shared by the threads that search.

use super::query::Job;
use proofwood::CancelToken;
use serde_json::Value;
use std::cmp::{self, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The maximum number of waiting jobs. A full queue blocks [`Queue::push`].
const WAITING: usize = 1 << 14;

/// Jobs in descending order of priority; jobs of equal priority in order of arrival.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Signals that a job was added or the queue was closed.
    filled: Condvar,
    /// Signals that there is room or the queue was closed.
    emptied: Condvar,
    /// The number of jobs that have files open.
    open: AtomicUsize,
}

/// Counts a job as one with open files until it is dropped.
pub(super) struct Open<'q>(&'q AtomicUsize);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    running: HashMap<u64, Known>,
    /// The number of jobs pushed so far.
    numbers: u64,
    closed: bool,
}

/// The data of a running job that [`Queue::stop`] needs.
struct Known {
    id: Value,
    turn: u64,
    cancel: CancelToken,
}

struct Waiting {
    number: u64,
    job: Job,
}

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

    /// Waits for room and adds a job; returns false if the queue is closed.
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

    /// Waits for the next job and removes it; returns `None` if the queue is closed and empty.
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

    /// Makes the program wait for this job's files until the returned guard is dropped.
    pub(super) fn keep_open(&self) -> Open<'_> {
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(&self.open)
    }

    /// Returns whether any job has files open. The load acquires what the drop of [`Open`]
    /// releases: after the last drop all files are closed.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) > 0
    }

    pub(super) fn end(&self, number: u64) {
        self.lock().running.remove(&number);
    }

    /// Stops the jobs with this id and these turns; `None` matches any. Returns the number of
    /// running jobs that were stopped, and the jobs that had not begun.
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

    pub(super) fn cancel_all(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.running.values().for_each(|known| known.cancel.cancel());
        state.waiting.iter().for_each(|waiting| waiting.job.cancel.cancel());
        drop(state);
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    /// Refuses further jobs; the waiting jobs remain.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }
}
