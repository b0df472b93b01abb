//! A lost backup: an older result overwrites a newer one.
//!
//! Two threads change two children of one node. Suppose each recomputes the node from its children
//! and stores the result:
//!
//! ```text
//!   thread A                        thread B
//!   child a: 1 -> 3
//!   reads a = 3, b = 1, sum 4
//!                                   child b: 1 -> 5
//!                                   reads a = 3, b = 5, sum 8
//!                                   node := 8
//!   node := 4                                        never corrected
//! ```
//!
//! The rule: each thread announces its change on the node, one thread owns the recomputation, and
//! an owner cannot release the node while an announcement is unseen. So when all threads have
//! finished, every node agrees with its children and has no owner. This includes the parent, to
//! which the owner climbs.

use super::check::{Model, fails, holds};
use super::setting::{FIRST, NODE, ROOT, Shape, WRONG, check, join, two_levels, worker};
use crate::sync::Fault;

const TWO: Model = Model {
    name: "backup, two children change",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = two_levels(Shape::default(), 2);
        let threads = [(FIRST, 3), (FIRST + 1, 5)].map(|(child, mobility)| {
            worker(&tree, move |tree| tree.evaluate_and_climb(&[ROOT, NODE, child], 1, mobility))
        });
        threads.into_iter().for_each(join);
        check(&tree);
        assert_eq!(tree.proof_number(ROOT, 0).get(), Some(8));
    },
};

#[test]
fn two_children_change() {
    holds(TWO);
}

/// Without ownership an older result overwrites a newer one.
#[test]
fn without_ownership() {
    fails(TWO, Fault::NoOwnership, WRONG);
}

/// An owner that releases the node blindly misses an announcement made during its last round.
#[test]
fn with_a_blind_release() {
    fails(TWO, Fault::BlindRelease, WRONG);
}

/// With relaxed announcements the owner may see the announcement but not the child's new value.
#[test]
fn with_relaxed_announcements() {
    fails(TWO, Fault::RelaxedAnnounce, WRONG);
}

const THREE: Model = Model {
    name: "backup, three children change",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = two_levels(Shape::default(), 3);
        let threads = [(FIRST, 3), (FIRST + 1, 5)].map(|(child, mobility)| {
            worker(&tree, move |tree| tree.evaluate_and_climb(&[ROOT, NODE, child], 1, mobility))
        });
        tree.evaluate_and_climb(&[ROOT, NODE, FIRST + 2], 1, 7);
        threads.into_iter().for_each(join);
        check(&tree);
        assert_eq!(tree.proof_number(ROOT, 0).get(), Some(15));
    },
};

#[test]
fn three_children_change() {
    holds(THREE);
}

/// Nodes with all kinds of data at once: proof numbers, intervals, the flags SKIP and SOLVED, and
/// the mark for outdated ranks.
const EVERYTHING: Model = Model {
    name: "backup, all kinds of knowledge",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let shape = Shape { score_bounds: true, ranks: true, ..Shape::default() };
        let tree = two_levels(shape, 3);
        let threads = [(FIRST, 0), (FIRST + 1, 1)].map(|(child, payoff)| {
            worker(&tree, move |tree| {
                tree.end_and_climb(&[ROOT, NODE, child], &[payoff, -payoff]);
            })
        });
        tree.evaluate_and_climb(&[ROOT, NODE, FIRST + 2], 1, 7);
        threads.into_iter().for_each(join);
        check(&tree);
        assert_eq!(tree.span(ROOT, 0).hull().upper, 0);
    },
};

#[test]
fn all_kinds_of_knowledge() {
    holds(EVERYTHING);
}
