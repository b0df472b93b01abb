//! One thread expands a node and announces the change.
//!
//! Two threads visit a leaf at once. Each lists the moves and reserves a block. A compare-exchange
//! of the node's word gives the claim to one of them; the other gives its block back and plays out
//! from the leaf without waiting. If both expanded the leaf, each would publish a block, and one
//! block would be lost with all results below it.
//!
//! The new children may change the leaf's value: one of them may end the game. No other thread has
//! changed a *child*, so only the expander can announce this: the word that publishes the children
//! also takes ownership of the node.
//!
//! ```text
//!   expander                        playout through the new children
//!   publishes children, owns
//!                                   evaluates a child, announces: owned
//!   round 1 ... DIRTY: round 2
//!   releases, climbs
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

/// If [`NODE`] has been expanded, evaluates its child number `child`, at which `mover` moves.
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
        // One of the three children is proven, and two are open.
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

/// The children imply no more than the leaf did. So the word that publishes them does not take
/// ownership of the node, and a thread that changes a child takes ownership as usual. The expander
/// must not recompute the node.
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
