//! The end of the memory: threads reserve blocks near the cap.
//!
//! ```text
//!   thread A                        thread B
//!   reads next = 3                  reads next = 3
//!   3 + 2 <= 6: takes 3, 4          3 + 2 <= 6: takes 3, 4
//! ```
//!
//! The scheme: one counter, moved by an exchange that succeeds only from the
//! value it was checked with. No index is handed out twice, none at or past the
//! cap; who finds no room gives its claim back, so that the node is a leaf
//! again, and playouts go on from there.

use crate::setting::{ROOT, WRONG, check, join, worker};
use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::{Expansion, ModelArena, ModelSlab, ModelTree, Shape, leave_memory};
use proofwood::sync::Fault;
use std::ops::Range;
use std::sync::Arc;

/// Three threads reserve blocks of `count`; answers what they got.
fn reserve(arena: &Arc<ModelArena>, count: usize) -> Vec<Range<u32>> {
    let reserve = move |arena: &ModelArena| {
        let mut slab = ModelSlab::default();
        let block = arena.reserve(&mut slab, count);
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
        // The root and room for two blocks; one index is left over.
        let arena = Arc::new(ModelArena::new(6));
        let blocks = reserve(&arena, 2);
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

/// Chunks hold eight nodes here: the second block opens the second chunk, and
/// the third, which would open the third, is past the cap.
const CHUNKS: Model = Model {
    name: "arena, threads open a chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(ModelArena::new(16));
        let blocks = reserve(&arena, 5);
        assert_eq!(blocks, [1..6, 8..13], "blocks were handed out");
        assert_eq!(arena.len(), 11);
    },
};

#[test]
fn threads_open_a_chunk() {
    holds(CHUNKS);
}

/// Both blocks lie in the new chunk: threads race for its allocation.
const SAME_CHUNK: Model = Model {
    name: "arena, three threads open the same chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(ModelArena::new(16));
        arena.reserve(&mut ModelSlab::default(), 7);
        let blocks = reserve(&arena, 2);
        assert_eq!(blocks, [8..10, 10..12, 12..14], "blocks were handed out");
        assert_eq!(arena.len(), 14);
    },
};

#[test]
fn three_threads_open_the_same_chunk() {
    holds(SAME_CHUNK);
}

/// Three blocks, the second and third of which leave the rest of a chunk behind: whoever
/// takes them frees that, in a chunk that another thread has opened.
const RESTS: Model = Model {
    name: "arena, the rest of a chunk is freed",
    threads: 3,
    preemptions: Some(2),
    run: || {
        let arena = Arc::new(ModelArena::new(24));
        arena.reserve(&mut ModelSlab::default(), 7);
        let blocks = reserve(&arena, 6);
        assert_eq!(blocks, [8..14, 16..22], "blocks were handed out");
        assert_eq!(arena.take(2), Some(14..16), "the rest is lost");
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

/// The system has no memory for the second chunk: it is as if the first were the last.
const STARVED: Model = Model {
    name: "arena, the system has no memory for a chunk",
    threads: 3,
    preemptions: Some(3),
    run: || {
        let arena = Arc::new(ModelArena::new(16));
        leave_memory(0);
        let blocks = reserve(&arena, 3);
        leave_memory(usize::MAX);
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
        let tree = ModelTree::new(Shape { nodes: 5, ..Shape::default() });
        tree.evaluate(ROOT, 0, 2);
        tree.expand_and_climb(&[ROOT], &mut ModelSlab::default(), 2, &[]);
        for leaf in [1, 2] {
            tree.evaluate_and_climb(&[ROOT, leaf], 1, 2);
        }
        let tree = Arc::new(tree);
        let threads = [1, 2].map(|leaf| {
            worker(&tree, move |tree| {
                let children = [Some([1, 1]); 2];
                tree.prove_and_climb(&[ROOT, leaf], &mut ModelSlab::default(), &children)
            })
        });
        let made = threads.map(join);
        check(&tree);
        let loser = match made {
            [Expansion::Full, Expansion::Made(3)] => 1,
            [Expansion::Made(3), Expansion::Full] => 2,
            _ => panic!("one of two expansions finds room, not {made:?}"),
        };
        assert!(tree.load(loser).is_leaf());
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
