//! A value rises and falls back while one thread owns the node; the owner must climb nevertheless.
//!
//! ```text
//!   owner of the node         another thread              root's owner
//!   round 1: stores 3
//!                             child b is proven,
//!                             announces on the node
//!                                                         reads the node: 3
//!   round 2: stores 2 again
//!   2 before, 2 after: no net change?                     the root keeps 3
//! ```
//!
//! The rule: the owner climbs if *any* round stored a new value, because the parent may have read
//! that value in between.

use super::check::{Model, fails, holds};
use super::setting::{Shape, WRONG, check, grow, join, planted, worker};
use crate::sync::Fault;
use crate::tree::Slab;
use std::sync::Arc;

const UP_AND_BACK: Model = Model {
    name: "climbing, a value goes up and comes back",
    threads: 3,
    preemptions: Some(3),
    run: || {
        // The root's children are nodes 1 and 2, and the children of node 1 are nodes 3 and 4.
        let tree = planted(Shape::default());
        let mut slab = Slab::default();
        grow(&tree, &[0], &mut slab, 0, 2);
        grow(&tree, &[0, 1], &mut slab, 1, 2);
        let tree = Arc::new(tree);
        let threads = (
            // Player 0's number at node 1: 2, then 3, then 2.
            worker(&tree, |tree| tree.evaluate_and_climb(&[0, 1, 3], 1, 2)),
            worker(&tree, |tree| tree.end_and_climb(&[0, 1, 4], &[1, -1])),
        );
        // The root's number is the lesser of node 1's and node 2's.
        tree.evaluate_and_climb(&[0, 2], 1, 7);
        join(threads.0);
        join(threads.1);
        check(&tree);
        assert_eq!(tree.proof_number(0, 0).get(), Some(2));
    },
};

#[test]
fn a_value_goes_up_and_comes_back() {
    holds(UP_AND_BACK);
}

#[test]
fn climbing_on_the_net_change() {
    fails(UP_AND_BACK, Fault::ClimbOnNetChange, WRONG);
}
