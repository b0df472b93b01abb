//! Chance: a mean that two threads change, and the mark that a mean is the last.
//!
//! The ends of an interval of means take a word each. The mark says of both that
//! nothing will tighten them any more, and stands with the upper end:
//!
//! ```text
//!   owner                           reader
//!   upper end := 1/3, the last
//!                                   reads: the last, and the old lower end
//!   lower end := 1/3
//! ```
//!
//! The scheme: the lower end is stored before the mark, with Release, and read
//! after it, with Acquire. So who sees the mark sees the ends that it speaks of.

use crate::setting::{ROOT, WRONG, check, grow, join, worker};
use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::{CHANCE, ModelEnds, ModelSlab, ModelSpan, ModelTree, Shape};
use proofwood::sync::Fault;
use std::sync::Arc;

const MARK: Model = Model {
    name: "chance, a reader meets the mark",
    threads: 2,
    preemptions: None,
    run: || {
        const LAST: ModelEnds = ModelEnds { lower: 70, upper: 71, rounded: true };
        let span = Arc::new(ModelSpan::new());
        let owner = {
            let span = Arc::clone(&span);
            thread::spawn(move || {
                assert_eq!(
                    span.join(ModelEnds { lower: 5, upper: 90, rounded: false }),
                    Some(true)
                );
                assert_eq!(span.join(LAST), Some(true));
            })
        };
        let seen = span.load();
        assert!(seen.lower <= LAST.lower && seen.upper >= LAST.upper, "a false end: {seen:?}");
        assert!(!seen.rounded || seen == LAST, "a mark before its ends: {seen:?}");
        owner.join().unwrap();
        assert_eq!(span.load(), LAST);
    },
};

#[test]
fn a_reader_meets_the_mark() {
    holds(MARK);
}

#[test]
fn a_mark_before_its_ends() {
    fails(MARK, Fault::MarkBeforeEnds, "a mark before its ends");
}

/// The node below the root, where chance decides, and its outcomes.
const NODE: u32 = 1;
const FIRST: u32 = 2;

/// Outcomes of the weights 1 and 2 end with −1 and 1: the mean is 1/3.
const BACKUP: Model = Model {
    name: "chance, two outcomes end",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let shape = Shape { score_bounds: true, chance: true, ..Shape::default() };
        let tree = ModelTree::new(shape);
        let mut slab = ModelSlab::default();
        grow(&tree, &[ROOT], &mut slab, 0, 1);
        grow(&tree, &[ROOT, NODE], &mut slab, CHANCE, 2);
        assert_eq!(tree.load(NODE).first_child(), FIRST);
        let tree = Arc::new(tree);
        let threads = [(FIRST, [-1, 1]), (FIRST + 1, [1, -1])].map(|(child, payoffs)| {
            worker(&tree, move |tree| tree.end_and_climb(&[ROOT, NODE, child], &payoffs))
        });
        threads.into_iter().for_each(join);
        check(&tree);
        let third = (1i64 << 31) / 3;
        for index in [NODE, ROOT] {
            let ends = tree.span(index, 0);
            assert_eq!(ends, ModelEnds { lower: third, upper: third + 1, rounded: true });
            // Neither side wins whatever chance brings.
            assert!((0..2).all(|player| tree.proof_number(index, player).is_infinite()));
        }
    },
};

#[test]
fn two_outcomes_end() {
    holds(BACKUP);
}

#[test]
fn without_ownership() {
    fails(BACKUP, Fault::NoOwnership, WRONG);
}

#[test]
fn with_relaxed_announcements() {
    fails(BACKUP, Fault::RelaxedAnnounce, WRONG);
}
