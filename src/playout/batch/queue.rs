//! The queue that passes leaves from workers to callers and back.
//!
//! One lock protects the queue. Taking it three times for each leaf costs little compared with an
//! evaluation. Three rules keep threads from sleeping forever (the model `batches.rs` checks them):
//!
//! - A thread that changes a condition for which another thread waits does so under the lock, and
//!   notifies afterwards.
//! - A thread that is about to sleep first checks its condition, under the lock that the sleep
//!   releases.
//! - Answers wake one worker, and each worker that finds new answers wakes the next.
//!
//! A caller waits for more leaves only while a worker may add some: when all workers wait for
//! answers, the waiting leaves go to the evaluator immediately. Sleeping threads are not notified
//! of a stop; they check for it from time to time.

use super::cache::Cache;
use crate::sync::{Condvar, Fault, Instant, Mutex, MutexGuard, broken};
use std::collections::HashMap;
use std::time::Duration;

/// A leaf, as the queue sees it.
pub(crate) trait Request {
    type Answer: Clone;

    /// The position's key; 0 if it has none.
    fn key(&self) -> u64;
    fn worker(&self) -> usize;
    /// Returns a copy of the leaf's answer.
    fn answer(&self) -> Self::Answer;
    /// Copies another leaf's answer into this leaf; returns `false` if the answer does not fit.
    fn take(&mut self, answer: &Self::Answer) -> bool;
    fn bytes(answer: &Self::Answer) -> usize;
}

pub(crate) struct Queue<L: Request> {
    state: Mutex<State<L>>,
    for_callers: Condvar,
    for_workers: Condvar,
}

struct State<L: Request> {
    /// Waiting leaves, in the order of arrival.
    waiting: Vec<L>,
    /// The time at which the first waiting leaf arrived.
    since: Option<Instant>,
    /// Leaves whose position is already waiting or being evaluated, by key.
    same: HashMap<u64, Vec<L>>,
    known: Cache<L::Answer>,
    /// Answered batches whose leaves have not been passed to their workers yet.
    undealt: Vec<Vec<L>>,
    /// The answered leaves of each worker.
    answered: Vec<Vec<L>>,
    /// The number of answered batches so far.
    rounds: u64,
    working: usize,
    /// The number of workers that began to wait after the last answers and still wait.
    idle: usize,
}

impl<L: Request> State<L> {
    /// Returns whether a caller should take the waiting leaves now.
    fn is_due(&self, size: usize) -> bool {
        !self.waiting.is_empty() && (self.waiting.len() >= size || self.idle >= self.working)
    }

    /// Passes answered leaves to the workers that requested them, and the same answers to workers
    /// that requested the same positions. Returns `true` if a leaf has to be requested again, so
    /// that a caller may have to be woken.
    fn deal(&mut self) -> bool {
        let before = self.waiting.len();
        for leaf in std::mem::take(&mut self.undealt).into_iter().flatten() {
            self.deal_one(leaf);
        }
        let asks = self.waiting.len() > before;
        if asks && self.since.is_none() {
            self.since = (!cfg!(loom)).then(Instant::now);
        }
        asks
    }

    fn deal_one(&mut self, leaf: L) {
        let key = leaf.key();
        if key != 0
            && let Some(same) = self.same.remove(&key)
            && (!same.is_empty() || self.known.keeps_any())
        {
            let answer = leaf.answer();
            // Leaves that need priors if the answer has none, or a different number.
            let mut unserved = Vec::new();
            for mut other in same {
                match other.take(&answer) {
                    true => self.answered[other.worker()].push(other),
                    false => unserved.push(other),
                }
            }
            if let Some(next) = unserved.pop()
                && !broken(Fault::ForgottenLeaf)
            {
                // One of them is requested, and the others wait for its answer.
                self.same.insert(key, unserved);
                self.waiting.push(next);
            }
            let bytes = L::bytes(&answer);
            self.known.put(key, answer, bytes);
        }
        self.answered[leaf.worker()].push(leaf);
    }
}

/// Removes a worker from the queue when the worker ends for any reason.
pub(crate) struct Leaving<'q, L: Request>(&'q Queue<L>);

impl<L: Request> Drop for Leaving<'_, L> {
    fn drop(&mut self) {
        // A failing model unwinds outside Loom's execution, where nothing can be locked.
        if cfg!(loom) && std::thread::panicking() {
            return;
        }
        self.0.state.lock().working -= 1;
        self.0.for_callers.notify_all();
    }
}

/// The longest time that a thread sleeps without checking whether the search is stopping.
const NAP: Duration = Duration::from_millis(2);

/// Returns the time of the next check; `None` in Loom models, which have no clock.
fn soon() -> Option<Instant> {
    (!cfg!(loom)).then(|| Instant::now() + NAP)
}

impl<L: Request> Queue<L> {
    /// Creates a queue that stores up to `bytes` bytes of answers.
    pub(crate) fn new(bytes: usize) -> Queue<L> {
        let state = State {
            waiting: Vec::new(),
            since: None,
            same: HashMap::new(),
            known: Cache::new(bytes),
            undealt: Vec::new(),
            answered: Vec::new(),
            rounds: 0,
            working: 0,
            idle: 0,
        };
        Queue { state: Mutex::new(state), for_callers: Condvar::new(), for_workers: Condvar::new() }
    }

