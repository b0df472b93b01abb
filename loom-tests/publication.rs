//! A reader follows the link to children that are not written yet.
//!
//! ```text
//!   expander                        reader
//!   writes the moves
//!   writes an ended child's numbers
//!   word := expanded, children at i
//!                                   sees the word
//!                                   reads the moves: not there yet?
//! ```
//!
//! The rule: the word is stored with Release and loaded with Acquire, so a thread that sees an
//! expanded node also sees its moves, its numbers and their chunk. Loom checks the moves
//! themselves: a read that is not ordered after the write is an error, whatever value it returns.

use super::check::{Model, fails, holds};
use super::setting::{Expansion, ModelTree, ROOT, Shape, check, grow, join, planted, worker};
use crate::sync::Fault;
use crate::tree::Slab;
use std::sync::Arc;

/// Reads the node's children as a playout does, if there are any.
fn read(tree: &ModelTree, index: u32) {
    let word = tree.node(index).load();
    if word.is_expanded() {
        for number in 0..word.num_children() {
            assert_eq!(usize::from(tree.child_move(word, number)), number);
        }
        let ended = tree.proof_number(word.first_child() + 1, 0);
        assert!(ended.is_proven(), "a child's number was not visible");
    }
}

const READ: Model = Model {
    name: "publication, a reader meets the expander",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = planted(Shape::default());
        tree.evaluate_and_climb(&[ROOT], 0, 2);
        let tree = Arc::new(tree);
        let expander = worker(&tree, |tree| {
            let mut slab = Slab::default();
            tree.expand_and_climb(&[ROOT], &mut slab, 2, &[(1, [1, -1])])
        });
        let reader = worker(&tree, |tree| read(tree, ROOT));
        read(&tree, ROOT);
        assert_eq!(join(expander), Expansion::Made(1));
        join(reader);
        check(&tree);
    },
};

#[test]
fn a_reader_meets_the_expander() {
    holds(READ);
}

#[test]
fn relaxed_publication() {
    fails(READ, Fault::RelaxedPublish, "Causality violation");
}

/// One thread changes the tree with plain stores while another one only reads it, as for a
/// snapshot.
const LONE_WRITER: Model = Model {
    name: "publication, a reader meets a lone expander",
    threads: 2,
    preemptions: None,
    run: || {
        let tree = planted(Shape { one_writer: true, ..Shape::default() });
        tree.evaluate_and_climb(&[ROOT], 0, 2);
        let tree = Arc::new(tree);
        let reader = worker(&tree, |tree| read(tree, ROOT));
        let mut slab = Slab::default();
        let made = tree.expand_and_climb(&[ROOT], &mut slab, 2, &[(1, [1, -1])]);
        assert_eq!(made, Expansion::Made(1));
        join(reader);
        check(&tree);
    },
};

#[test]
fn a_reader_meets_a_lone_expander() {
    holds(LONE_WRITER);
}

#[test]
fn relaxed_publication_of_a_lone_expander() {
    fails(LONE_WRITER, Fault::RelaxedPublish, "Causality violation");
}

/// The expansion creates the chunk in which the children lie.
const NEW_CHUNK: Model = Model {
    name: "publication, children in a new chunk",
    threads: 2,
    preemptions: None,
    run: || {
        let tree = planted(Shape { nodes: 16, ..Shape::default() });
        let mut slab = Slab::default();
        grow(&tree, &[ROOT], &mut slab, 0, 5);
        tree.evaluate_and_climb(&[ROOT, 1], 1, 3);
        let tree = Arc::new(tree);
        let expander = worker(&tree, |tree| {
            let mut slab = Slab::default();
            tree.expand_and_climb(&[ROOT, 1], &mut slab, 3, &[(1, [1, -1])])
        });
        read(&tree, 1);
        assert_eq!(join(expander), Expansion::Made(8));
        check(&tree);
    },
};

#[test]
fn children_in_a_new_chunk() {
    holds(NEW_CHUNK);
}

/// With a relaxed publication the reader may not find the chunk.
#[test]
fn relaxed_publication_of_a_new_chunk() {
    fails(NEW_CHUNK, Fault::RelaxedPublish, "before its chunk could be seen");
}
