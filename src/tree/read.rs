//! Reads and stores facts of a node that most playouts do not need.

use super::answer::Solved;
use super::arena::{Block, Filled};
use super::growth::{SeenChild, Tree};
use super::logic::Facts;
use super::node::{self, EXACT, Node, NodeClaim, SKIP, SOLVED, Stage, VALUE_ONE, Word};
use crate::bounds::{ProofNumber, Prospect, Span};
use crate::math::{from_half, to_half};
use crate::sync::{AtomicU32, Fault, Ordering, broken};

/// The mean of values whose sum, in fixed point, is `sum`; `None` if there are no visits.
pub(crate) fn mean(sum: i64, visits: u64) -> Option<f64> {
    (visits > 0).then(|| sum as f64 / visits as f64 / VALUE_ONE as f64)
}

impl SeenChild {
    /// Creates an unvisited child.
    pub(crate) fn fresh(facts: Facts) -> SeenChild {
        SeenChild { stage: Stage::New, mover: 0, facts }
    }
}

impl Block<'_> {
    pub(crate) fn statistics(self) -> (u64, i64) {
        let all = self.nodes().iter().map(Node::statistics);
        all.fold((0, 0), |(visits, sum), one| (visits + one.visits, sum + one.value_sum))
    }

    /// Stores the priors of the moves as fractions of one. Relaxed ordering is enough, because they
    /// are published with the children or stored before threads are started.
    pub(crate) fn set_priors(self, priors: &[f32]) {
        for (cell, &prior) in self.priors().iter().zip(priors) {
            cell.store(to_half(prior), Ordering::Relaxed);
        }
    }

    /// Whether priors are stored. Stored priors are not all 0, since they add up to one.
    pub(crate) fn has_priors(self) -> bool {
        self.priors().iter().any(|cell| cell.load(Ordering::Relaxed) != 0)
    }

    /// The prior of move `number` as a fraction of one; `None` if the evaluator has no priors.
    pub(crate) fn prior(self, number: usize) -> Option<f32> {
        self.priors().get(number).map(|cell| from_half(cell.load(Ordering::Relaxed)))
    }
}

impl Tree {
    /// Counts an evaluation that ended at this node, for the audit.
    #[inline]
    pub(super) fn count_evaluation(&self, index: u32) {
        if self.arena.columns().evaluations
            && let Some(count) = self.arena.single(index).evaluations().first()
        {
            // Relaxed: read after all workers have been joined.
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Moves the count of an evaluation that ended at this node to its child, for the audit.
    pub(super) fn move_evaluation(&self, index: u32, child: Option<&AtomicU32>) {
        // Relaxed: read after all workers have been joined.
        if let (Some(child), Some(own)) = (child, self.arena.single(index).evaluations().first()) {
            child.fetch_add(1, Ordering::Relaxed);
            own.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Stores the log-odds and intervals of these facts; returns whether any changed.
    pub(super) fn write_others(&self, block: Block<'_>, number: usize, facts: &Facts) -> bool {
        let mut changed = false;
        if let Some(cell) = block.log_odds().get(number) {
            // Relaxed, like the proof numbers: the announcement that follows makes it visible to
            // the parent's owner.
            if cell.load(Ordering::Relaxed).to_bits() != facts.log_odds.to_bits() {
                cell.store(facts.log_odds, Ordering::Relaxed);
                changed = true;
            }
        }
        let (each, ranges) = (self.logic.num_intervals(), &self.logic.ranges);
        let cells = block.intervals().get(number * each..).unwrap_or(&[]);
        let intervals = cells
            .iter()
            .take(each)
            .enumerate()
            .map(|(player, cell)| cell.join(facts.intervals[player].whole(), ranges[player]));
        let cells = block.spans().get(number * each..).unwrap_or(&[]);
        let spans = cells
            .iter()
            .take(each)
            .enumerate()
            .map(|(player, cell)| cell.join(facts.intervals[player], ranges[player]));
        for joined in intervals.chain(spans) {
            match joined {
                Ok(tightened) => changed |= tightened,
                Err(_) => self.contradict(block.index(number)),
            }
        }
        changed
    }

    pub(crate) fn solved(&self, index: u32) -> Option<Solved> {
        let numbers = [self.proof_number(index, 0), self.proof_number(index, 1)];
        self.logic.solved(&numbers, self.span(index, 0))
    }

    /// Creates the children of a claimed node, all of which have been examined. Publication takes
    /// ownership of the node, so the caller must then call [`Tree::finish_expansion`].
    pub(crate) fn expand_seen(
        &self,
        claim: NodeClaim<'_>,
        filled: Filled,
        children: &[SeenChild],
    ) -> Word {
        let fresh = self.arena.fresh(&filled.0);
        for (number, child) in children.iter().enumerate() {
            self.prepare(fresh, number, child);
        }
        let flags = if broken(Fault::SilentExpansion) { 0 } else { node::OWNED | node::STALE };
        self.arena.publish(claim, filled, flags)
    }

    #[cold]
    pub(crate) fn contradict(&self, index: u32) {
        self.contradiction.lock().get_or_insert(index);
        // Relaxed: workers that see the flag stop, and read nothing because of it.
        self.contradicted.store(true, Ordering::Relaxed);
    }

    /// Clears a contradiction after its node has been removed.
    pub(super) fn forget_contradiction(&mut self) {
        *self.contradiction.get_mut() = None;
        // Relaxed: the threads that will read it have yet to be started.
        self.contradicted.store(false, Ordering::Relaxed);
    }

    /// The first node at which two proofs contradicted each other, if any.
    pub(crate) fn contradiction(&self) -> Option<u32> {
        *self.contradiction.lock()
    }

    /// The facts that are stored at a node.
    pub(crate) fn facts(&self, index: u32) -> Facts {
        let mut facts = self.logic.unknown();
        facts.flags = self.node(index).load().0 & (SKIP | SOLVED | EXACT);
        for player in 0..self.logic.players {
            facts.proof_numbers[player] = self.proof_number(index, player);
            facts.intervals[player] = self.span(index, player);
        }
        facts
    }

    /// Deduces an expanded node's facts from its children, and from the facts that it kept when its
    /// former children were pruned. If the node is marked KEPT, only its owner may call this.
    #[inline]
    pub(super) fn deduce(&self, index: u32, word: Word) -> Facts {
        let facts = self.logic.deduce(word.mover(), self.arena.children(word));
        if word.is_kept() { self.logic.join(&facts, &self.facts(index)) } else { facts }
    }

    pub(crate) fn proof_number(&self, index: u32, player: usize) -> ProofNumber {
        self.arena.single(index).numbers().load(player)
    }

    /// The log-odds of a node; 0 if they are not stored.
    pub(crate) fn log_odds(&self, index: u32) -> f64 {
        self.arena.single(index).log_odds().first().map_or(0.0, |cell| cell.load(Ordering::Relaxed))
    }

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
