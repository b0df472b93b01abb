//! What the tree says of a node.

use super::arena::Filled;
use super::growth::{SeenChild, Tree};
use super::logic::{Facts, Settled};
use super::node::{self, NodeClaim, Word};
use crate::bounds::{ProofNumber, Prospect, Span};
use crate::sync::{Fault, Ordering, broken};

impl Tree {
    /// The answer at a settled node.
    pub(crate) fn settled(&self, index: u32) -> Option<Settled> {
        let numbers = [self.proof_number(index, 0), self.proof_number(index, 1)];
        self.logic.settled(&numbers, self.span(index, 0))
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
        let flags = if broken(Fault::SilentExpansion) { 0 } else { node::OWNED | node::STALE };
        self.arena.publish(claim, filled, flags)
    }

    /// After a node that contradicted itself is gone.
    pub(super) fn forget_contradiction(&mut self) {
        *self.contradiction.get_mut() = None;
        // Relaxed: the threads that will read it have yet to be started.
        self.contradicted.store(false, Ordering::Relaxed);
    }

    /// The node at which two proofs contradicted each other, if any did.
    pub(crate) fn contradiction(&self) -> Option<u32> {
        *self.contradiction.lock()
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
    pub(super) fn deduce(&self, index: u32, word: Word) -> Facts {
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
