//! Trees for the models, the steps of their threads, and the check of a tree at rest.

use crate::MAX_PLAYERS;
use crate::bounds::{Interval, ProofNumber};
use crate::rules::{Declared, Thresholds};
use crate::settings::Goal;
use crate::sync::Writers;
use crate::tree::{
    Columns, Listing, Logic, MoveTree, Premises, SeenChild, Sides, Slab, Stage, Step, Trail, Word,
};
use loom::thread::{self, JoinHandle};
use std::sync::Arc;

pub(super) use crate::tree::ROOT;
/// The root's only child in [`two_levels`].
pub(super) const NODE: u32 = 1;
/// The first child of [`NODE`] in [`two_levels`].
pub(super) const FIRST: u32 = 2;

pub(super) const PAYOFFS: Interval = Interval { lower: -1, upper: 1 };

/// A tree in which a move is the number of its child.
pub(super) type ModelTree = MoveTree<u8>;

/// The data that a model's tree stores. Every additional number multiplies the number of
/// interleavings, so a model stores only what it tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Whether the tree stores intervals and skips children that they rule out.
    pub(super) score_bounds: bool,
    /// Whether the tree stores intervals of means, for the score of a game with chance. The weight
    /// of outcome `i` is `i + 1`.
    pub(super) chance: bool,
    /// Whether a status byte (proven, open or impossible) replaces each proof number.
    pub(super) statuses: bool,
    pub(super) ranks: bool,
    /// Whether the tree stores log-odds. The log-odds of an open leaf are the difference between
    /// its two numbers.
    pub(super) log_odds: bool,
    /// Whether a single thread changes the tree, while others may read it.
    pub(super) one_writer: bool,
    /// The arena's capacity.
    pub(super) nodes: u64,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            score_bounds: false,
            chance: false,
            statuses: false,
            ranks: false,
            log_odds: false,
            one_writer: false,
            nodes: 8,
        }
    }
}

/// A tree for two players, with an unvisited root.
pub(super) fn planted(shape: Shape) -> ModelTree {
    let declared = Declared {
        players: 2,
        zero_sum: shape.score_bounds,
        chance: shape.chance,
        ranges: [PAYOFFS; MAX_PLAYERS],
        thresholds: [Thresholds { draw: Some(0), win: Some(1) }; MAX_PLAYERS],
        symmetric: false,
    };
    let logic = Logic::new(Premises {
        goal: if shape.chance { Goal::Score } else { Goal::Outcome },
        sides: if shape.score_bounds { Sides::Versus(0) } else { Sides::Free },
        solver: shape.score_bounds,
        score_bounds: shape.score_bounds,
        keeps_intervals: true,
        proof_numbers: !shape.statuses,
        mobility: true,
        products: shape.log_odds,
        ..Premises::of(declared)
    });
    let columns =
        Columns { ranks: shape.ranks, log_odds: shape.log_odds, move_bytes: 1, ..logic.columns() };
    let writers = if shape.one_writer { Writers::One } else { Writers::Many };
    let Ok(tree) = MoveTree::new(logic, columns, shape.nodes, writers) else {
        panic!("a model's tree needs room for its root")
    };
    tree
}

/// A root with one child, at which player 1 moves, and `children` unvisited nodes below the child.
pub(super) fn two_levels(shape: Shape, children: usize) -> Arc<ModelTree> {
    let tree = planted(shape);
    let mut slab = Slab::default();
    grow(&tree, &[ROOT], &mut slab, 0, 1);
    grow(&tree, &[ROOT, NODE], &mut slab, 1, children);
    assert_eq!(tree.node(NODE).load().first_child(), FIRST);
    check(&tree);
    Arc::new(tree)
}

/// A root with one unvisited child.
pub(super) fn one_level() -> Arc<ModelTree> {
    let tree = planted(Shape::default());
    grow(&tree, &[ROOT], &mut Slab::default(), 0, 1);
    Arc::new(tree)
}

/// A root whose only child is a leaf with `moves` legal moves.
pub(super) fn leaf(moves: usize) -> Arc<ModelTree> {
    let tree = one_level();
    tree.evaluate_and_climb(&[ROOT, NODE], 1, moves);
    tree
}

/// Evaluates and expands the last node of `path`, while no other thread uses the tree.
pub(super) fn grow(tree: &ModelTree, path: &[u32], slab: &mut Slab, mover: usize, children: usize) {
    tree.evaluate_and_climb(path, mover, children);
    assert!(matches!(tree.expand_and_climb(path, slab, children, &[]), Expansion::Made(_)));
}

/// The result of an attempt to expand a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// Another thread holds the claim, or has expanded the node.
    Lost,
    Full,
    /// The node was expanded; its children start at this index.
    Made(u32),
}

/// The steps of workers and provers, without a game: they make the same calls to the tree in the
/// same order.
impl ModelTree {
    /// Evaluates the last node of `path`, at which the game is not over, as a first visit does, and
    /// backs up the change.
    pub(super) fn evaluate_and_climb(&self, path: &[u32], mover: usize, mobility: usize) {
        let index = path[path.len() - 1];
        let Some(claim) = self.claim_evaluation(self.node(index)) else { return };
        if self.set_leaf(claim, index, mover, mobility) {
            self.climb_from(path);
        }
    }

    /// Evaluates the last node of `path`, at which the game is over, and backs up the change.
    pub(super) fn end_and_climb(&self, path: &[u32], payoffs: &[i32]) {
        let index = path[path.len() - 1];
        let Some(claim) = self.claim_evaluation(self.node(index)) else { return };
        if self.set_terminal(claim, index, payoffs) {
            self.climb_from(path);
        }
    }

