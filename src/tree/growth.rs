//! The tree, and how it grows: nodes are evaluated and get children.

use super::arena::{Arena, Filled, Reservation};
use super::chunks::NoArena;
use super::columns::{Block, Columns, with_numbers};
use super::logic::{Facts, Logic, Settled, Window};
use super::node::{self, Node, NodeClaim, Stage, Word};
use super::premises::Sides;
use crate::bounds::{NumberCell, ProofNumber};
use crate::game::MAX_PLAYERS;
use crate::sync::{AtomicBool, Fault, Ordering, Writers, broken};
use parking_lot::Mutex;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

/// A new child below which there is nothing to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EndedChild {
    /// Its place among the children.
    pub(crate) number: usize,
    pub(crate) end: End,
}

/// What is known of new children.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Listing<'l> {
    /// Those of the outcomes where chance decides.
    pub(crate) weights: &'l [u32],
    /// At which the game is known to be over.
    pub(crate) ended: &'l [EndedChild],
    /// Whether one of them was [prepared](Tree::prepare_tried) from a try.
    pub(crate) was_tried: bool,
}

/// Why there is nothing to search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// The game is over, with these payoffs.
    Over([i32; MAX_PLAYERS]),
    /// The position was settled at another node.
    Settled {
        /// Who is to move there; [`CHANCE`](crate::game::CHANCE) where chance decides.
        mover: usize,
        /// The answer.
        answer: Settled,
    },
}

/// A new child whose position was looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenChild {
    stage: Stage,
    mover: usize,
    facts: Facts,
}

impl SeenChild {
    /// The game goes on there.
    pub(crate) fn open(mover: usize, facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Leaf, mover, facts }
    }

    /// Nobody was there.
    pub(crate) fn fresh(facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::New, mover: 0, facts }
    }

    /// The game is over there.
    pub(crate) fn over(facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Terminal, mover: 0, facts }
    }

    /// It is known how the game ends there.
    pub(crate) fn known(mover: usize, facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::Known, mover, facts }
    }
}

/// The index of the root.
pub(crate) const ROOT: u32 = 0;

/// A tree for one search. [`MoveTree`] knows the moves, too.
pub(crate) struct Tree {
    pub(crate) arena: Arena,
    pub(crate) logic: Logic,
    /// How many threads change the tree at once.
    pub(super) writers: Writers,
    /// What is known of the root beyond what its children say: what was proven
    /// of it when it was not the root, and the proof was dropped since.
    pub(crate) known: Facts,
    /// The first node at which two proofs contradicted each other.
    pub(super) contradiction: Mutex<Option<u32>>,
    pub(super) contradicted: AtomicBool,
}

impl Tree {
    /// What [`MoveTree::new`] makes, but for the moves.
    fn new(
        logic: Logic,
        columns: Columns,
        max_nodes: u64,
        writers: Writers,
    ) -> Result<Tree, NoArena> {
        let arena = Arena::new(columns, max_nodes)?;
        Ok(Tree {
            arena,
            known: logic.unknown(),
            writers,
            logic,
            contradiction: Mutex::new(None),
            contradicted: AtomicBool::new(false),
        })
    }

    /// How many threads may change the tree at once.
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

