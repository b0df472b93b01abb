//! Tests of the tree without a game, at limits that no search would reach.

use super::arena::Arena;
use super::*;
use crate::bounds::{Interval, NumberCell, ProofNumber, Span};
use crate::game::{MAX_PLAYERS, Outcome};
use crate::memory::scarcity;
use crate::rules::{Declared, Thresholds};
use crate::sync::Writers;

/// A logic for two players and payoffs from −1 to 1, with all features enabled.
fn logic() -> Logic {
    let range = Interval { lower: -1, upper: 1 };
    let thresholds = Thresholds { draw: Some(0), win: Some(1) };
    let declared = Declared {
        players: 2,
        zero_sum: true,
        chance: false,
        ranges: [range; MAX_PLAYERS],
        thresholds: [thresholds; MAX_PLAYERS],
        symmetric: false,
    };
    let bounds = Premises { score_bounds: true, keeps_intervals: true, ..Premises::of(declared) };
    Logic::new(Premises { mobility: true, ..bounds })
}

fn tree(max_nodes: u64) -> MoveTree<u8> {
    let columns = Columns { proof_numbers: 2, intervals: 1, ..Columns::default() };
    MoveTree::new(logic(), columns, max_nodes, Writers::Many).expect("room for a root")
}

/// Evaluates and expands a node that was never visited.
fn grow(tree: &MoveTree<u8>, index: u32, mover: usize, children: usize, slab: &mut Slab) -> Word {
    let node = tree.node(index);
    let claim = tree.claim_evaluation(node).expect("nobody else is here");
    tree.set_leaf(claim, index, mover, children);
    let claim = tree.claim_expansion(node).expect("nobody else is here");
    let moves: Vec<u8> = (0..children).map(|n| n as u8).collect();
    let reservation = tree.arena.reserve(slab, children).expect("room for the children");
    let word = tree.expand(claim, tree.fill(reservation, &moves), Listing::default());
    tree.finish_expansion(index, word);
    word
}

fn end(tree: &Tree, index: u32, payoffs: [i32; 2]) -> bool {
    let claim = tree.claim_evaluation(tree.node(index)).expect("nobody else is here");
    tree.set_terminal(claim, index, &payoffs)
}

#[test]
fn a_chain_of_a_million_nodes_is_proven_and_dropped_without_recursion() {
    // Miri would take hours for a million nodes; its chunks are small instead.
    const LENGTH: usize = if cfg!(miri) { 1000 } else { 1_000_000 };
    let tree = tree(LENGTH as u64 + 10_000);
    let mut slab = Slab::default();
    let mut path = vec![ROOT];
    for depth in 0..LENGTH {
        let word = grow(&tree, path[depth], depth % 2, 1, &mut slab);
        path.push(word.first_child());
    }
    assert!(end(&tree, path[LENGTH], [1, -1]));
    let mut solved = 0;
    let ended = tree.climb(LENGTH, |depth| path[depth], |_| solved += 1);
    assert_eq!(ended, None, "it comes past the root");
    assert_eq!(solved, LENGTH);
    assert_eq!(tree.proof_number(ROOT, 0), ProofNumber::PROVEN);
    assert_eq!(tree.proof_number(ROOT, 1), ProofNumber::INFINITE);
    assert_eq!(tree.span(ROOT, 0), Span::exactly(1));
    drop(tree);
}

#[test]
fn sums_beyond_32_bits_saturate_and_stay_open() {
    let tree = tree(10_000);
    let word = grow(&tree, ROOT, 1, 3, &mut Slab::default());
    // Player 0 has to win after all three replies of player 1.
    let children = tree.arena.children(word);
    for number in 0..3 {
        children.proof_numbers()[2 * number].store(ProofNumber::MAX_FINITE);
    }
    tree.climb(1, |_| ROOT, |_| {});
    let number = tree.proof_number(ROOT, 0);
    assert!(number.is_saturated() && number.is_open(), "{number}");
    children.proof_numbers()[0].store(ProofNumber::INFINITE);
    tree.climb(1, |_| ROOT, |_| {});
    assert!(tree.proof_number(ROOT, 0).is_infinite());
}

#[test]
fn a_contradiction_names_its_node() {
    let tree = tree(10_000);
    let word = grow(&tree, ROOT, 0, 1, &mut Slab::default());
    let child = word.first_child();
    assert!(end(&tree, child, [1, -1]));
    tree.climb(1, |_| ROOT, |_| {});
    assert_eq!(tree.contradiction(), None);
    // The child turns from a win into a loss, which is impossible in a game.
    tree.arena.single(child).proof_numbers()[0].store(ProofNumber::INFINITE);
    tree.arena.single(child).proof_numbers()[1].store(ProofNumber::PROVEN);
    tree.climb(1, |_| ROOT, |_| {});
    assert!(tree.has_contradiction());
    assert_eq!(tree.contradiction(), Some(ROOT));
}

#[test]
fn a_claim_that_is_dropped_is_given_back() {
    let tree = tree(3);
    let claim = tree.claim_evaluation(tree.node(ROOT)).expect("nobody else is here");
    tree.set_leaf(claim, ROOT, 0, 5);
    assert!(tree.claim_expansion(tree.node(ROOT)).is_some());
    assert_eq!(tree.node(ROOT).load().stage(), Stage::Leaf);
    assert!(tree.claim_expansion(tree.node(ROOT)).is_some());
}