    /// Prepares for a run with `workers` workers, each of which will call [`Queue::leave`].
    pub(crate) fn begin(&self, workers: usize) {
        let mut state = self.state.lock();
        state.waiting.clear();
        state.same.clear();
        state.undealt.clear();
        state.answered.iter_mut().for_each(Vec::clear);
        state.answered.resize_with(workers, Vec::new);
        (state.since, state.working, state.idle) = (None, workers, 0);
    }

    /// Returns a guard that removes the calling worker from the queue when it is dropped.
    pub(crate) fn leave(&self) -> Leaving<'_, L> {
        Leaving(self)
    }

    /// Requests a leaf's value. Returns the leaf, with its value, if the cache has the answer.
    pub(crate) fn ask(&self, mut leaf: L, size: usize) -> Option<L> {
        let key = leaf.key();
        let mut state = self.state.lock();
        if key != 0 {
            if let Some(known) = state.known.get(key, L::bytes)
                && leaf.take(known)
            {
                return Some(leaf);
            }
            if let Some(same) = state.same.get_mut(&key) {
                same.push(leaf);
                return None;
            }
            state.same.insert(key, Vec::new());
        }
        state.waiting.push(leaf);
        let waiting = state.waiting.len();
        if waiting == 1 && !cfg!(loom) {
            state.since = Some(Instant::now());
        }
        drop(state);
        if waiting == 1 || waiting == size {
            self.for_callers.notify_all();
        }
        None
    }

    /// Appends to `into` the answers for a worker that has seen all answers up to `round`. Returns
    /// the number of the latest round.
    pub(crate) fn answers(&self, worker: usize, round: u64, into: &mut Vec<L>) -> u64 {
        let mut state = self.state.lock();
        if state.deal() {
            self.for_callers.notify_all();
        }
        if state.rounds != round && !broken(Fault::LastWoken) {
            self.for_workers.notify_one();
        }
        into.append(&mut state.answered[worker]);
        state.rounds
    }

    /// Sleeps until answers of a later round arrive, or for at most [`NAP`].
    pub(crate) fn wait(&self, round: u64) {
        let mut state = self.state.lock();
        if state.rounds != round {
            return;
        }
        if broken(Fault::EarlyIdle) {
            drop(state);
            self.for_callers.notify_all();
            state = self.state.lock();
            state.idle += 1;
        } else {
            state.idle += 1;
            if state.idle >= state.working {
                self.for_callers.notify_all();
            }
        }
        let until = soon();
        while state.rounds == round {
            state = self.for_workers.wait(state, until);
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        // If answers have arrived, they have reset the count.
        if state.rounds == round {
            state.idle -= 1;
        }
    }

    /// Takes up to `size` leaves without waiting.
    pub(crate) fn take(&self, size: usize, into: &mut Vec<L>) {
        let state = self.state.lock();
        Self::take_from(state, size, into);
    }

    fn take_from(mut state: MutexGuard<'_, State<L>>, size: usize, into: &mut Vec<L>) {
        let taken = size.min(state.waiting.len());
        // The vectors are swapped, so that only the leaves that are left over are moved.
        let mut left = std::mem::take(into);
        left.extend(state.waiting.drain(taken..));
        *into = std::mem::replace(&mut state.waiting, left);
        // Leaves that are left over arrived just now; otherwise they would be in this batch.
        state.since = state.since.filter(|_| !state.waiting.is_empty()).map(|_| Instant::now());
    }

    /// Hands back the answered leaves of `batch` and waits for the next leaves: up to `size` of
    /// them, for at most `wait` after the first has arrived. Returns `false` if no worker is left
    /// or the search is stopping.
    ///
    /// The lock is held from one step to the next: a caller that released it would compete for it
    /// with the workers that it has woken, while the evaluator is idle.
    pub(crate) fn next_batch(
        &self,
        size: usize,
        wait: Duration,
        stopped: &dyn Fn() -> bool,
        batch: &mut Vec<L>,
    ) -> bool {
        let mut state = self.state.lock();
        self.hand_back(&mut state, batch);
        loop {
            if state.working == 0 || stopped() {
                return false;
            }
            let ripe = state.since.map(|since| since + wait);
            if state.is_due(size) || ripe.is_some_and(|ripe| Instant::now() >= ripe) {
                Self::take_from(state, size, batch);
                return true;
            }
            let until = ripe.into_iter().chain(soon()).min();
            state = self.for_callers.wait(state, until);
        }
    }

    /// Hands back the answered leaves of a worker that calls the evaluator itself.
    pub(crate) fn answer(&self, batch: &mut Vec<L>) {
        self.hand_back(&mut self.state.lock(), batch);
    }

    /// Hands back answered leaves. The workers distribute them, so that the caller can continue
    /// with its next call.
    fn hand_back(&self, state: &mut State<L>, batch: &mut Vec<L>) {
        if batch.is_empty() {
            return;
        }
        let next = Vec::with_capacity(batch.capacity());
        state.undealt.push(std::mem::replace(batch, next));
        state.rounds += 1;
        state.idle = 0;
        // This worker wakes the next: if all woke at once, they would occupy the caller's core.
        self.for_workers.notify_one();
    }
}
