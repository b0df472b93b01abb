//! The tree and its growth: threads evaluate and expand nodes.

use super::answer::Solved;
use super::arena::{Arena, Block, Filled, Reservation, with_numbers};
use super::logic::{Facts, Logic, Window};
use super::node::{self, Node, NodeClaim, Stage, Word};
use super::premises::Sides;
use crate::bounds::{NumberCell, ProofNumber};
use crate::sync::{AtomicBool, Fault, Ordering, Writers, broken};
use parking_lot::Mutex;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

pub(crate) const ROOT: u32 = 0;

/// The tree of one search. [`MoveTree`] adds the moves.
pub(crate) struct Tree {
    pub(crate) arena: Arena,
    pub(crate) logic: Logic,
    /// The number of threads that change the tree at once: one, or many.
    pub(super) writers: Writers,
    /// Facts about the root that do not follow from its children: they were proven before it became
    /// the root, by nodes that have been dropped.
    pub(crate) known: Facts,
    /// The first node at which two proofs contradicted each other.
    pub(super) contradiction: Mutex<Option<u32>>,
    pub(super) contradicted: AtomicBool,
}

/// A new child whose position has been examined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenChild {
    pub(super) stage: Stage,
    pub(super) mover: usize,
    pub(super) facts: Facts,
}

impl SeenChild {
    /// A child at which the game continues.
    pub(crate) fn open(mover: usize, facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Leaf, mover, facts }
    }

    pub(crate) fn over(facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Terminal, mover: 0, facts }
    }

    /// A child at which the game continues, but the result is known.
    pub(crate) fn known(mover: usize, facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Known, mover, facts }
    }
}

/// Facts about new children.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Listing<'l> {
    /// The weights of the outcomes at a chance node.
    pub(crate) weights: &'l [u32],
    /// Children below which there is nothing to search, each with its number.
    pub(crate) ended: &'l [(usize, SeenChild)],
    /// Whether one of the children was [prepared](Tree::prepare_tried) with the result of a try.
    pub(crate) was_tried: bool,
}

impl Tree {
    #[inline]
    pub(crate) fn writers(&self) -> Writers {
        self.writers
    }

    #[inline]
    pub(crate) fn node(&self, index: u32) -> &Node {
        self.arena.node(index)
    }

    /// Claims the evaluation of a node that was never visited.
    #[inline]
    pub(crate) fn claim_evaluation<'t>(&self, node: &'t Node) -> Option<NodeClaim<'t>> {
        node.claim(Stage::New, Stage::Evaluating, self.writers)
    }

    /// Claims the expansion of an evaluated node. The operating system may suspend the holder, and
    /// no other thread can expand the node meanwhile, so everything that takes time or can fail
    /// must be done before the claim.
    #[inline]
    pub(crate) fn claim_expansion<'t>(&self, node: &'t Node) -> Option<NodeClaim<'t>> {
        node.claim(Stage::Leaf, Stage::Expanding, self.writers)
    }

    /// Ends the evaluation of an unfinished position; returns whether to notify the parent.
    pub(crate) fn set_leaf(
        &self,
        claim: NodeClaim<'_>,
        index: u32,
        mover: usize,
        mobility: usize,
    ) -> bool {
        if self.logic.has_numbers_only() {
            let mut numbers = [ProofNumber::ONE; 2];
            self.logic.count_moves(mover, mobility, &mut numbers);
            let changed = self.write_numbers(self.arena.single(index), 0, &numbers);
            claim.publish_evaluation(Stage::Leaf, mover, 0);
            return changed;
        }
        let facts = self.logic.leaf(mover, mobility);
        let changed = self.write_facts(self.arena.single(index), 0, &facts);
        claim.publish_evaluation(Stage::Leaf, mover, facts.flags);
        changed
    }

    /// Ends the evaluation of a node where the game is over; returns whether to notify its parent.
    pub(crate) fn set_terminal(&self, claim: NodeClaim<'_>, index: u32, payoffs: &[i32]) -> bool {
        let facts = self.logic.terminal(payoffs);
        let changed = self.write_facts(self.arena.single(index), 0, &facts);
        claim.publish_evaluation(Stage::Terminal, 0, facts.flags);
        changed | (facts.flags != 0)
    }

    /// Ends the evaluation of a position solved elsewhere; the caller must notify the parent.
    pub(crate) fn set_known(&self, claim: NodeClaim<'_>, index: u32, mover: usize, solved: Solved) {
        let facts = self.logic.known(solved);
        self.write_facts(self.arena.single(index), 0, &facts);
        claim.publish_evaluation(Stage::Known, mover, facts.flags);
    }

    /// Creates the children of a claimed node. The caller must then call
    /// [`Tree::finish_expansion`]: publication takes ownership of the node unless the children
    /// cannot change its facts.
    pub(crate) fn expand(
        &self,
        claim: NodeClaim<'_>,
        filled: Filled,
        listing: Listing<'_>,
    ) -> Word {
        let Listing { weights, ended, was_tried } = listing;
        let fresh = self.arena.fresh(&filled.0);
        for (cell, &weight) in fresh.weights().iter().zip(weights) {
            // Relaxed: the weights are published with the children.
            cell.store(weight, Ordering::Relaxed);
        }
        for (number, child) in ended {
            self.prepare(fresh, *number, child);
        }
        let flags = if broken(Fault::SilentExpansion) {
            0
        } else if ended.is_empty() && !was_tried && self.logic.leaf_foresees_children() {
            node::STALE
        } else {
            node::OWNED | node::STALE
        };
        self.arena.publish(claim, filled, flags)
    }

    /// Writes the facts about a fresh child, which no other thread can see yet.
    pub(super) fn prepare(&self, fresh: Block<'_>, number: usize, child: &SeenChild) {
        self.write_facts(fresh, number, &child.facts);
        fresh.nodes()[number].prepare(child.stage, child.mover, child.facts.flags);
    }

    /// Stores facts at node `number` of a block; returns whether a number or an interval changed.
    ///
    /// Only the owner of the node or the holder of its claim may call this.
    pub(super) fn write_facts(&self, block: Block<'_>, number: usize, facts: &Facts) -> bool {
        if facts.contradictory {
            self.contradict(block.index(number));
        }
        let numbers = &facts.proof_numbers[..self.logic.players];
        self.write_numbers(block, number, numbers) | self.write_others(block, number, facts)
    }

    /// Stores a node's proof numbers, of which 0 and ∞ are final; returns whether one changed.
    #[inline]
    pub(super) fn write_numbers(
        &self,
        block: Block<'_>,
        number: usize,
        numbers: &[ProofNumber],
    ) -> bool {
        let mut changed = false;
        let cells = number * numbers.len()..(number + 1) * numbers.len();
        with_numbers!(block.numbers(), all => {
            for (cell, &new) in all[cells].iter().zip(numbers) {
                let old = cell.load();
                if old == new {
                    continue;
                }
                if old.is_open() {
                    cell.store(new);
                    changed = true;
                } else if !new.is_open() {
                    self.contradict(block.index(number));
                }
            }
        });
        changed
    }

    #[inline]
    pub(crate) fn has_contradiction(&self) -> bool {
        self.contradicted.load(Ordering::Relaxed)
    }

    /// Narrows an alpha-beta window on the way down to a node.
    ///
    /// The root's minimax value stays the same if all values below it are clipped to an interval
    /// that contains it. So it does not matter by how much a node falls short of the least value
    /// that the root can have, or exceeds the greatest. This does not hold through chance nodes,
    /// because a mean changes if the values below it are clipped.
    #[inline]
    pub(crate) fn narrow(&self, window: Window, index: u32) -> Window {
        match self.logic.sides {
            Sides::Versus(player) => {
                let node = self.arena.single(index);
                // Most nodes do not narrow the window.
                if self.logic.has_numbers_only() && node.numbers().are_open() {
                    return window;
                }
                self.logic.window_at(player, node, 0).within(window)
            }
            Sides::Free => window,
        }
    }

    /// Returns whether a cached selection of this child is still valid, that is, whether something
    /// is left to find out below the child, given this window. If everybody plays for themselves,
    /// any proof may make another child preferable.
    #[inline]
    pub(crate) fn is_open(&self, word: Word, child: usize, window: Window) -> bool {
        if !word.may_skip() || !self.logic.prunes() {
            return true;
        }
        match self.logic.sides {
            Sides::Versus(player) => {
                let local_window = self.logic.window_at(player, self.arena.children(word), child);
                !local_window.within(window).is_closed()
            }
            Sides::Free => false,
        }
    }
}