#[test]
fn a_block_that_was_not_needed_is_used_again() {
    let tree = tree(8);
    let (mut slab, mut other) = (Slab::default(), Slab::default());
    assert!(matches!(tree.arena.reserve(&mut slab, 8), Err(Full)));
    let block = tree.arena.reserve(&mut slab, 4).expect("seven nodes are free");
    tree.arena.give_up(&mut slab, block);
    tree.arena.give_back(&mut slab);
    assert_eq!(tree.arena.len(), 1);
    // This time the thread has begun another slab before it gives up the block.
    let block = tree.arena.reserve(&mut slab, 4).expect("seven nodes are free");
    tree.arena.give_up(&mut other, block);
    tree.arena.give_back(&mut slab);
    assert_eq!(tree.arena.len(), 1);
    let first = tree.arena.reserve(&mut slab, 4).map(|block| tree.arena.fresh(&block).index(0));
    assert_eq!(first, Ok(1));
}

#[test]
fn a_carried_answer_has_the_numbers_of_its_outcome() {
    let logic = logic();
    for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
        let facts = logic.known(Solved::from_value(outcome.value()));
        let terminal = logic.terminal(&[outcome.value(), -outcome.value()]);
        assert_eq!(facts.proof_numbers, terminal.proof_numbers, "{outcome:?}");
        assert_eq!(facts.intervals[..2], terminal.intervals[..2], "{outcome:?}");
    }
}

/// Every thread grows its own branch and reads all other branches while they grow. This checks that
/// several threads can add chunks at once, and that no move is seen before it is written.
#[test]
fn threads_fill_chunks_together() {
    const THREADS: usize = 3;
    const STEPS: usize = if cfg!(miri) { 30 } else { 40_000 };
    /// The number of children of the `step`-th node of a branch.
    fn width(branch: usize, step: usize) -> usize {
        1 + (step * 5 + branch) % 9
    }
    let tree = tree(1 << 21);
    let root = grow(&tree, ROOT, 0, THREADS, &mut Slab::default());
    let walk = |branch: usize| {
        let (mut word, mut step) = (tree.node(root.first_child() + branch as u32).load(), 0);
        while word.stage() == Stage::Expanded {
            let width = width(branch, step);
            assert_eq!(word.num_children(), width);
            assert_eq!(tree.child_move(word, width - 1), width as u8 - 1);
            word = tree.node(word.first_child()).load();
            step += 1;
        }
        step
    };
    std::thread::scope(|scope| {
        for branch in 0..THREADS {
            let (tree, walk) = (&tree, &walk);
            scope.spawn(move || {
                let mut slab = Slab::default();
                let mut index = root.first_child() + branch as u32;
                for step in 0..STEPS {
                    let word = grow(tree, index, 0, width(branch, step), &mut slab);
                    index = word.first_child();
                    if step % (STEPS / 5) == 0 {
                        (0..THREADS).for_each(|branch| _ = walk(branch));
                    }
                }
                tree.arena.give_back(&mut slab);
            });
        }
    });
    let made = |branch| (0..STEPS).map(|step| width(branch, step)).sum::<usize>();
    let nodes = 1 + THREADS + (0..THREADS).map(made).sum::<usize>();
    assert!((0..THREADS).all(|branch| walk(branch) == STEPS));
    // The slab for the root's children was not given back.
    assert!((nodes as u64..nodes as u64 + 1024).contains(&tree.arena.len()));
}

/// A number of bytes that is too small for a chunk.
const SCARCE: usize = 100;

#[test]
fn a_chunk_that_cannot_be_had_is_a_full_memory() {
    let chunk = arena::CHUNK as u64;
    let mut tree = tree(3 * chunk);
    let mut slab = Slab::default();
    let word = grow(&tree, ROOT, 0, 2, &mut slab);
    scarcity::leave(SCARCE);
    // A chain below the second child fills the first chunk.
    let mut last = grow(&tree, word.first_child() + 1, 1, 1, &mut slab).first_child();
    while let Ok(block) = tree.arena.reserve(&mut slab, 1) {
        tree.arena.give_up(&mut slab, block);
        last = grow(&tree, last, 0, 1, &mut slab).first_child();
    }
    assert_eq!((u64::from(last), tree.arena.len()), (chunk - 1, chunk));
    assert!(tree.arena.is_starved() && tree.arena.refused().is_some());
    // Pruning makes room without another chunk.
    tree.arena.give_back(&mut slab);
    assert!(tree.make_room(1));
    assert!(tree.arena.len() <= chunk / 2);
    for _ in 0..chunk / 4 {
        tree.arena.reserve(&mut slab, 1).expect("half of the chunk is free");
    }
    // The next search asks the system again.
    scarcity::leave(usize::MAX);
    tree.arena.set_cap(u64::MAX);
    assert!(!tree.arena.is_starved());
    for _ in 0..chunk {
        tree.arena.reserve(&mut slab, 1).expect("another chunk");
    }
}

#[test]
fn a_tree_without_memory_is_refused() {
    scarcity::leave(SCARCE);
    let columns = Columns { proof_numbers: 2, ..Columns::default() };
    let made = MoveTree::<u8>::new(logic(), columns, 1000, Writers::Many);
    scarcity::leave(usize::MAX);
    assert!(matches!(made, Err(NoArena::Refused(_))));
}

#[test]
fn chunks_and_slabs_of_large_moves_take_no_more_than_they_may() {
    const MOVE: usize = 1 << 20;
    let columns = Columns { move_bytes: MOVE, ..Columns::default() };
    let bytes = 64 * columns.bytes_per_node();
    scarcity::leave(bytes);
    let arena = Arena::new(columns, 64).expect("the memory is there");
    scarcity::leave(usize::MAX);
    let mut slab = Slab::default();
    arena.reserve(&mut slab, 3).expect("there is room");
    assert_eq!(slab.left(), 0);
}
