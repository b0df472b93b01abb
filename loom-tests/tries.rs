//! A leaf without children stores a move that was tried.
//!
//! Two threads make the second visit to a leaf at once, and each tries a move; a third thread makes
//! the third visit and creates the children. The leaf stores the tried move in its word, in the
//! bits that later hold the children. So a tried move is written with a compare-exchange, and only
//! to a leaf: a plain store could overwrite children that were published meanwhile. Of two tried
//! moves the leaf keeps the first. If the children exist already, the visit is added to the child.
//!
//! ```text
//!   first           second            expander
//!   reads: leaf     reads: leaf
//!   writes its try                    claims, takes the try
//!                   sees it, goes     writes it into the child
//!                                     publishes
//! ```

use super::check::{Model, fails, holds};
use super::setting::{
    Expansion, FIRST, ModelTree, NODE, ROOT, WRONG, check, join, leaf, moves, worker,
};
use crate::sync::Fault;
use crate::tree::{Listing, SeenChild, Slab, Tried};

/// Records that the move to `child` was tried once, with a value for the player to move.
fn try_move(tree: &ModelTree, child: u16, value: i16) {
    tree.remember_tried(NODE, Tried { number: child, value });
}

/// Creates the node's children as its third visit does, and backs up the change. The child whose
/// move was tried starts with that visit, as an open leaf with five moves.
fn expand_tried(tree: &ModelTree, children: usize) -> Expansion {
    let (node, mut slab) = (tree.node(NODE), Slab::default());
    let tried = node.load().tried();
    let Ok(block) = tree.arena.reserve(&mut slab, children) else { return Expansion::Full };
    let Some(claim) = tree.claim_expansion(node) else {
        tree.arena.give_up(&mut slab, block);
        return Expansion::Lost;
    };
    let seen = SeenChild::open(0, tree.logic.leaf(0, 5));
    let was_tried =
        tried.is_some_and(|tried| tree.prepare_tried(&claim, NODE, &block, &(tried, seen)));
    let listing = Listing { was_tried, ..Listing::default() };
    let word = tree.expand(claim, tree.fill(block, &moves(children)), listing);
    tree.finish_and_climb(&[ROOT, NODE], word)
}

fn value_sum(tree: &ModelTree, index: u32) -> i64 {
    tree.node(index).statistics().value_sum
}

/// The values of the moves that are tried, by child.
const VALUES: [i16; 2] = [7, -9];

const RACE: Model = Model {
    name: "tries, two beside an expansion",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = leaf(3);
        let tries = [0, 1].map(|child: u16| {
            worker(&tree, move |tree| try_move(tree, child, VALUES[usize::from(child)]))
        });
        let made = expand_tried(&tree, 3);
        tries.into_iter().for_each(join);
        assert_eq!(made, Expansion::Made(FIRST), "the expansion");
        assert!(tree.node(NODE).load().is_expanded(), "the children are lost");
        assert_eq!(tree.node(NODE).load().num_children(), 3, "the children are lost");
        let visits = [0, 1, 2].map(|child| tree.visits(FIRST + child));
        assert!(visits[2] == 0 && visits.iter().all(|&visits| visits <= 1), "{visits:?}");
        for child in 0..2 {
            let value = i64::from(VALUES[child as usize]) * tree.visits(FIRST + child) as i64;
            assert_eq!(value_sum(&tree, FIRST + child), value, "another's value");
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
        try_move(&tree, 0, 1);
        let expander = worker(&tree, |tree| expand_tried(tree, 1));
        // The leaf keeps the first try; this one is added to the child if the child already exists.
        try_move(&tree, 0, 2);
        assert_eq!(join(expander), Expansion::Made(FIRST));
        let child = (tree.visits(FIRST), value_sum(&tree, FIRST));
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
