//! Lost proof: two threads prove the last two children of a node, and nobody
//! notices that the node is proven.
//!
//! ```text
//!   thread A                        thread B
//!   child a := proven               child b := proven
//!   reads b: still open             reads a: still open
//!   node not proven                 node not proven
//! ```
//!
//! Store buffers do this to any two threads that write one word and read the
//! other, however strong the two accesses are short of a common order. The
//! scheme: both announce on the *same* word. Of two read-modify-writes one comes
//! second and sees the first, and with it the other child: either its thread
//! owns the node next, or the owner finds the announcement and looks again.

use super::check::{Model, fails, holds};
use super::setting::{FIRST, NODE, ROOT, Shape, WRONG, check, join, two_levels, worker};
use crate::sync::Fault;

/// Player 1 moves at the node, so player 0 needs both children.
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

/// Where proof numbers are not counted, a byte tells what is proven. It is stored and announced
/// as they are.
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

/// Bytes have no twin of this: a byte only ever goes from open to settled, and an owner that sees
/// less writes nothing, so that two at once do no harm here (tried with up to 3 preemptions). A
/// number that came of older ones is written, and is wrong.
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
