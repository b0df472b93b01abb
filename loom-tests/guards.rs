//! Guards: what a thread holds when the game's code panics.
//!
//! Between a prover's claim and its publication, and on the way of a playout, code
//! runs that somebody else wrote. If it panics, the node must not stay claimed, or nobody
//! would ever expand it, and the playout must not stay in flight, or its node
//! would look busy for good. Both are held by values that give them back when
//! they are dropped, also by unwinding; the panics here are real ones.

use super::check::{Model, fails, holds};
use super::setting::{
    Expansion, ModelTree, NODE, ROOT, WRONG, check, draw, join, leaf, one_level, worker,
};
use crate::sync::Fault;
use crate::tree::{Slab, Stage};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A panic in the game's code, without its message.
fn game_panics() -> ! {
    resume_unwind(Box::new("the game panics"))
}

fn playout(tree: &ModelTree) {
    draw(tree.trail(&[ROOT, NODE]));
}

/// In flight through a node, with its claim, and then a panic.
const CLAIMED: Model = Model {
    name: "guards, a panic between claim and publication",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = leaf(2);
        let unlucky = worker(&tree, |tree| {
            let panic = catch_unwind(AssertUnwindSafe(|| {
                let _trail = tree.trail(&[ROOT, NODE]);
                let _claim = tree.claim_expansion(tree.node(NODE));
                game_panics();
            }));
            assert!(panic.is_err());
        });
        let other = worker(&tree, |tree| {
            let trail = tree.trail(&[ROOT, NODE]);
            let path = [ROOT, NODE];
            let made = tree.expand_and_climb(&path, &mut Slab::default(), 2, &[]);
            draw(trail);
            made
        });
        join(unlucky);
        let made = join(other);
        check(&tree);
        assert_eq!(tree.visits(NODE), 1);
        let lost = made == Expansion::Lost;
        let stage = if lost { Stage::Leaf } else { Stage::Expanded };
        assert_eq!(tree.node(NODE).load().stage(), stage);
    },
};

#[test]
fn a_panic_between_claim_and_publication() {
    holds(CLAIMED);
}

#[test]
fn forgotten_claim() {
    fails(CLAIMED, Fault::ForgottenGuard, WRONG);
}

/// The first visit: nobody else may evaluate the node before the claim is back.
const EVALUATING: Model = Model {
    name: "guards, a panic in an evaluation",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = one_level();
        let unlucky = worker(&tree, |tree| {
            let panic = catch_unwind(AssertUnwindSafe(|| {
                let _claim = tree.claim_evaluation(tree.node(NODE));
                game_panics();
            }));
            assert!(panic.is_err());
        });
        let other = worker(&tree, |tree| tree.evaluate_and_climb(&[ROOT, NODE], 1, 2));
        join(unlucky);
        join(other);
        check(&tree);
    },
};

#[test]
fn a_panic_in_an_evaluation() {
    holds(EVALUATING);
}

#[test]
fn forgotten_evaluation() {
    fails(EVALUATING, Fault::ForgottenGuard, WRONG);
}

/// In flight, and then a panic: playouts of others are counted all the same.
const PLAYOUT: Model = Model {
    name: "guards, a panic within a playout",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = one_level();
        let unlucky = worker(&tree, |tree| {
            let panic = catch_unwind(AssertUnwindSafe(|| {
                let _trail = tree.trail(&[ROOT, NODE]);
                game_panics();
            }));
            assert!(panic.is_err());
        });
        let other = worker(&tree, playout);
        playout(&tree);
        join(unlucky);
        join(other);
        check(&tree);
        assert_eq!((tree.visits(ROOT), tree.visits(NODE)), (2, 2));
        assert_eq!((tree.in_flight(ROOT), tree.in_flight(NODE)), (0, 0));
    },
};

#[test]
fn a_panic_within_a_playout() {
    holds(PLAYOUT);
}

#[test]
fn forgotten_playout() {
    fails(PLAYOUT, Fault::ForgottenGuard, WRONG);
}

/// A node that has visits does not count playouts under way, and one that ends or
/// is given up must take back just what it counted, whatever others have added since.
const UNCOUNTED: Model = Model {
    name: "guards, playouts that a node stops counting",
    threads: 2,
    preemptions: Some(3),
    run: || {
        let tree = one_level();
        let way = [ROOT, NODE];
        let other = worker(&tree, move |tree| {
            draw(tree.trail_past_many(1, &way));
            drop(tree.trail_past_many(1, &way));
        });
        draw(tree.trail_past_many(1, &way));
        join(other);
        check(&tree);
        assert_eq!((tree.visits(ROOT), tree.visits(NODE)), (2, 2));
        assert_eq!((tree.in_flight(ROOT), tree.in_flight(NODE)), (0, 0));
    },
};

#[test]
fn playouts_that_a_node_stops_counting() {
    holds(UNCOUNTED);
}

#[test]
fn uncounted_ends() {
    fails(UNCOUNTED, Fault::UncountedEnd, WRONG);
}
