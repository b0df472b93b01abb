//! Guards, which give back a thread's claims and counts if the game's code panics.
//!
//! User code runs between a claim and the publication of its result, and during a playout. After a
//! panic the node must not stay claimed, or no thread could ever expand it; and the playout must
//! not stay in flight, or its node would look busy forever. Guards give both back when they are
//! dropped, even during unwinding. The panics in these models are real.

use super::check::{Model, fails, holds};
use super::setting::{
    Expansion, ModelTree, NODE, ROOT, WRONG, check, draw, join, leaf, one_level, worker,
};
use crate::sync::Fault;
use crate::tree::{Slab, Stage};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Unwinds like a panic in the game's code, but without a message.
fn game_panics() -> ! {
    resume_unwind(Box::new("the game panics"))
}

fn playout(tree: &ModelTree) {
    draw(tree.trail(&[ROOT, NODE]));
}

/// A panic in a thread that holds a node's claim during a playout.
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

/// A panic at a first visit: no other thread can evaluate the node before the claim is given back.
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

/// A panic during a playout: the playouts of other threads still count.
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

/// Nodes with many visits do not count the playouts in flight. A playout that finishes or is
/// dropped must subtract exactly its own counts, whatever other threads have added since.
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
