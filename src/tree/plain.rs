//! The short way for most games: two players, each outcome one payoff.
//!
//! There the two proof numbers are all that is known of a node. What follows from
//! the children is what [`Logic::deduce`] says in general, without the intervals;
//! the audit compares every node with that.

use super::arena::Block;
use super::logic::{Goal, Logic, Sides};
use super::word::{SETTLED, SKIP};
use crate::fixed::Span;
use crate::proof_number::ProofNumber;

impl Logic {
    /// Whether nodes have nothing but the proof numbers of two players.
    pub(crate) fn is_plain(&self) -> bool {
        let statuses_alone = self.bounds_are_statuses || !self.score_bounds;
        let versus = matches!(self.sides, Sides::Versus(_));
        let win_or_not = self.zero_sum && self.solver && self.goal == Goal::Win;
        self.players == 2 && versus && win_or_not && statuses_alone && !self.products
    }

    /// The numbers of a leaf with so many moves.
    pub(super) fn plain_leaf(&self, mover: usize, mobility: usize) -> [ProofNumber; 2] {
        let mut numbers = [ProofNumber::ONE; 2];
        if self.mobility && self.proof_numbers {
            for (player, number) in numbers.iter_mut().enumerate() {
                if player != mover {
                    *number = ProofNumber::finite(mobility as u64);
                }
            }
        }
        numbers
    }

    /// The numbers of a node with these children, and its SKIP and SETTLED.
    pub(super) fn deduce_plain<M>(
        &self,
        mover: usize,
        children: Block<'_, M>,
    ) -> ([ProofNumber; 2], u64) {
        let mut numbers = [ProofNumber::ONE; 2];
        let any_decided = self.deduce_proof_numbers::<2, M>(mover, children, &mut numbers);
        let mut flags = 0;
        // What nothing below decides is not settled.
        if any_decided {
            flags = SKIP;
            if let Sides::Versus(player) = self.sides {
                let unasked = || Span::from(self.ranges[0]);
                if self.stakes(player, &numbers, unasked).are_settled() {
                    flags |= SETTLED;
                }
            }
        }
        (numbers, flags)
    }
}
