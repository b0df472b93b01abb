//! The shared tree: an arena of nodes and the rules by which many threads
//! change it at once.
//!
//! Nothing here knows a game: positions stay with the workers, which tell the
//! tree who moves, how many moves there are and what a finished game pays. So
//! no user code runs while a thread holds a duty towards others.

mod arena;
mod audit;
mod backup;
mod columns;
mod fast_win;
mod free;
mod import;
mod lists;
mod logic;
mod moves;
mod node;
mod premises;
mod prune;
mod reroot;
mod restore;
mod trail;
mod tried;
mod window;
mod word;

use crate::bounds::{NumberCell, ProofNumber, Prospect, Span};
use crate::sync::{AtomicBool, Fault, Ordering, Writers, broken};
use arena::Filled;
pub(crate) use arena::{Arena, Full, NoArena, Reservation, Slab};
pub use audit::Audit;
pub(crate) use audit::Rules;
pub(crate) use columns::{Block, Columns, Numbers, with_numbers};
pub(crate) use logic::{Facts, Logic, Settled};
pub(crate) use moves::MoveTree;
pub(crate) use node::{Node, NodeClaim, Record, Statistics, Tried, VALUE_ONE, VISITS_MASK, mean};
pub(crate) use premises::{Premises, Sides};
pub(crate) use restore::FactNumbers;
pub(crate) use trail::{Step, Trail};
pub(crate) use window::Window;
pub(crate) use word::{Stage, Word};

use parking_lot::Mutex;

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
    Over([i32; crate::game::MAX_PLAYERS]),
    /// The position was settled at another node.
    Settled {
        /// Who is to move there; [`CHANCE`] where chance decides.
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
    writers: Writers,
    /// What is known of the root beyond what its children say: what was proven
    /// of it when it was not the root, and the proof was dropped since.
    pub(crate) known: Facts,
    /// The first node at which two proofs contradicted each other.
    contradiction: Mutex<Option<u32>>,
    contradicted: AtomicBool,
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

    /// The answer at a settled node.
    pub(crate) fn settled(&self, index: u32) -> Option<Settled> {
        let numbers = [self.proof_number(index, 0), self.proof_number(index, 1)];
        self.logic.settled(&numbers, self.span(index, 0))
    }

    /// Makes the children of a claimed node.
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
            word::STALE
        } else {
            word::OWNED | word::STALE
        };
        self.arena.publish(claim, filled, flags)
    }

    /// Makes the children of a claimed node, all of which somebody has looked
    /// at. The published word owns the node: the caller must go on with
    /// [`Tree::finish_expansion`].
    pub(crate) fn expand_seen(
        &self,
        claim: NodeClaim<'_>,
        filled: Filled,
        children: &[SeenChild],
    ) -> Word {
        let fresh = self.arena.fresh(filled.reservation());
        for (number, child) in children.iter().enumerate() {
            self.prepare(fresh, number, child);
        }
        let flags = if broken(Fault::SilentExpansion) { 0 } else { word::OWNED | word::STALE };
        self.arena.publish(claim, filled, flags)
    }

    /// Writes what is known of a fresh child, which nobody else can see yet.
    fn prepare(&self, fresh: Block<'_>, number: usize, child: &SeenChild) {
        self.write_facts(fresh, number, &child.facts);
        fresh.nodes()[number].prepare(child.stage, child.mover, child.facts.flags);
    }

    /// Stores facts at node `number` of a block; returns whether a number or
    /// an interval changed. Statuses are kept for good: a proof number that is
    /// 0 or ∞ is never revised.
    ///
    /// Only the owner of the node or the holder of its claim may call this.
    fn write_facts(&self, block: Block<'_>, number: usize, facts: &Facts) -> bool {
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
    fn write_numbers(&self, block: Block<'_>, number: usize, numbers: &[ProofNumber]) -> bool {
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

    /// After a node that contradicted itself is gone.
    fn forget_contradiction(&mut self) {
        *self.contradiction.get_mut() = None;
        // Relaxed: the threads that will read it have yet to be started.
        self.contradicted.store(false, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn has_contradiction(&self) -> bool {
        self.contradicted.load(Ordering::Relaxed)
    }

    /// The node at which two proofs contradicted each other, if any did.
    pub(crate) fn contradiction(&self) -> Option<u32> {
        *self.contradiction.lock()
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

    /// All that a node says of itself.
    pub(crate) fn facts(&self, index: u32) -> Facts {
        let mut facts = self.logic.unknown();
        facts.flags = self.node(index).load().facts();
        for player in 0..self.logic.players {
            facts.proof_numbers[player] = self.proof_number(index, player);
            facts.intervals[player] = self.span(index, player);
        }
        facts
    }

    /// What an expanded node's children say of it, and what was kept when it
    /// lost others. Only the owner of a node that is marked KEPT may call this.
    #[inline]
    fn deduce(&self, index: u32, word: Word) -> Facts {
        let facts = self.logic.deduce(word.mover(), self.arena.children(word));
        if word.is_kept() { self.logic.join(&facts, &self.facts(index)) } else { facts }
    }

    /// A player's proof number at a node.
    pub(crate) fn proof_number(&self, index: u32, player: usize) -> ProofNumber {
        self.arena.single(index).numbers().load(player)
    }

    /// The log-odds at a node; 0 where they are not kept.
    pub(crate) fn log_odds(&self, index: u32) -> f64 {
        self.arena.single(index).log_odds().first().map_or(0.0, |cell| cell.load(Ordering::Relaxed))
    }

    /// A player's interval at a node.
    pub(crate) fn span(&self, index: u32, player: usize) -> Span {
        self.logic.span(player, self.arena.single(index), 0)
    }

    /// The outcomes still open for a player at a node.
    pub(crate) fn prospect(&self, index: u32, player: usize) -> Prospect {
        let mut numbers = [ProofNumber::ONE; crate::game::MAX_PLAYERS];
        for (player, number) in numbers[..self.logic.players].iter_mut().enumerate() {
            *number = self.proof_number(index, player);
        }
        self.logic.prospect(player, &numbers[..self.logic.players], || self.span(index, player))
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
