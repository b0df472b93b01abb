//! Leaves that wait for a batch: workers bring them, a caller takes them to the evaluator.
//!
//! ```text
//!   worker                      caller
//!   brings a leaf
//!                               looks: too few for a batch
//!   finds no other leaf: waits
//!                               sleeps until somebody notifies
//! ```
//!
//! The scheme: everything is under one lock. Who changes what another one waits for notifies
//! after the change; who sleeps has looked under the lock that the sleep gives up. A caller
//! does not wait for a full batch when all workers wait for answers. Answers wake one worker,
//! and each worker that finds new ones wakes the next.

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelQueue;
use proofwood::sync::Fault;
use std::sync::Arc;

/// More than are ever brought: the last worker that waits calls for the batch.
const SIZE: usize = 4;

/// Workers that ask for these numbers, and a caller; every worker gets its answers.
fn batches(keys: &'static [&'static [u64]]) -> usize {
    let queue = Arc::new(ModelQueue::new(keys.len()));
    let workers: Vec<_> = keys
        .iter()
        .enumerate()
        .map(|(number, keys)| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                assert_eq!(queue.work(number, keys, SIZE), keys.iter().map(|key| key % 100).sum())
            })
        })
        .collect();
    let asked = queue.call(SIZE);
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

/// Numbers from 100 on want priors, which the answer for the number below has not.
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
