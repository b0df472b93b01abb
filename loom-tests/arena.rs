//! Threads reserve blocks at the same time, near the arena's capacity.
//!
//! ```text
//!   thread A                        thread B
//!   reads next = 3                  reads next = 3
//!   3 + 2 <= 6: takes 3, 4          3 + 2 <= 6: takes 3, 4
//! ```
//!
//! The rule: a reservation advances a single counter with a compare-exchange, which fails if the
//! counter is no longer the value that was checked against the capacity. So no index is handed out
//! twice, and no index lies at or past the capacity. A thread that finds no room gives its claim
//! back: the node is a leaf again, and playouts continue from it.

use super::check::{Model, fails, holds};
use super::setting::{Expansion, ROOT, Shape, WRONG, check, grow, join, planted, worker};
use crate::memory::scarcity;
use crate::sync::Fault;
use crate::tree::{Arena, Columns, Slab, Stage};
use loom::thread;
use std::ops::Range;
use std::sync::Arc;

pub(super) fn arena(nodes: u64) -> Arena {
    match Arena::new(Columns { proof_numbers: 1, ..Columns::default() }, nodes) {
        Ok(arena) => arena,
        Err(_) => panic!("an arena needs room for its root"),
    }
}

/// Reserves a block; returns the indices of its nodes, or `None` if the arena is full.
pub(super) fn reserve(arena: &Arena, slab: &mut Slab, count: usize) -> Option<Range<u32>> {
    let reservation = arena.reserve(slab, count).ok()?;
    let block = arena.fresh(&reservation);
    Some(block.index(0)..block.index(count - 1) + 1)
}

/// Reserves a block of `count` nodes on each of three threads; returns the reserved blocks.
fn reserve_at_once(arena: &Arc<Arena>, count: usize) -> Vec<Range<u32>> {
    let reserve = move |arena: &Arena| {
        let mut slab = Slab::default();
        let block = reserve(arena, &mut slab, count);
        arena.give_back(&mut slab);
        block
    };
    let threads = [(); 2].map(|()| {
        let arena = Arc::clone(arena);
        thread::spawn(move || reserve(&arena))
    });
    let own = reserve(arena);
    let blocks = threads.map(|thread| thread.join().unwrap());
    let mut blocks: Vec<_> = blocks.into_iter().chain([own]).flatten().collect();
    blocks.sort_by_key(|block| block.start);
    blocks
}

const CAP: Model = Model {
    name: "arena, three threads near the cap",
    threads: 3,
    preemptions: Some(3),
    run: || {
        // Room for the root and two blocks; one index is left over.
        let arena = Arc::new(arena(6));
        let blocks = reserve_at_once(&arena, 2);
        assert_eq!(blocks, [1..3, 3..5], "blocks were handed out");
        assert_eq!(arena.len(), 5);
    },
};

#[test]
fn three_threads_near_the_cap() {
    holds(CAP);
}

#[test]
fn racy_reservation() {
    fails(CAP, Fault::RacyReservation, "blocks were handed out");
}

/// In models a chunk has eight nodes: the second block requires a second chunk, and the third block
/// would require a third chunk, past the capacity.
const CHUNKS: Model = Model {
    name: "arena, threads open a chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(arena(16));
        let blocks = reserve_at_once(&arena, 5);
        assert_eq!(blocks, [1..6, 8..13], "blocks were handed out");
        assert_eq!(arena.len(), 11);
    },
};

#[test]
fn threads_open_a_chunk() {
    holds(CHUNKS);
}

/// All three blocks lie in the new chunk, so the threads race to allocate it.
const SAME_CHUNK: Model = Model {
    name: "arena, three threads open the same chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(arena(16));
        reserve(&arena, &mut Slab::default(), 7);
        let blocks = reserve_at_once(&arena, 2);
        assert_eq!(blocks, [8..10, 10..12, 12..14], "blocks were handed out");
        assert_eq!(arena.len(), 14);
    },
};

#[test]
fn three_threads_open_the_same_chunk() {
    holds(SAME_CHUNK);
}

/// Two of the blocks fit, each in its own chunk. The thread that takes the second block frees the
/// rest of the first block's chunk, which another thread may have allocated.
const RESTS: Model = Model {
    name: "arena, the rest of a chunk is freed",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let arena = Arc::new(arena(24));
        reserve(&arena, &mut Slab::default(), 7);
        let blocks = reserve_at_once(&arena, 6);
        assert_eq!(blocks, [8..14, 16..22], "blocks were handed out");
        assert_eq!(arena.take_block(2), Some(14), "the rest is lost");
    },
};

#[test]
fn the_rest_of_a_chunk_is_freed() {
    holds(RESTS);
}

#[test]
fn relaxed_extent() {
    fails(RESTS, Fault::RelaxedExtent, "before its chunk could be seen");
}

/// The system has no memory for a second chunk, so the arena ends after the first one.
const STARVED: Model = Model {
    name: "arena, the system has no memory for a chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(arena(16));
        scarcity::leave(0);
        let blocks = reserve_at_once(&arena, 3);
        scarcity::leave(usize::MAX);
        assert_eq!(blocks, [1..4, 4..7], "blocks were handed out");
        assert_eq!(arena.len(), 7);
    },
};

#[test]
fn no_memory_for_a_chunk() {
    holds(STARVED);
}

const FULL: Model = Model {
    name: "arena, an expansion finds no room",
    threads: 3,
    preemptions: None,
    run: || {
        let tree = planted(Shape { nodes: 5, ..Shape::default() });
        grow(&tree, &[ROOT], &mut Slab::default(), 0, 2);
        for leaf in [1, 2] {
            tree.evaluate_and_climb(&[ROOT, leaf], 1, 2);
        }
        let tree = Arc::new(tree);
        let threads = [1, 2].map(|leaf| {
            worker(&tree, move |tree| {
                let children = [Some([1, 1]); 2];
                tree.prove_and_climb(&[ROOT, leaf], &children)
            })
        });
        let made = threads.map(join);
        check(&tree);
        let loser = match made {
            [Expansion::Full, Expansion::Made(3)] => 1,
            [Expansion::Made(3), Expansion::Full] => 2,
            _ => panic!("one of two expansions finds room, not {made:?}"),
        };
        let loser = tree.node(loser);
        assert_eq!(loser.load().stage(), Stage::Leaf);
        assert!(tree.claim_expansion(loser).is_some(), "the claim was given back");
    },
};

#[test]
fn an_expansion_finds_no_room() {
    holds(FULL);
}

#[test]
fn a_full_arena_forgets_the_claim() {
    fails(FULL, Fault::ForgottenGuard, WRONG);
}