    /// Claims the expansion of an evaluated node. As long as the claim is held nobody
    /// else can expand it, and the operating system may put the holder to sleep: what
    /// takes time, and what can fail, comes before.
    #[inline]
    pub(crate) fn claim_expansion<'t>(&self, node: &'t Node) -> Option<NodeClaim<'t>> {
        node.claim(Stage::Leaf, Stage::Expanding, self.writers)
    }

    /// Ends the evaluation of a node where the game goes on; answers whether
    /// its parent must be told.
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

    /// Ends the evaluation of a node where the game is over; answers whether
    /// its parent must be told.
    pub(crate) fn set_terminal(&self, claim: NodeClaim<'_>, index: u32, payoffs: &[i32]) -> bool {
        let facts = self.logic.terminal(payoffs);
        let changed = self.write_facts(self.arena.single(index), 0, &facts);
        claim.publish_evaluation(Stage::Terminal, 0, facts.flags);
        changed | (facts.flags != 0)
    }

    /// Ends the evaluation of a node whose position was settled elsewhere; its
    /// parent must be told.
    pub(crate) fn set_known(
        &self,
        claim: NodeClaim<'_>,
        index: u32,
        mover: usize,
        settled: Settled,
    ) {
        let facts = self.logic.known(settled);
        self.write_facts(self.arena.single(index), 0, &facts);
        claim.publish_evaluation(Stage::Known, mover, facts.flags);
    }

    ///
    /// The caller must go on with [`Tree::finish_expansion`]. The published word owns the
    /// node unless the children say nothing that the node does not say already.
    pub(crate) fn expand(
        &self,
        claim: NodeClaim<'_>,
        filled: Filled,
        listing: Listing<'_>,
    ) -> Word {
        let Listing { weights, ended, was_tried } = listing;
        let fresh = self.arena.fresh(filled.reservation());
        for (cell, &weight) in fresh.weights().iter().zip(weights) {
            // Relaxed: published with the children.
            cell.store(weight, Ordering::Relaxed);
        }
        for child in ended {
            let seen = match child.end {
                End::Over(payoffs) => {
                    SeenChild::over(self.logic.terminal(&payoffs[..self.logic.players]))
                }
                End::Settled { mover, answer } => SeenChild::known(mover, self.logic.known(answer)),
            };
            self.prepare(fresh, child.number, &seen);
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

    /// Makes the children of a claimed node, all of which somebody has looked
    /// Writes what is known of a fresh child, which nobody else can see yet.
    pub(super) fn prepare(&self, fresh: Block<'_>, number: usize, child: &SeenChild) {
        self.write_facts(fresh, number, &child.facts);
        fresh.nodes()[number].prepare(child.stage, child.mover, child.facts.flags);
    }

    /// Stores facts at node `number` of a block; returns whether a number or
    /// an interval changed. Statuses are kept for good: a proof number that is
    /// 0 or ∞ is never revised.
    ///
    /// Only the owner of the node or the holder of its claim may call this.
    pub(super) fn write_facts(&self, block: Block<'_>, number: usize, facts: &Facts) -> bool {
        let players = self.logic.players;
        if facts.contradictory {
            self.contradict(block.index(number));
        }
        let mut changed = self.write_numbers(block, number, &facts.proof_numbers[..players]);
        if let Some(cell) = block.log_odds().get(number) {
            // Relaxed, as the proof numbers: the parent's owner sees it with
            // the announcement that follows.
            if cell.load(Ordering::Relaxed).to_bits() != facts.log_odds.to_bits() {
                cell.store(facts.log_odds, Ordering::Relaxed);
                changed = true;
            }
        }
        let intervals = self.logic.num_intervals();
        let cells = block.intervals().get(number * intervals..).unwrap_or(&[]);
        for (player, cell) in cells.iter().take(intervals).enumerate() {
            match cell.join(facts.intervals[player].whole(), self.logic.ranges[player]) {
                Ok(tightened) => changed |= tightened,
                Err(_) => self.contradict(block.index(number)),
            }
        }
        let cells = block.spans().get(number * intervals..).unwrap_or(&[]);
        for (player, cell) in cells.iter().take(intervals).enumerate() {
            match cell.join(facts.intervals[player], self.logic.ranges[player]) {
                Ok(tightened) => changed |= tightened,
                Err(_) => self.contradict(block.index(number)),
            }
        }
        changed
    }

    /// Stores a node's proof numbers: the part of `write_facts` that all nodes need.
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

    #[cold]
    pub(crate) fn contradict(&self, index: u32) {
        self.contradiction.lock().get_or_insert(index);
        // Relaxed: a worker that sees the flag only stops.
        self.contradicted.store(true, Ordering::Relaxed);
    }
    #[inline]
    pub(crate) fn has_contradiction(&self) -> bool {
        self.contradicted.load(Ordering::Relaxed)
    }

    /// What of `window` still matters below a node.
    ///
    /// The root's value is a minimax of values below it, and stays the same when
    /// they are all clipped to an interval that holds it. So once the root is
    /// known to lie between two values, it does not matter by how much a node
    /// falls short of the one or exceeds the other; and likewise from node to
    /// node on the way down, as in alpha-beta search. Not through chance: a mean
    /// changes when the values below it are clipped.
    #[inline]
    pub(crate) fn narrow(&self, window: Window, index: u32) -> Window {
        match self.logic.sides {
            Sides::Versus(player) => {
                let node = self.arena.single(index);
                // Most nodes say nothing of themselves.
                if self.logic.has_numbers_only() && node.numbers().are_open() {
                    return window;
                }
                self.logic.window_at(player, node, 0).within(window)
            }
            Sides::Free => window,
        }
    }

    /// Whether something is left to find out below a child, where this window still matters. Where
    /// everybody plays for themselves, what is proven may make any child the one to enter.
    #[inline]
    pub(crate) fn is_open(&self, word: Word, child: usize, window: Window) -> bool {
        if !word.may_skip() || !self.logic.prunes() {
            return true;
        }
        match self.logic.sides {
            Sides::Versus(player) => {
                let local_window = self.logic.window_at(player, self.arena.children(word), child);
                !local_window.within(window).are_settled()
            }
            Sides::Free => false,
        }
    }
}

/// A tree with the type of its moves.
pub(crate) struct MoveTree<M> {
    tree: Tree,
    moves: PhantomData<M>,
}

impl<M: Copy> MoveTree<M> {
    /// A tree whose root was never visited. With [`Writers::One`] no two threads may
    /// change it at once, for as long as it is there; others may read it.
    ///
    /// # Errors
    /// When not even the root fits into `max_nodes`, or the system has no memory for it.
    pub(crate) fn new(
        logic: Logic,
        columns: Columns,
        max_nodes: u64,
        writers: Writers,
    ) -> Result<MoveTree<M>, NoArena> {
        let columns = Columns { move_bytes: size_of::<M>(), ..columns };
        Tree::new(logic, columns, max_nodes, writers)
            .map(|tree| MoveTree { tree, moves: PhantomData })
    }

    /// Writes the moves of a block that is to become the children of a node.
    ///
    /// # Panics
    /// Unless there is a move for each node.
    pub(crate) fn fill(&self, reservation: Reservation, moves: &[M]) -> Filled {
        let block = self.tree.arena.fresh(&reservation);
        assert_eq!(moves.len(), block.len(), "a block needs a move for each node");
        for (number, mv) in moves.iter().enumerate() {
            let bytes: *const MaybeUninit<u8> = (&raw const *mv).cast();
            for (at, cell) in block.move_bytes::<M>(number).iter().enumerate() {
                // SAFETY: `mv` has a byte here, since there are as many cells as it has
                // bytes. The reservation is the sole right to these indices, and it is
                // consumed here; no block over them that reads moves exists before a word
                // is published, which takes the result. So nobody reads while we write
                // (fact 3 in `arena.rs`).
                cell.with_mut(|slot| unsafe { *slot = *bytes.add(at) });
            }
        }
        Filled::by_fill(reservation)
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
            // SAFETY: `mv` has a byte here, as in `fill`. Only `publish` makes words of
            // this stage, once for each claim (fact 4), from a reservation that was filled
            // before; this thread has loaded the word with Acquire (`Node::load`), so the
            // write happened before (fact 3).
            cell.with(|slot| unsafe { *bytes.add(at) = *slot });
        }
        // SAFETY: all its bytes are those of a move that `fill` wrote here. It was of this
        // type: a tree is made by `new` above with its type, and no two trees change
        // places, since nobody assigns through `deref_mut`.
        (&block.nodes()[number], unsafe { mv.assume_init() })
    }
}

impl<M> Deref for MoveTree<M> {
    type Target = Tree;

    #[inline(always)]
    fn deref(&self) -> &Tree {
        &self.tree
    }
}

impl<M> DerefMut for MoveTree<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }
}
