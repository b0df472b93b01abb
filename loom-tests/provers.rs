//! Provers: threads claim leaves, evaluate and publish all their children, and back up the change.
//!
//! A proof number of 0 or ∞ is a proof, so a single thread must compute it from all children of a
//! node. Two threads may descend to the same leaf: one gets the claim, and the other goes
//! elsewhere. If both continued, each would publish a block, and the results below one block would
//! be lost:
//!
//! ```text
//!   thread A                        thread B
//!   claims the leaf, looks          finds it claimed: goes elsewhere
//!   publishes the children, owns
//!                                   goes down to a child, expands that, announces
//!   recomputes, climbs
//! ```
//!
//! The words of the new children are written before they are published, without synchronisation,
//! because no other thread can see them yet.

use super::check::{Model, fails, holds};
use super::setting::{
    Expansion, FIRST, ModelTree, NODE, ROOT, Shape, WRONG, check, join, two_levels, worker,
};
use crate::sync::Fault;
use std::sync::Arc;

/// A tree with a node at which player 1 moves; its two children are leaves at which player 0 moves.
fn two_leaves() -> Arc<ModelTree> {
    let tree = two_levels(Shape::default(), 2);
    for child in [FIRST, FIRST + 1] {
        tree.evaluate_and_climb(&[ROOT, NODE, child], 0, 2);
    }
    tree
}

/// Expands a child of the node into two: an open leaf, and a child that player 0 wins.
fn win(tree: &ModelTree, child: u32) -> Expansion {
    tree.prove_and_climb(&[ROOT, NODE, FIRST + child], &[Some([3, 1]), None])
}

const PROOF: Model = Model {
    name: "provers, the last two leaves are proven",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = two_leaves();
        let threads = [0, 1].map(|child| worker(&tree, move |tree| win(tree, child)));
        for made in threads.map(join) {
            assert!(matches!(made, Expansion::Made(_)));
        }
        check(&tree);
        for index in [NODE, ROOT] {
            assert!(tree.proof_number(index, 0).is_proven());
            assert!(tree.proof_number(index, 1).is_infinite());
        }
    },
};

#[test]
fn the_last_two_leaves_are_proven() {
    holds(PROOF);
}

#[test]
fn nobody_owns_the_expansion() {
    fails(PROOF, Fault::SilentExpansion, WRONG);
}

#[test]
fn nobody_owns_the_node() {
    fails(PROOF, Fault::NoOwnership, WRONG);
}

/// Threads compute log-odds below two leaves, and the log-odds of their parent depend on both.
const LOG_ODDS: Model = Model {
    name: "provers, log-odds of two leaves",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = two_levels(Shape { log_odds: true, ..Shape::default() }, 2);
        for child in [FIRST, FIRST + 1] {
            tree.evaluate_and_climb(&[ROOT, NODE, child], 0, 2);
        }
        let threads = [0, 1].map(|child| {
            worker(&tree, move |tree| {
                let path = [ROOT, NODE, FIRST + child];
                tree.prove_and_climb(&path, &[Some([3, 1 + u64::from(child)])])
            })
        });
        for made in threads.map(join) {
            assert!(matches!(made, Expansion::Made(_)));
        }
        check(&tree);
    },
};

#[test]
fn log_odds_of_two_leaves() {
    holds(LOG_ODDS);
}

#[test]
fn nobody_owns_the_log_odds() {
    fails(LOG_ODDS, Fault::NoOwnership, WRONG);
}

/// Expands a leaf or, if another thread has expanded it already, the leaf's open child.
fn grow_below(tree: &ModelTree, child: u32) {
    let leaf = FIRST + child;
    if win(tree, child) == Expansion::Lost && tree.node(leaf).load().is_expanded() {
        let word = tree.node(leaf).load();
        assert_eq!((word.num_children(), tree.child_move(word, 1)), (2, 1));
        let path = [ROOT, NODE, leaf, word.first_child()];
        tree.prove_and_climb(&path, &[None]);
    }
}

const RACE: Model = Model {
    name: "provers, two threads want a leaf",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = two_leaves();
        let threads = [(); 2].map(|()| worker(&tree, |tree| grow_below(tree, 0)));
        threads.into_iter().for_each(join);
        check(&tree);
        assert!(tree.proof_number(FIRST, 0).is_proven());
        assert!(!tree.proof_number(NODE, 0).is_proven());
    },
};

#[test]
fn two_threads_want_a_leaf() {
    holds(RACE);
}

#[test]
fn unclaimed() {
    fails(RACE, Fault::UnclaimedExpansion, WRONG);
}

#[test]
fn relaxed_publication() {
    fails(RACE, Fault::RelaxedPublish, "Causality violation");
}
