//! Workers request values for leaves, and a caller passes batches of leaves to the evaluator.
//!
//! ```text
//!   worker                      caller
//!   adds a leaf
//!                               finds too few for a batch
//!   finds no other leaf: waits
//!                               sleeps until it is notified
//! ```
//!
//! The rule: one lock protects everything. A thread that changes a condition notifies the waiting
//! threads afterwards, and a thread checks its condition under the lock that its sleep releases. A
//! caller does not wait for a full batch once all workers wait for answers. Answers wake one
//! worker, and each worker that finds new answers wakes the next worker.

use super::check::{Model, fails, holds};
use crate::playout::{Queue, Request};
use crate::sync::Fault;
use loom::thread;
use std::sync::Arc;
use std::time::Duration;

/// The offset added to a number if its worker wants priors: `n + WITH_PRIORS` is the same position
/// as `n`.
const WITH_PRIORS: u64 = 100;

/// A leaf whose answer is its own number.
struct Number {
    worker: usize,
    key: u64,
    wants_priors: bool,
    answer: Option<u64>,
}

impl Request for Number {
    /// The number of the leaf, and whether the answer has priors.
    type Answer = (u64, bool);

    fn key(&self) -> u64 {
        self.key
    }

    fn worker(&self) -> usize {
        self.worker
    }

    fn answer(&self) -> (u64, bool) {
        (self.answer.unwrap_or_default(), self.wants_priors)
    }

    fn take(&mut self, &(answer, has_priors): &(u64, bool)) -> bool {
        let fits = has_priors || !self.wants_priors;
        self.answer = fits.then_some(answer);
        fits
    }

    fn bytes(_: &(u64, bool)) -> usize {
        1
    }
}

/// Requests `keys` as one worker and waits for all answers; returns their sum.
fn work(queue: &Queue<Number>, worker: usize, keys: &[u64]) -> u64 {
    let _leaving = queue.leave();
    let (mut answers, mut sum, mut left) = (Vec::new(), 0, keys.len());
    for &number in keys {
        let (key, wants_priors) = (number % WITH_PRIORS, number >= WITH_PRIORS);
        let number = Number { worker, key, wants_priors, answer: None };
        answers.extend(queue.ask(number, SIZE));
    }
    let mut round = 0;
    loop {
        round = queue.answers(worker, round, &mut answers);
        left -= answers.len();
        sum += answers.drain(..).filter_map(|number| number.answer).sum::<u64>();
        if left == 0 {
            return sum;
        }
        queue.wait(round);
    }
}

/// Answers requests until no worker is left; returns the number of requests.
fn call(queue: &Queue<Number>) -> usize {
    let (mut batch, mut asked) = (Vec::new(), 0);
    while queue.next_batch(SIZE, Duration::ZERO, &|| false, &mut batch) {
        asked += batch.len();
        batch.iter_mut().for_each(|number| number.answer = Some(number.key));
    }
    asked
}

/// The batch size. It is greater than the number of requests, so that no batch becomes full, and
/// the last worker that has to wait triggers the call.
const SIZE: usize = 4;

/// Runs a worker for each list of `keys` and one caller; checks that every worker gets its answers,
/// and returns the number of requests.
fn batches(keys: &'static [&'static [u64]]) -> usize {
    // A queue without a cache.
    let queue = Arc::new(Queue::new(0));
    queue.begin(keys.len());
    let workers: Vec<_> = keys
        .iter()
        .enumerate()
        .map(|(number, keys)| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let sum: u64 = keys.iter().map(|key| key % WITH_PRIORS).sum();
                assert_eq!(work(&queue, number, keys), sum);
            })
        })
        .collect();
    let asked = call(&queue);
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    asked
}

const ONE: Model = Model {
    name: "batches, a worker waits for its leaves",
    threads: 2,
    preemptions: None,
    run: || assert_eq!(batches(&[&[1, 2]]), 2),
};

#[test]
fn a_worker_waits_for_its_leaves() {
    holds(ONE);
}

#[test]
fn early_idle() {
    fails(ONE, Fault::EarlyIdle, "deadlock");
}

const SAME: Model = Model {
    name: "batches, two workers ask the same",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let asked = batches(&[&[1], &[1]]);
        assert!((1..=2).contains(&asked), "{asked} were asked for");
    },
};

#[test]
fn two_workers_ask_the_same() {
    holds(SAME);
}

#[test]
fn last_woken() {
    fails(SAME, Fault::LastWoken, "deadlock");
}

/// Two workers want a value for the same position, but only one of them wants priors. An answer
/// without priors does not serve both.
const UNSERVED: Model = Model {
    name: "batches, an answer without priors does not serve all",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let asked = batches(&[&[1], &[101]]);
        assert!((1..=2).contains(&asked), "{asked} were asked for");
    },
};

#[test]
fn an_answer_without_priors_does_not_serve_all() {
    holds(UNSERVED);
}

#[test]
fn forgotten_leaves() {
    fails(UNSERVED, Fault::ForgottenLeaf, "deadlock");
}
