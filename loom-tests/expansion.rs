//! Expansion: one thread makes the children, and tells what they changed.
//!
//! Two threads visit a leaf at once. Each asks the game for the moves and reserves
//! a block. The claim goes to one of them, by an exchange of the word; the other
//! gives its block back and does not wait, it plays out from the leaf.
//! Were both to go on, each would publish a block of its own, and the link to
//! one of them, with all that is already known below, would be lost.
//!
//! The new children may say something that the leaf did not: one of them may be
//! a game that is over. Nobody changed a *child*, so nobody announces, unless
//! the expander does it itself: the word that publishes the children also takes
//! ownership of the node.
//!
//! ```text
//!   expander                        playout through the new children
//!   publishes children, owns
//!                                   evaluates a child, announces: owned
//!   round 1 ... DIRTY: round 2
//!   leaves, climbs
//! ```

use super::check::{Model, fails, holds};
use super::setting::{Expansion, FIRST, ModelTree, NODE, ROOT, WRONG, check, join, leaf, worker};
use crate::sync::Fault;
use crate::tree::Slab;

const RACE: Model = Model {
    name: "expansion, two threads want it",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = leaf(3);
        let threads = [(); 2].map(|()| {
            worker(&tree, |tree| {
                let mut slab = Slab::default();
                let made = tree.expand_and_climb(&[ROOT, NODE], &mut slab, 3, &[]);
                tree.arena.give_back(&mut slab);
                made
            })
        });
        let made = threads.map(join);
        let blocks = made.iter().filter(|made| matches!(made, Expansion::Made(_))).count();
        assert_eq!(blocks, 1, "blocks were made");
        assert!(made.contains(&Expansion::Lost));
        let word = tree.node(NODE).load();
        assert!(word.is_expanded() && word.num_children() == 3);
        assert_eq!(tree.arena.len(), 5, "nodes in use");
        check(&tree);
    },
};

#[test]
fn two_threads_want_it() {
    holds(RACE);
}

#[test]
fn unclaimed() {
    fails(RACE, Fault::UnclaimedExpansion, "blocks were made");
}

#[test]
fn the_loser_keeps_its_block() {
    fails(RACE, Fault::ForgottenBlock, "nodes in use");
}

/// What a playout does at a node that may have been expanded meanwhile: it finds a child where
/// `mover` is to move.
fn visit(tree: &ModelTree, child: u32, mover: usize) {
    if tree.node(NODE).load().is_expanded() {
        tree.evaluate_and_climb(&[ROOT, NODE, FIRST + child], mover, 3);
    }
}

const ANNOUNCED: Model = Model {
    name: "expansion, it changes the node itself",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = leaf(3);
        let expander = worker(&tree, |tree| {
            let ended = [(1, [1, -1])];
            tree.expand_and_climb(&[ROOT, NODE], &mut Slab::default(), 3, &ended)
        });
        let other = worker(&tree, |tree| visit(tree, 0, 0));
        visit(&tree, 2, 0);
        assert_eq!(join(expander), Expansion::Made(FIRST));
        join(other);
        check(&tree);
        // Of three children one is proven and two are open.
        assert!(tree.proof_number(ROOT, 0).get() >= Some(2));
    },
};

#[test]
fn it_changes_the_node_itself() {
    holds(ANNOUNCED);
}

#[test]
fn silent() {
    fails(ANNOUNCED, Fault::SilentExpansion, WRONG);
}

/// The children say nothing that the leaf did not say. So the word that publishes them does not
/// own the node, and who changes a child owns it as any node. The expander must leave it alone.
const UNOWNED: Model = Model {
    name: "expansion, it changes nothing",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = leaf(3);
        let expander = worker(&tree, |tree| {
            tree.expand_and_climb(&[ROOT, NODE], &mut Slab::default(), 3, &[])
        });
        let other = worker(&tree, |tree| visit(tree, 0, 1));
        visit(&tree, 2, 1);
        assert_eq!(join(expander), Expansion::Made(FIRST));
        join(other);
        check(&tree);
    },
};

#[test]
fn it_changes_nothing() {
    holds(UNOWNED);
}

#[test]
fn computed_by_who_does_not_own_it() {
    fails(UNOWNED, Fault::UnownedRound, WRONG);
}
