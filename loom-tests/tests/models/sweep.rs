//! Memory that comes back: free lists, and the sweep against reservations.
//!
//! Free blocks are a stack, linked through their own memory:
//!
//! ```text
//!   thread A takes                  thread B
//!   reads the head X, its link Y
//!                                   takes X, takes Y, frees X
//!   head X -> Y succeeds: Y is on the list and in use
//! ```
//!
//! The scheme: beside the index, the head holds a generation that every change
//! counts up. And the sweep, which fills the lists while others reserve: a block
//! is doomed when nothing leads to it any more and no thread is in the tree; who
//! takes it off a stack is its only holder; it is zeroed before it is used again.

use crate::setting::{ROOT, check, grow, join, worker};
use loom::thread;
use loom_tests::{Model, fails, holds};
use proofwood::model::{Expansion, ModelArena, ModelSlab, ModelTree, Shape};
use proofwood::sync::Fault;
use std::ops::Range;
use std::sync::Arc;

/// An arena whose free list holds X on top of Y.
fn two_free() -> (Arc<ModelArena>, [Range<u32>; 2]) {
    let arena = ModelArena::new(5);
    let blocks = [(); 2].map(|()| arena.reserve(&mut ModelSlab::default(), 2).unwrap());
    let [x, y] = blocks.clone();
    arena.free(y);
    arena.free(x);
    (Arc::new(arena), blocks)
}

const ABA: Model = Model {
    name: "sweep, a block comes back to the top of a free list",
    threads: 2,
    preemptions: Some(3),
    run: || {
        let (arena, mut blocks) = two_free();
        let other = {
            let arena = Arc::clone(&arena);
            thread::spawn(move || arena.take(2))
        };
        let mut held = vec![arena.take(2), arena.take(2)];
        if let Some(block) = held[0].take() {
            arena.free(block);
        }
        held.push(other.join().unwrap());
        held.extend([(); 2].map(|()| arena.take(2)));
        let mut held: Vec<_> = held.into_iter().flatten().collect();
        held.sort_by_key(|block| block.start);
        blocks.sort_by_key(|block| block.start);
        assert_eq!(held, blocks, "blocks were lost or held twice");
    },
};

#[test]
fn a_block_comes_back_to_the_top() {
    holds(ABA);
}

#[test]
fn no_generation() {
    fails(ABA, Fault::NoGeneration, "held twice");
}

/// Three threads take and free: what one pushed, another follows.
const LINKS: Model = Model {
    name: "sweep, three threads at one free list",
    threads: 3,
    preemptions: Some(1),
    run: || {
        let (arena, mut blocks) = two_free();
        let take_and_free = |arena: &ModelArena| {
            if let Some(block) = arena.take(2) {
                arena.free(block);
            }
        };
        let threads = [(); 2].map(|()| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || take_and_free(&arena))
        });
        let own = arena.take(2);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let mut held: Vec<_> = [own, arena.take(2), arena.take(2)].into_iter().flatten().collect();
        held.sort_by_key(|block| block.start);
        blocks.sort_by_key(|block| block.start);
        assert_eq!(held, blocks, "blocks were lost or held twice");
        assert_eq!(arena.len(), 5);
    },
};

#[test]
fn three_threads_at_one_list() {
    holds(LINKS);
}

#[test]
fn relaxed_lists() {
    fails(LINKS, Fault::RelaxedFree, "held twice");
}

/// A large free block is all that is left of the memory: each thread takes a part of it
/// as a slab, frees the rest, and gives its own block back to the slab.
const LARGER: Model = Model {
    name: "sweep, slabs from a larger block",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let arena = Arc::new(ModelArena::new(8));
        let all = arena.reserve(&mut ModelSlab::default(), 7).expect("it is empty");
        arena.free(all);
        let take = |arena: &ModelArena| {
            let mut slab = ModelSlab::default();
            let taken = arena.take_and_give_up(&mut slab, 2);
            let kept = arena.reserve(&mut slab, 1);
            arena.give_back(&mut slab);
            (taken, kept)
        };
        let other = {
            let arena = Arc::clone(&arena);
            thread::spawn(move || take(&arena))
        };
        let (own, theirs) = (take(&arena), other.join().unwrap());
        assert!(own.0 || theirs.0, "one of them finds the block");
        let kept: Vec<_> = [own.1, theirs.1].into_iter().flatten().collect();
        assert_eq!(arena.len(), 1 + kept.len() as u64, "nodes are counted wrong");
        let mut single = || arena.reserve(&mut ModelSlab::default(), 1);
        let mut held: Vec<_> = kept.into_iter().chain(std::iter::from_fn(&mut single)).collect();
        held.sort_by_key(|block| block.start);
        let each: Vec<_> = (1..8).map(|index| index..index + 1).collect();
        assert_eq!(held, each, "blocks were lost or held twice");
    },
};

#[test]
fn slabs_from_a_larger_block() {
    holds(LARGER);
}

#[test]
fn forgotten_block() {
    fails(LARGER, Fault::ForgottenBlock, "nodes are counted wrong");
}

/// The arena is full, and the root has moved to its first child: the old root's
/// children and those of the second one are to be swept.
fn moved() -> Arc<ModelTree> {
    let mut tree = ModelTree::new(Shape { nodes: 7, ..Shape::default() });
    let mut slab = ModelSlab::default();
    grow(&tree, &[ROOT], &mut slab, 0, 2);
    grow(&tree, &[ROOT, 1], &mut slab, 1, 2);
    grow(&tree, &[ROOT, 2], &mut slab, 1, 2);
    tree.trail(&[ROOT, 2, 5]).finish();
    for leaf in [3, 4] {
        tree.evaluate_and_climb(&[ROOT, 1, leaf], 0, 2);
    }
    tree.advance(0);
    check(&tree);
    Arc::new(tree)
}

/// Expands a child of the new root; answers whether there was room.
fn expand(tree: &ModelTree, leaf: u32) -> bool {
    let mut slab = ModelSlab::default();
    let path = [ROOT, leaf];
    let made = tree.expand_and_climb(&path, &mut slab, 2, &[]);
    if let Expansion::Made(first) = made {
        assert!([first, first + 1].iter().all(|&child| tree.is_fresh(child)), "a used block");
    }
    tree.give_back(&mut slab);
    made != Expansion::Full
}

const SWEEP: Model = Model {
    name: "sweep, reservations meet the sweep",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let tree = moved();
        let other = worker(&tree, |tree| {
            tree.sweep();
            expand(tree, 3)
        });
        // A playout meanwhile: what can be reached stays.
        let word = tree.load(ROOT);
        assert_eq!((word.first_child(), tree.child_move(word, 1)), (3, 1));
        let made = expand(&tree, 4);
        let others = join(other);
        while tree.sweep() {}
        // Who found no room may have come while a block was being swept.
        assert!(made || expand(&tree, 4), "there is room after the sweep");
        assert!(others || expand(&tree, 3), "there is room after the sweep");
        check(&tree);
        match tree.account() {
            Ok(nodes) => assert_eq!(nodes, 7, "the memory was counted wrong"),
            Err(what) => panic!("the memory was counted wrong: {what}"),
        }
    },
};

#[test]
fn reservations_meet_the_sweep() {
    holds(SWEEP);
}

#[test]
fn dirty_blocks() {
    fails(SWEEP, Fault::DirtyBlock, "a used block");
}

#[test]
fn swept_root() {
    fails(SWEEP, Fault::SweptRoot, "the memory was counted wrong");
}
