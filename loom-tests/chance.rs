//! Two threads change the mean over chance outcomes, and a mark shows that the mean is final.
//!
//! Each end of an interval of means has its own word. The mark is stored with the upper end, but
//! applies to both ends:
//!
//! ```text
//!   owner                           reader
//!   upper end := 1/3, final
//!                                   reads the mark and the old lower end
//!   lower end := 1/3
//! ```
//!
//! The rule: the owner stores the lower end, and then the mark with Release; a reader loads the
//! mark with Acquire, and then the lower end. So a reader that sees the mark sees the final ends.

use super::check::{Model, fails, holds};
use super::setting::{PAYOFFS, ROOT, Shape, WRONG, check, grow, join, planted, worker};
use crate::bounds::{AtomicSpan, Fixed, Span};
use crate::game::CHANCE;
use crate::sync::Fault;
use crate::tree::Slab;
use loom::thread;
use std::sync::Arc;

/// The interval with these ends, in units of 2^-31.
fn span(lower: i64, upper: i64, rounded: bool) -> Span {
    Span { lower: Fixed::from_bits(lower), upper: Fixed::from_bits(upper), rounded }
}

const MARK: Model = Model {
    name: "chance, a reader meets the mark",
    threads: 2,
    preemptions: None,
    run: || {
        let last = span(70, 71, true);
        let known = Arc::new(AtomicSpan::new());
        let owner = {
            let known = Arc::clone(&known);
            thread::spawn(move || {
                assert_eq!(known.join(span(5, 90, false), PAYOFFS).ok(), Some(true));
                assert_eq!(known.join(last, PAYOFFS).ok(), Some(true));
            })
        };
        let seen = known.load(PAYOFFS);
        assert!(seen.lower <= last.lower && seen.upper >= last.upper, "a false end: {seen:?}");
        assert!(!seen.rounded || seen == last, "a mark before its ends: {seen:?}");
        owner.join().unwrap();
        assert_eq!(known.load(PAYOFFS), last);
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

/// The chance node, which is the root's child.
const NODE: u32 = 1;
/// The first of its outcomes.
const FIRST: u32 = 2;

/// The two outcomes, with weights 1 and 2, end in payoffs −1 and 1, so the mean is 1/3.
const BACKUP: Model = Model {
    name: "chance, two outcomes end",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let shape = Shape { score_bounds: true, chance: true, ..Shape::default() };
        let tree = planted(shape);
        let mut slab = Slab::default();
        grow(&tree, &[ROOT], &mut slab, 0, 1);
        grow(&tree, &[ROOT, NODE], &mut slab, CHANCE, 2);
        assert_eq!(tree.node(NODE).load().first_child(), FIRST);
        let tree = Arc::new(tree);
        let threads = [(FIRST, [-1, 1]), (FIRST + 1, [1, -1])].map(|(child, payoffs)| {
            worker(&tree, move |tree| tree.end_and_climb(&[ROOT, NODE, child], &payoffs))
        });
        threads.into_iter().for_each(join);
        check(&tree);
        let third = (1i64 << 31) / 3;
        for index in [NODE, ROOT] {
            assert_eq!(tree.span(index, 0), span(third, third + 1, true));
            // Neither player can force a win for every outcome.
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
