//! Two threads join bounds into one interval.
//!
//! ```text
//!   thread A                        thread B
//!   reads [-1, 1]                   reads [-1, 1]
//!   lower 0: stores [0, 1]
//!                                   upper 0: stores [-1, 0]
//! ```
//!
//! The rule: one word holds both ends, and a join replaces the word with a compare-exchange. So no
//! end is ever loosened, and the join returns whether it has tightened the interval.

use super::check::{Model, fails, holds};
use super::setting::PAYOFFS;
use crate::bounds::{AtomicInterval, Interval};
use crate::sync::Fault;
use loom::thread;
use std::sync::Arc;

const TIGHTEN: Model = Model {
    name: "bounds, two ends tightened at once",
    threads: 3,
    preemptions: None,
    run: || {
        let interval = Arc::new(AtomicInterval::new());
        let threads = [(0, 1), (-1, 0)].map(|(lower, upper)| {
            let interval = Arc::clone(&interval);
            thread::spawn(move || {
                assert_eq!(interval.join(Interval { lower, upper }, PAYOFFS).ok(), Some(true));
                let known = interval.load(PAYOFFS);
                assert!(known.lower >= lower && known.upper <= upper, "a bound was loosened");
            })
        });
        let seen = interval.load(PAYOFFS);
        assert!(seen.lower <= seen.upper);
        for thread in threads {
            thread.join().unwrap();
        }
        let known = interval.load(PAYOFFS);
        assert!(known.is_exact() && known.lower == 0, "a bound was lost: {known:?}");
    },
};

#[test]
fn two_ends_tightened_at_once() {
    holds(TIGHTEN);
}

#[test]
fn stored_bounds() {
    fails(TIGHTEN, Fault::StoredBounds, "a bound was l");
}

const CONTRADICT: Model = Model {
    name: "bounds, two proofs that contradict each other",
    threads: 3,
    preemptions: None,
    run: || {
        let interval = Arc::new(AtomicInterval::new());
        let threads = [(1, 1), (-1, 0)].map(|(lower, upper)| {
            let interval = Arc::clone(&interval);
            thread::spawn(move || interval.join(Interval { lower, upper }, PAYOFFS))
        });
        let answers = threads.map(|thread| thread.join().unwrap());
        // The interval accepts the proof that comes first and rejects the other.
        assert!(matches!(answers, [Ok(true), Err(_)] | [Err(_), Ok(true)]), "{answers:?}");
        let known = interval.load(PAYOFFS);
        assert!(known.lower <= known.upper);
    },
};

#[test]
fn two_proofs_that_contradict_each_other() {
    holds(CONTRADICT);
}
