//! Free lists of blocks, and the reclaiming of memory during reservations.
//!
//! Free blocks form a stack whose links lie in the blocks themselves:
//!
//! ```text
//!   thread A takes                  thread B
//!   reads the head X, its link Y
//!                                   takes X, takes Y, frees X
//!   head X -> Y succeeds: Y is on the list and in use
//! ```
//!
//! The rules: beside the index, the head of the stack has a generation, which every change
//! increments. A block is detached only when no node leads to it and no thread is in the tree; a
//! thread that pops it is its only holder; and it is zeroed before it is used again.

use super::arena::{arena, reserve};
use super::check::{Model, fails, holds};
use super::setting::{Expansion, ModelTree, ROOT, Shape, check, draw, grow, join, planted, worker};
use crate::game::Turn;
use crate::sync::Fault;
use crate::tree::{Arena, Slab, Stage};
use loom::thread;
use std::ops::Range;
use std::sync::Arc;

/// Returns an arena whose free list has the blocks X and Y, of two nodes each, with X on top, and
/// the indices of X and Y.
fn two_free() -> (Arc<Arena>, [u32; 2]) {
    let arena = arena(5);
    let blocks = [(); 2].map(|()| reserve(&arena, &mut Slab::default(), 2).unwrap().start);
    let [x, y] = blocks;
    arena.free_block(y, 2);
    arena.free_block(x, 2);
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
            thread::spawn(move || arena.take_block(2))
        };
        let mut held = vec![arena.take_block(2), arena.take_block(2)];
        if let Some(block) = held[0].take() {
            arena.free_block(block, 2);
        }
        held.push(other.join().unwrap());
        held.extend([(); 2].map(|()| arena.take_block(2)));
        let mut held: Vec<_> = held.into_iter().flatten().collect();
        held.sort_unstable();
        blocks.sort_unstable();
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

/// Three threads take and free blocks, so each thread follows links that another one has written.
const LINKS: Model = Model {
    name: "sweep, three threads at one free list",
    threads: 3,
    preemptions: Some(1),
    run: || {
        let (arena, mut blocks) = two_free();
        let take_and_free = |arena: &Arena| {
            if let Some(block) = arena.take_block(2) {
                arena.free_block(block, 2);
            }
        };
        let threads = [(); 2].map(|()| {
            let arena = Arc::clone(&arena);
            thread::spawn(move || take_and_free(&arena))
        });
        let own = arena.take_block(2);
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let mut held: Vec<_> =
            [own, arena.take_block(2), arena.take_block(2)].into_iter().flatten().collect();
        held.sort_unstable();
        blocks.sort_unstable();
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

/// The only free memory is one large block. Each thread takes a part of it as a slab, frees the
/// rest, and gives its own block back to the slab.
const LARGER: Model = Model {
    name: "sweep, slabs from a larger block",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let arena = Arc::new(arena(8));
        let all = reserve(&arena, &mut Slab::default(), 7).expect("it is empty");
        arena.free_block(all.start, 7);
        let take = |arena: &Arena| {
            let mut slab = Slab::default();
            let taken = arena.reserve(&mut slab, 2).map(|block| arena.give_up(&mut slab, block));
            let kept = reserve(arena, &mut slab, 1);
            arena.give_back(&mut slab);
            (taken.is_ok(), kept)
        };
        let other = {
            let arena = Arc::clone(&arena);
            thread::spawn(move || take(&arena))
        };
        let (own, theirs) = (take(&arena), other.join().unwrap());
        assert!(own.0 || theirs.0, "one of them finds the block");
        let kept: Vec<_> = [own.1, theirs.1].into_iter().flatten().collect();
        assert_eq!(arena.len(), 1 + kept.len() as u64, "nodes are counted wrong");
        let mut single = || reserve(&arena, &mut Slab::default(), 1);
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

/// A full arena whose root has moved to its first child: the old root's children and the second
/// child's own children must be reclaimed.
fn moved() -> Arc<ModelTree> {
    let mut tree = planted(Shape { nodes: 7, ..Shape::default() });
    let mut slab = Slab::default();
    grow(&tree, &[ROOT], &mut slab, 0, 2);
    grow(&tree, &[ROOT, 1], &mut slab, 1, 2);
    grow(&tree, &[ROOT, 2], &mut slab, 1, 2);
    draw(tree.trail(&[ROOT, 2, 5]));
    for leaf in [3, 4] {
        tree.evaluate_and_climb(&[ROOT, 1, leaf], 0, 2);
    }
    let mover = tree.node(ROOT).load().mover();
    assert!(tree.advance(Turn::Player(mover), 0, true), "it has children");
    check(&tree);
    Arc::new(tree)
}

/// Returns whether a node looks unvisited.
fn is_fresh(tree: &ModelTree, index: u32) -> bool {
    let node = tree.node(index);
    node.load().stage() == Stage::New
        && node.statistics().visits == 0
        && tree.check_facts(index, None).is_ok()
}

/// Expands a child of the new root; returns whether there was room.
fn expand(tree: &ModelTree, leaf: u32) -> bool {
    let mut slab = Slab::default();
    let path = [ROOT, leaf];
    let made = tree.expand_and_climb(&path, &mut slab, 2, &[]);
    if let Expansion::Made(first) = made {
        assert!([first, first + 1].iter().all(|&child| is_fresh(tree, child)), "a used block");
    }
    tree.arena.give_back(&mut slab);
    made != Expansion::Full
}

const RECLAIM: Model = Model {
    name: "sweep, reservations meet the sweep",
    threads: 2,
    preemptions: Some(2),
    run: || {
        let tree = moved();
        let other = worker(&tree, |tree| {
            tree.arena.reclaim(1);
            expand(tree, 3)
        });
        // A concurrent playout still finds the reachable nodes.
        let word = tree.node(ROOT).load();
        assert_eq!((word.first_child(), tree.child_move(word, 1)), (3, 1));
        let made = expand(&tree, 4);
        let others = join(other);
        while tree.arena.reclaim(1) > 0 {}
        // A thread may have found no room while a block was being reclaimed.
        assert!(made || expand(&tree, 4), "there is room after the sweep");
        assert!(others || expand(&tree, 3), "there is room after the sweep");
        check(&tree);
        if let Err(what) = tree.account() {
            panic!("the memory was counted wrong: {what}");
        }
        assert_eq!(tree.arena.len(), 7, "the memory was counted wrong");
    },
};

#[test]
fn reservations_meet_the_sweep() {
    holds(RECLAIM);
}

#[test]
fn dirty_blocks() {
    fails(RECLAIM, Fault::DirtyBlock, "a used block");
}

#[test]
fn swept_root() {
    fails(RECLAIM, Fault::SweptRoot, "the memory was counted wrong");
}
