//! Cached ranks: the mark that they are out of date.
//!
//! A change of a child sets the mark on its parent, with the announcement. A
//! playout that finds the mark clears it and ranks the children. Two ways to
//! lose a change for good:
//!
//! ```text
//!   reader                          another thread
//!   reads the children
//!                                   child changes, sets the mark
//!   clears the mark, stores ranks                          of before the change
//! ```
//!
//! ```text
//!   reader 1             reader 2             another thread
//!   clears the mark
//!   reads the children
//!                                             child changes, sets the mark
//!                        clears the mark
//!                        reads the children
//!                        stores ranks
//!   stores ranks                                           of before the change
//! ```
//!
//! The scheme: the mark is cleared before the children are read, and one thread
//! ranks at a time; who finds another at it goes on with the ranks that are
//! there. So at rest the mark is set or the ranks are those of the numbers.

use crate::setting::{check, join, worker};
use loom_tests::{Model, fails, holds};
use proofwood::model::{ModelSlab, ModelTree, Shape};
use proofwood::sync::Fault;
use std::sync::Arc;

/// A root with two children, whose ranks are out of date.
fn ranked() -> Arc<ModelTree> {
    let tree = ModelTree::new(Shape { ranks: true, ..Shape::default() });
    tree.evaluate(0, 0, 2);
    tree.expand_and_climb(&[0], &mut ModelSlab::default(), 2, &[]);
    Arc::new(tree)
}

fn check_ranks(tree: &ModelTree) {
    check(tree);
    if !tree.load(0).is_stale() {
        assert_eq!(tree.ranks(0), tree.right_ranks(0), "ranks are wrong without a mark");
    }
}

const ONE_READER: Model = Model {
    name: "ranks, one reader",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = ranked();
        let changes = worker(&tree, |tree| tree.evaluate_and_climb(&[0, 1], 1, 3));
        let reader = worker(&tree, |tree| tree.refresh_ranks(0));
        join(changes);
        join(reader);
        check_ranks(&tree);
    },
};

#[test]
fn one_reader() {
    holds(ONE_READER);
}

#[test]
fn late_flag() {
    fails(ONE_READER, Fault::LateRankFlag, "ranks are wrong without a mark");
}

const TWO_READERS: Model = Model {
    name: "ranks, two readers",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = ranked();
        let changes = worker(&tree, |tree| tree.evaluate_and_climb(&[0, 1], 1, 3));
        let reader = worker(&tree, |tree| tree.refresh_ranks(0));
        tree.refresh_ranks(0);
        join(changes);
        join(reader);
        check_ranks(&tree);
    },
};

#[test]
fn two_readers() {
    holds(TWO_READERS);
}

#[test]
fn two_rankers_at_once() {
    fails(TWO_READERS, Fault::TwoRankers, "ranks are wrong without a mark");
}
