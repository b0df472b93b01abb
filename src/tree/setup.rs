//! Creates a search's logic and tree from the premises.

use super::arena::{Arena, Columns};
use super::chunks::NoArena;
use super::growth::{MoveTree, Tree};
use super::logic::Logic;
use super::premises::{Premises, Sides};
use crate::bounds::{Interval, ProofNumber, Span};
use crate::game::Outcome;
use crate::settings::Goal;
use crate::sync::{AtomicBool, Writers};
use parking_lot::Mutex;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

impl Logic {
    /// Whether answers can be shared between nodes with the same position.
    pub(crate) fn can_carry(&self) -> bool {
        // With chance and without statuses, a node is only won if the best payoff is certain, which
        // the answer "won" does not imply.
        let says_all = !self.chance || self.solver || self.goal == Goal::Score;
        self.zero_sum && self.prunes() && says_all
    }

    pub(crate) fn new(premises: Premises) -> Logic {
        let mut logic = Logic {
            premises,
            spans: premises.ranges.map(Into::into),
            bounds_are_statuses: false,
            has_numbers_only: false,
        };
        logic.bounds_are_statuses = !premises.keeps_intervals && logic.statuses_are_bounds();
        logic.has_numbers_only = logic.says_numbers_only();
        logic
    }

    /// Sets the proof number of everybody but the mover to a leaf's number of moves, if configured.
    #[inline]
    pub(super) fn count_moves(&self, mover: usize, mobility: usize, numbers: &mut [ProofNumber]) {
        if self.mobility && self.proof_numbers {
            for (player, number) in numbers.iter_mut().enumerate() {
                if player != mover {
                    *number = ProofNumber::finite(mobility as u64);
                }
            }
        }
    }

    /// Returns whether the statuses of a two-player zero-sum game replace its intervals: if a win,
    /// a draw and a loss have one payoff each, statuses imply the secured payoff.
    pub(super) fn statuses_are_bounds(&self) -> bool {
        let Interval { lower, upper } = self.ranges[0];
        let outcome = |payoff| self.thresholds[0].outcome(payoff);
        let few = lower < upper && upper.saturating_sub(lower) <= 2;
        let distinct = || (lower..upper).all(|payoff| outcome(payoff) != outcome(payoff + 1));
        let kept = self.zero_sum && self.solver && self.score_bounds;
        kept && !self.chance && few && distinct()
    }

    /// A player's range of payoffs, in fixed point.
    pub(super) fn whole(&self, player: usize) -> Span {
        self.spans[player]
    }

    pub(crate) fn num_intervals(&self) -> usize {
        match (self.score_bounds && !self.bounds_are_statuses, self.zero_sum) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => self.players,
        }
    }

    /// The columns needed for the facts about nodes.
    pub(crate) fn columns(&self) -> Columns {
        let (counts, intervals) = (self.proof_numbers, self.num_intervals());
        Columns {
            proof_numbers: if counts { self.players } else { 0 },
            statuses: if counts { 0 } else { self.players },
            intervals: if self.chance { 0 } else { intervals },
            spans: if self.chance { intervals } else { 0 },
            weights: self.chance,
            ..Columns::default()
        }
    }

    /// Whether the proof numbers of two players decide the question, and nothing else is known
    /// about a node as long as its children's intervals equal the game's range.
    pub(super) fn says_numbers_only(&self) -> bool {
        let versus = matches!(self.sides, Sides::Versus(_));
        let win_or_not = self.zero_sum && self.solver && self.goal == Goal::Outcome;
        let range_says_nothing = || {
            (0..2).all(|player| {
                let (Interval { lower, upper }, of) =
                    (self.ranges[player], self.thresholds[player]);
                of.outcome(lower) != Outcome::Win && of.outcome(upper) == Outcome::Win
            })
        };
        let unkept = self.num_intervals() == 0 || !self.chance && range_says_nothing();
        self.players == 2 && versus && win_or_not && !self.products && unkept
    }
}

impl<M: Copy> MoveTree<M> {
    /// Creates a tree whose root was never visited. With [`Writers::One`] no two threads may ever
    /// change it at once, although others may read it.
    ///
    /// # Errors
    /// If not even the root fits into `max_nodes`, or the system has no memory for it.
    pub(crate) fn new(
        logic: Logic,
        columns: Columns,
        max_nodes: u64,
        writers: Writers,
    ) -> Result<MoveTree<M>, NoArena> {
        let columns = Columns { move_bytes: size_of::<M>(), ..columns };
        let tree = Tree {
            arena: Arena::new(columns, max_nodes)?,
            known: logic.unknown(),
            writers,
            logic,
            contradiction: Mutex::new(None),
            contradicted: AtomicBool::new(false),
        };
        Ok(MoveTree { tree, moves: PhantomData })
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