    /// Expands the last node of `path` as a second visit does, and backs up the change. `ended`
    /// lists the children at which the game is over, with their payoffs.
    pub(super) fn expand_and_climb(
        &self,
        path: &[u32],
        slab: &mut Slab,
        children: usize,
        ended: &[(usize, [i32; 2])],
    ) -> Expansion {
        let index = path[path.len() - 1];
        let Ok(block) = self.arena.reserve(slab, children) else { return Expansion::Full };
        let Some(claim) = self.claim_expansion(self.node(index)) else {
            self.arena.give_up(slab, block);
            return Expansion::Lost;
        };
        let ended = ended
            .iter()
            .map(|(number, payoffs)| (*number, SeenChild::over(self.logic.terminal(payoffs))));
        let ended: Vec<(usize, SeenChild)> = ended.collect();
        let weights: Vec<u32> = (1..=children as u32).collect();
        let listing = Listing { weights: &weights, ended: &ended, was_tried: false };
        let word = self.expand(claim, self.fill(block, &moves(children)), listing);
        self.finish_and_climb(path, word)
    }

    /// Makes a prover's step at the last node of `path`: claims the node, creates its children, and
    /// backs up the change. A child with two numbers is an open leaf at which side 0 moves; a child
    /// without numbers is won by side 0.
    pub(super) fn prove_and_climb(&self, path: &[u32], children: &[Option<[u64; 2]>]) -> Expansion {
        let node = self.node(path[path.len() - 1]);
        let Some(claim) = self.claim_expansion(node) else { return Expansion::Lost };
        let logic = &self.logic;
        let seen = children.iter().map(|child| match child {
            Some([first, second]) if logic.products => {
                SeenChild::open(0, logic.leaf_with_log_odds(*first as f64 - *second as f64))
            }
            Some(numbers) => SeenChild::open(0, logic.leaf_with(numbers.map(ProofNumber::finite))),
            None => SeenChild::over(logic.terminal(&[1, -1])),
        });
        let seen: Vec<SeenChild> = seen.collect();
        let Ok(block) = self.arena.reserve(&mut Slab::default(), children.len()) else {
            return Expansion::Full;
        };
        let word = self.expand_seen(claim, self.fill(block, &moves(children.len())), &seen);
        self.finish_and_climb(path, word)
    }

    /// Finishes an expansion of the last node of `path`, whose published word is `word`.
    pub(super) fn finish_and_climb(&self, path: &[u32], word: Word) -> Expansion {
        if self.finish_expansion(path[path.len() - 1], word).any {
            self.climb_from(path);
        }
        Expansion::Made(word.first_child())
    }

    /// Backs up a change of the last node of `path` to the root.
    pub(super) fn climb_from(&self, path: &[u32]) {
        self.climb(path.len() - 1, |depth| path[depth], |_| {});
    }

    pub(super) fn in_flight(&self, index: u32) -> u64 {
        self.node(index).statistics().in_flight
    }

    pub(super) fn visits(&self, index: u32) -> u64 {
        self.node(index).statistics().visits
    }

    /// A playout that has entered the nodes of `path`.
    pub(super) fn trail(&self, path: &[u32]) -> Trail<'_> {
        self.trail_past_many(u64::MAX, path)
    }

    /// A playout that has entered the nodes of `path`. Nodes with at least `many` visits do not
    /// count playouts in flight.
    pub(super) fn trail_past_many(&self, many: u64, path: &[u32]) -> Trail<'_> {
        let mut trail = Trail::new(self, Vec::new(), 0, many);
        for &index in path {
            trail.enter(self.step(index));
        }
        trail
    }

    /// A step that player 0 has chosen, to the node with this index.
    pub(super) fn step(&self, index: u32) -> Step<'_> {
        Step { node: self.node(index), index, chosen_by: 0 }
    }
}

/// The moves of a node with `children` children.
pub(super) fn moves(children: usize) -> Vec<u8> {
    (0..children as u8).collect()
}

pub(super) fn draw(mut trail: Trail<'_>) {
    trail.finish(0..trail.path.len(), &[0.0; MAX_PLAYERS]);
}

/// Spawns a thread that works on a tree.
pub(super) fn worker<T: 'static>(
    tree: &Arc<ModelTree>,
    work: impl FnOnce(&ModelTree) -> T + 'static,
) -> JoinHandle<T> {
    let tree = Arc::clone(tree);
    thread::spawn(move || work(&tree))
}

/// Joins a thread and returns its result.
pub(super) fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().expect("a model's thread ends")
}

/// Checks a tree at rest: no node is owned, claimed or has playouts in flight, and every expanded
/// node has the values that the sequential rules compute from its children.
pub(super) fn check(tree: &ModelTree) {
    let mut stack = vec![ROOT];
    while let Some(index) = stack.pop() {
        let word = tree.node(index).load();
        if let Err(what) = tree.check_at_rest(index) {
            panic!("{WRONG}: node {index}: {what}");
        }
        if word.stage() == Stage::Expanded {
            let facts = tree.logic.deduce(word.mover(), tree.arena.children(word));
            if let Err(what) = tree.check_facts(index, Some(facts)) {
                panic!("{WRONG}: node {index}: {what}");
            }
            stack.extend((0..word.num_children() as u32).map(|n| word.first_child() + n));
        }
    }
}

/// The start of the messages with which [`check`] panics.
pub(super) const WRONG: &str = "the tree at rest is wrong";
