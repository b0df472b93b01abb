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

use super::check::{Model, fails, holds};
use super::setting::{FIRST, ModelTree, NODE, ROOT, Shape, draw, join, two_levels, worker};
use crate::select::Deferred;
use crate::sync::Fault;
use crate::tree::ReuseRule;

const LOST: &str = "a playout was lost";

/// Three playouts. The second enters unseen: the node has a visit before, and so has the
/// child, so that a choice is for two or, where others have added theirs, for four.
fn playouts(tree: &ModelTree) {
    let mut notes = Deferred::new(ReuseRule::from_visits(1));
    let node = tree.node(NODE);
    let child = &tree.arena.children(node.load()).nodes()[0];
    let [first, second, _] = [(); 3].map(|()| {
        let kept = notes.kept_choice(NODE, node).is_some();
        if !kept {
            notes.keep_choice(NODE, node, 0, child);
        }
        notes.count(NODE, node, 1, 0);
        kept
    });
    assert!(!first && second);
    notes.add_all(tree.node(ROOT));
}

const NOTES: Model = Model {
    name: "notes, two threads at one node, a third under way",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let tree = two_levels(Shape::default(), 1);
        let way = [ROOT, NODE, FIRST];
        draw(tree.trail(&way));
        let others =
            [worker(&tree, playouts), worker(&tree, move |tree| draw(tree.trail(&way[1..2])))];
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
