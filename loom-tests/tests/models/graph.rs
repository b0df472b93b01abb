//! Several nodes lead to one block.
//!
//! ```text
//!   climber                         node Y takes over the block of X
//!   child of the block: 1 -> 3
//!   who leads to the block? X
//!                                   Y is on the list
//!                                   Y computes: the child is 1
//!   X := 3                          nobody tells Y
//! ```
//!
//! The scheme: a node that takes over a block is owned when it is published, is put on the
//! block's list, and then computed. Who climbs looks at the list after its change, by a
//! read-modify-write. Of two such accesses to one word the later one sees the earlier one
//! and what came before it: the climber finds the node, or the node finds the change. And
//! each change is told to all nodes on the list, since none but their own lead to the root.

use crate::setting::{ROOT, WRONG, check, grow, join, worker};
use loom_tests::{Model, fails, holds};
use proofwood::model::{Expansion, ModelSlab, ModelTree, Shape};
use proofwood::sync::Fault;
use std::sync::Arc;

/// Two nodes with the same position, and the block of the first.
const X: u32 = 1;
const Y: u32 = 2;
const BLOCK: u32 = 3;

/// A root with X and Y, of which X has two children and Y is a leaf.
fn twins(shape: Shape) -> Arc<ModelTree> {
    let tree = ModelTree::new(Shape { graph: true, ..shape });
    let mut slab = ModelSlab::default();
    grow(&tree, &[ROOT], &mut slab, 0, 2);
    grow(&tree, &[ROOT, X], &mut slab, 1, 2);
    assert_eq!(tree.load(X).first_child(), BLOCK);
    tree.evaluate_and_climb(&[ROOT, Y], 1, 2);
    tree.check().expect("a graph grown by one thread");
    Arc::new(tree)
}

const ADOPTION: Model = Model {
    name: "graph, a node takes over a block that changes",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = twins(Shape::default());
        let adopter = worker(&tree, |tree| tree.adopt_and_climb(&[ROOT, Y], X));
        let climber = worker(&tree, |tree| {
            tree.evaluate_and_climb(&[ROOT, X, BLOCK], 1, 5);
        });
        assert_eq!(join(adopter), Expansion::Made(BLOCK));
        join(climber);
        check(&tree);
        assert_eq!([X, Y].map(|index| tree.proof_number(index, 0).get()), [Some(6); 2]);
    },
};

#[test]
fn a_node_takes_over_a_block_that_changes() {
    holds(ADOPTION);
}

/// The climber finds an older list, and the new node older numbers.
#[test]
fn leads_that_are_loaded() {
    fails(ADOPTION, Fault::LoadedLeads, WRONG);
}

/// Both nodes lead to the block. Each child is proven by a thread that came by one of them.
const PROOF: Model = Model {
    name: "graph, the last two children are proven by two ways",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let tree = twins(Shape { score_bounds: true, ..Shape::default() });
        assert_eq!(tree.adopt_and_climb(&[ROOT, Y], X), Expansion::Made(BLOCK));
        let threads = [(X, BLOCK), (Y, BLOCK + 1)].map(|(node, child)| {
            worker(&tree, move |tree| tree.end_and_climb(&[ROOT, node, child], &[1, -1]))
        });
        threads.into_iter().for_each(join);
        check(&tree);
        assert!([X, Y, ROOT].iter().all(|&index| tree.proof_number(index, 0).is_proven()));
    },
};

#[test]
fn the_last_two_children_by_two_ways() {
    holds(PROOF);
}

/// One of the nodes is never told.
#[test]
fn only_one_lead_is_told() {
    fails(PROOF, Fault::OneLead, WRONG);
}

#[test]
fn without_ownership() {
    fails(PROOF, Fault::NoOwnership, WRONG);
}

/// A thread finds the block of its position in the table while another makes it, in a chunk
/// that did not exist before.
const OFFER: Model = Model {
    name: "graph, a block is found while it is made",
    threads: 2,
    preemptions: Some(3),
    run: || {
        let tree = ModelTree::new(Shape { nodes: 16, graph: true, ..Shape::default() });
        let mut slab = ModelSlab::default();
        grow(&tree, &[ROOT], &mut slab, 0, 5);
        tree.evaluate_and_climb(&[ROOT, X], 1, 3);
        tree.evaluate_and_climb(&[ROOT, Y], 1, 3);
        let tree = Arc::new(tree);
        let maker = worker(&tree, |tree| {
            let mut slab = ModelSlab::default();
            let made = tree.expand_and_climb(&[ROOT, X], &mut slab, 3, &[(1, [1, -1])]);
            tree.offer(X);
            made
        });
        if let Some(twin) = tree.twin() {
            assert_eq!(tree.adopt_and_climb(&[ROOT, Y], twin), Expansion::Made(8));
            let word = tree.load(Y);
            assert!((0..3).all(|number| usize::from(tree.child_move(word, number)) == number));
        }
        assert_eq!(join(maker), Expansion::Made(8));
        check(&tree);
    },
};

#[test]
fn a_block_is_found_while_it_is_made() {
    holds(OFFER);
}

/// It is found before its chunk.
#[test]
fn relaxed_offers() {
    fails(OFFER, Fault::RelaxedOffer, "before its chunk could be seen");
}
