//! The crew of a sampling prover: one thread hands positions over and waits for
//! the playouts of all.
//!
//! ```text
//!   leader                          helper
//!   hands over position 1
//!                                   takes a portion, plays
//!   takes the other, plays
//!   nothing left to take
//!   looks: one is not back
//!                                   gives it back
//!   looks: all are back
//!   hands over position 5
//! ```
//!
//! Did the leader not wait, it would miss wins, and the portion that comes back
//! later would be counted for the next position.

use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::ModelCrew;
use proofwood::sync::Fault;
use std::sync::Arc;

const TWO_JOBS: Model = Model {
    name: "crew, two jobs with a helper",
    threads: 2,
    preemptions: Some(3),
    run: || {
        let crew = Arc::new(ModelCrew::new());
        let helper = {
            let crew = Arc::clone(&crew);
            thread::spawn(move || (0..2).for_each(|_| crew.take_part()))
        };
        for position in [1, 5] {
            crew.begin(&[position], 2);
            crew.take_part();
            let wins = loop {
                match crew.wins() {
                    Some(wins) => break wins,
                    None => thread::yield_now(),
                }
            };
            assert_eq!(wins, [2 * position], "wins are lost or another position's");
        }
        helper.join().unwrap();
    },
};

#[test]
fn two_jobs_with_a_helper() {
    holds(TWO_JOBS);
}

#[test]
fn hasty_leader() {
    fails(TWO_JOBS, Fault::HastyLeader, "wins are lost or another position's");
}
