//! Notes: what threads keep to themselves of a node that all of them pass.
//!
//! ```text
//!   A                               B
//!   chooses, counts two playouts
//!                                   chooses, counts two playouts
//!   chooses anew: adds two
//!                                   chooses anew: adds two
//! ```
//!
//! The node misses playouts in between, and chooses by the visits that it shows. None
//! may be missing when all threads have ended.

use crate::setting::{FIRST, NODE, join, two_levels, worker};
use loom_tests::{Model, fails, holds};
use proofwood::model::{ModelTree, Shape};
use proofwood::sync::Fault;

const LOST: &str = "a playout was lost";

/// Three playouts. The second enters unseen: the node has a visit before, and so has the
/// child, so that a choice is for two or, where others have added theirs, for four.
fn playouts(tree: &ModelTree) {
    let mut notes = tree.notes();
    let [first, second, _] = [(); 3].map(|()| notes.playout(NODE));
    assert!(!first && second);
}

const NOTES: Model = Model {
    name: "notes, two threads at one node, a third under way",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let tree = two_levels(Shape::default(), 1);
        let way = [0, NODE, FIRST];
        tree.trail(&way).finish();
        let others =
            [worker(&tree, playouts), worker(&tree, move |tree| tree.trail(&way[1..2]).finish())];
        playouts(&tree);
        for other in others {
            join(other);
        }
        assert_eq!((tree.visits(NODE), tree.in_flight(NODE)), (8, 0), "{LOST}");
    },
};

#[test]
fn two_threads_at_one_node() {
    holds(NOTES);
}

#[test]
fn stored_notes() {
    fails(NOTES, Fault::StoredNotes, LOST);
}
