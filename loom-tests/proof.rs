//! A lost proof: two threads prove the last two children of a node, and neither notices that the
//! node is proven.
//!
//! ```text
//!   thread A                        thread B
//!   child a := proven               child b := proven
//!   reads b: still open             reads a: still open
//!   node not proven                 node not proven
//! ```
//!
//! Store buffers allow this for any two threads that write one word and read another, unless both
//! accesses are sequentially consistent. The rule: both threads announce on the *same* word with a
//! read-modify-write. The second announcement sees the first and, with it, the other child: either
//! its thread owns the node next, or the owner finds the announcement and recomputes the node.

use super::check::{Model, fails, holds};
use super::setting::{FIRST, NODE, ROOT, Shape, WRONG, check, join, two_levels, worker};
use crate::sync::Fault;

/// Proves both children of a node at which player 1 moves, so that player 0 needs both.
fn prove_both_children(shape: Shape) {
    let tree = two_levels(shape, 2);
    let threads = [FIRST, FIRST + 1]
        .map(|child| worker(&tree, move |tree| tree.end_and_climb(&[ROOT, NODE, child], &[1, -1])));
    threads.into_iter().for_each(join);
    check(&tree);
    for index in [NODE, ROOT] {
        assert!(tree.proof_number(index, 0).is_proven());
        assert!(tree.proof_number(index, 1).is_infinite());
    }
}

const NUMBERS: Model = Model {
    name: "proof, the last two children by proof numbers",
    threads: 3,
    preemptions: None,
    run: || prove_both_children(Shape::default()),
};

/// Without proof numbers, a status byte records whether a node is proven. It is stored and
/// announced like a number.
const STATUSES: Model = Model {
    name: "proof, the last two children by bytes",
    threads: 3,
    preemptions: None,
    run: || prove_both_children(Shape { statuses: true, ..Shape::default() }),
};

const BOUNDS: Model = Model {
    name: "proof, the last two children by bounds and numbers",
    threads: 3,
    preemptions: Some(3),
    run: || prove_both_children(Shape { score_bounds: true, ..Shape::default() }),
};

#[test]
fn the_last_two_children_by_proof_numbers() {
    holds(NUMBERS);
}

#[test]
fn the_last_two_children_by_bytes() {
    holds(STATUSES);
}

#[test]
fn the_last_two_children_by_bounds() {
    holds(BOUNDS);
}

/// Status bytes have no such twin: they only change from open to proven, and an owner that misses a
/// child writes nothing, so two owners do no harm (tried with up to 3 preemptions). A proof number,
/// however, is written even if it was computed from outdated children, and is then wrong.
#[test]
fn without_ownership() {
    fails(NUMBERS, Fault::NoOwnership, WRONG);
}

#[test]
fn with_relaxed_announcements() {
    fails(NUMBERS, Fault::RelaxedAnnounce, WRONG);
    fails(STATUSES, Fault::RelaxedAnnounce, WRONG);
}

#[test]
fn with_a_blind_release() {
    fails(BOUNDS, Fault::BlindRelease, WRONG);
}
