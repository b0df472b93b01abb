//! Cached ranks, and the mark for ranks that are out of date.
//!
//! A change of a child sets the mark on its parent, together with the announcement. A playout that
//! finds the mark clears it and ranks the children. A change may be lost in two ways:
//!
//! ```text
//!   reader                          another thread
//!   reads the children
//!                                   child changes, sets the mark
//!   clears the mark, stores ranks                          from before the change
//! ```
//!
//! ```text
//!   reader 1             reader 2             another thread
//!   clears the mark
//!   reads the children
//!                                             child changes, sets the mark
//!                        clears the mark
//!                        reads the children
//!                        stores ranks
//!   stores ranks                                           from before the change
//! ```
//!
//! The rule: a thread clears the mark before it reads the children, and only one thread ranks them
//! at a time; the others use the cached ranks meanwhile. So when all threads have ended, the ranks
//! match the proof numbers unless the mark is set.

use super::check::{Model, fails, holds};
use super::setting::{ModelTree, ROOT, Shape, check, grow, join, planted, worker};
use crate::bounds::{NumberCell, ProofNumber};
use crate::settings::Bias;
use crate::sync::{Fault, Ordering};
use crate::tree::{Slab, Word, refresh_ranks};
use std::sync::Arc;

/// A root with two children whose cached ranks are out of date.
fn ranked() -> Arc<ModelTree> {
    let tree = planted(Shape { ranks: true, ..Shape::default() });
    grow(&tree, &[ROOT], &mut Slab::default(), 0, 2);
    Arc::new(tree)
}

/// The children's proof numbers for the side to move.
fn numbers(tree: &ModelTree, word: Word) -> impl Iterator<Item = ProofNumber> {
    let children = tree.arena.children(word);
    let of_mover = &children.proof_numbers()[word.mover()..];
    (0..children.len()).map(|i| of_mover[i * tree.logic.players].load())
}

/// Updates the cached ranks of the root's children, as a selection does before it reads them.
fn refresh(tree: &ModelTree) {
    let node = tree.node(ROOT);
    let word = node.load();
    let children = tree.arena.children(word);
    refresh_ranks(Bias::Rank, node, word, children, &mut Vec::new(), || numbers(tree, word));
}

fn check_ranks(tree: &ModelTree) {
    check(tree);
    let word = tree.node(ROOT).load();
    if !word.is_stale() {
        let cached = tree.arena.children(word).ranks();
        let mut right = vec![0; cached.len()];
        Bias::Rank.rank(numbers(tree, word), &mut Vec::new(), |i, rank| right[i] = rank);
        let cached: Vec<u16> = cached.iter().map(|rank| rank.load(Ordering::Relaxed)).collect();
        assert_eq!(cached, right, "ranks are wrong without a mark");
    }
}

const ONE_READER: Model = Model {
    name: "ranks, one reader",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = ranked();
        let changes = worker(&tree, |tree| tree.evaluate_and_climb(&[ROOT, 1], 1, 3));
        let reader = worker(&tree, refresh);
        join(changes);
        join(reader);
        check_ranks(&tree);
    },
};

#[test]
fn one_reader() {
    holds(ONE_READER);
}

#[test]
fn late_flag() {
    fails(ONE_READER, Fault::LateRankFlag, "ranks are wrong without a mark");
}

const TWO_READERS: Model = Model {
    name: "ranks, two readers",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let tree = ranked();
        let changes = worker(&tree, |tree| tree.evaluate_and_climb(&[ROOT, 1], 1, 3));
        let reader = worker(&tree, refresh);
        refresh(&tree);
        join(changes);
        join(reader);
        check_ranks(&tree);
    },
};

#[test]
fn two_readers() {
    holds(TWO_READERS);
}

#[test]
fn two_rankers_at_once() {
    fails(TWO_READERS, Fault::TwoRankers, "ranks are wrong without a mark");
}
