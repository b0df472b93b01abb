//! A try: a leaf remembers a move that was tried before it has children.
//!
//! Two threads come for the second time at once and each tries a move; a third one comes for
//! the third time and makes the children. What the leaf remembers stands in its word, where
//! the children will. So a try is written by an exchange, and only at a leaf: were it stored,
//! the children that were published meanwhile would be lost. Of two tries at the leaf the
//! first is kept, whole. One that comes when the children are there is the child's visit.
//!
//! ```text
//!   first           second            expander
//!   reads: leaf     reads: leaf
//!   writes its try                    claims, takes the try
//!                   sees it, goes     writes it into the child
//!                                     publishes
//! ```

use crate::setting::{FIRST, NODE, ROOT, WRONG, check, join, worker};
use loom_tests::{Model, fails, holds};
use proofwood::model::{Expansion, ModelSlab, ModelTree, Shape};
use proofwood::sync::Fault;
use std::sync::Arc;

/// A root whose only child is a leaf with so many moves.
fn leaf(moves: usize) -> Arc<ModelTree> {
    let tree = ModelTree::new(Shape::default());
    tree.evaluate(ROOT, 0, 1);
    tree.expand_and_climb(&[ROOT], &mut ModelSlab::default(), 1, &[]);
    tree.evaluate_and_climb(&[ROOT, NODE], 1, moves);
    Arc::new(tree)
}

/// What the tries are worth, by the child.
const VALUES: [i16; 2] = [7, -9];

const RACE: Model = Model {
    name: "tries, two beside an expansion",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = leaf(3);
        let tries = [0, 1].map(|child: u16| {
            worker(&tree, move |tree| tree.try_move(NODE, child, VALUES[usize::from(child)]))
        });
        let mut slab = ModelSlab::default();
        let made = tree.expand_tried_and_climb(&[ROOT, NODE], &mut slab, 3, 5);
        tries.into_iter().for_each(join);
        assert_eq!(made, Expansion::Made(FIRST), "the expansion");
        assert!(tree.load(NODE).is_expanded(), "the children are lost");
        assert_eq!(tree.load(NODE).num_children(), 3, "the children are lost");
        let visits = [0, 1, 2].map(|child| tree.visits(FIRST + child));
        assert!(visits[2] == 0 && visits.iter().all(|&visits| visits <= 1), "{visits:?}");
        for child in 0..2 {
            let value = i64::from(VALUES[child as usize]) * tree.visits(FIRST + child) as i64;
            assert_eq!(tree.value_sum(FIRST + child), value, "another's value");
        }
        check(&tree);
    },
};

#[test]
fn two_beside_an_expansion() {
    holds(RACE);
}

#[test]
fn stored() {
    fails(RACE, Fault::StoredTry, "the children are lost");
}

const TOLD: Model = Model {
    name: "tries, the child says more than the leaf did",
    threads: 2,
    preemptions: None,
    run: || {
        let tree = leaf(1);
        tree.try_move(NODE, 0, 1);
        let expander = worker(&tree, |tree| {
            let mut slab = ModelSlab::default();
            tree.expand_tried_and_climb(&[ROOT, NODE], &mut slab, 1, 5)
        });
        // The leaf keeps the first; the child takes this one, too, when it is there.
        tree.try_move(NODE, 0, 2);
        assert_eq!(join(expander), Expansion::Made(FIRST));
        let child = (tree.visits(FIRST), tree.value_sum(FIRST));
        assert!(matches!(child, (1, 1) | (2, 3)), "{child:?}");
        check(&tree);
    },
};

#[test]
fn the_child_says_more() {
    holds(TOLD);
}

#[test]
fn silent() {
    fails(TOLD, Fault::SilentExpansion, WRONG);
}