/// A tree with typed moves, which only this type writes and reads. To [`Tree`], a move is bytes in
/// a column, so that its code is compiled once and not for each game.
pub(crate) struct MoveTree<M> {
    pub(super) tree: Tree,
    pub(super) moves: PhantomData<M>,
}

impl<M: Copy> MoveTree<M> {
    /// Writes the moves of a block that is to become the children of a node.
    ///
    /// # Panics
    /// If the number of moves differs from the number of nodes.
    pub(crate) fn fill(&self, reservation: Reservation, moves: &[M]) -> Filled {
        let block = self.tree.arena.fresh(&reservation);
        assert_eq!(moves.len(), block.len(), "a block needs a move for each node");
        for (number, mv) in moves.iter().enumerate() {
            let bytes: *const MaybeUninit<u8> = (&raw const *mv).cast();
            for (at, cell) in block.move_bytes::<M>(number).iter().enumerate() {
                // SAFETY: `at` is a byte of `mv`, since there are as many cells as bytes. The
                // reservation, the exclusive right to these indices, is consumed here. Moves are
                // read only through a block from a published word, and publication needs the result
                // of this function. So no thread reads while we write (fact 3 in `arena.rs`).
                cell.with_mut(|slot| unsafe { *slot = *bytes.add(at) });
            }
        }
        Filled(reservation)
    }

    /// The move that leads to child `number` of an expanded node.
    #[inline]
    pub(crate) fn child_move(&self, word: Word, number: usize) -> M {
        self.child(word, number).1
    }

    /// Child `number` of an expanded node, and the move that leads there.
    #[inline(always)]
    pub(crate) fn child(&self, word: Word, number: usize) -> (&Node, M) {
        assert!(
            word.is_expanded() && number < word.num_children(),
            "{word:?} has no child {number}"
        );
        let block = self.tree.arena.children(word);
        let mut mv = MaybeUninit::<M>::uninit();
        let bytes: *mut MaybeUninit<u8> = mv.as_mut_ptr().cast();
        for (at, cell) in block.move_bytes::<M>(number).iter().enumerate() {
            // SAFETY: `at` is a byte of `mv`, as in `fill`. Only `publish` creates words of this
            // stage, once for each claim (fact 4), from a reservation that was filled before; this
            // thread has loaded the word with Acquire (`Node::load`), so the write happened before
            // (fact 3).
            cell.with(|slot| unsafe { *bytes.add(at) = *slot });
        }
        // SAFETY: all its bytes are those of a move that `fill` wrote here. The move was of this
        // type: `new` creates a tree for one type of move, and no two trees are ever swapped, since
        // no code assigns through `deref_mut`.
        (&block.nodes()[number], unsafe { mv.assume_init() })
    }
}
