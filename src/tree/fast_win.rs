//! The fast path of most games: two players, of whom one wins or not.
//!
//! There the two proof numbers are all that is known of a node, as long as no interval
//! is tightened below it; where each outcome is one payoff none is kept at all. What
//! follows from the children is what [`Logic::deduce`] says in general, without the
//! intervals; the audit compares every node with that.

use super::columns::Block;
use super::logic::Logic;
use super::premises::Sides;
use super::window::Window;
use super::word::{SETTLED, SKIP};
use crate::bounds::{AtomicInterval, Interval, NumberCell, ProofNumber, Span};
use crate::game::Outcome;
use crate::math::{LANES, f32x8};
use crate::settings::Goal;

impl Logic {
    /// Whether the proof numbers of two players say what is at stake, and nothing more
    /// is known of a node whose children's intervals are the game's range.
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

    /// Whether nothing but proof numbers is known of these children of a node that says no more.
    #[inline]
    pub(super) fn have_numbers_only(children: Block<'_>) -> bool {
        children.len() > 0 && !children.intervals().iter().any(AtomicInterval::is_tightened)
    }

    /// The numbers of a node with these children, and its SKIP and SETTLED.
    pub(super) fn deduce_numbers_only(
        &self,
        mover: usize,
        children: Block<'_>,
    ) -> ([ProofNumber; 2], u64) {
        let mut numbers = [ProofNumber::ONE; 2];
        let any_decided = self.deduce_proof_numbers::<2>(mover, children, &mut numbers);
        let mut flags = 0;
        // What nothing below decides is not settled.
        if any_decided {
            flags = SKIP;
            if let Sides::Versus(player) = self.sides {
                let unasked = || Span::from(self.ranges[0]);
                if self.window_of(player, &numbers, unasked).are_settled() {
                    flags |= SETTLED;
                }
            }
        }
        (numbers, flags)
    }

    /// −∞ for each child that has nothing open for `player` within the window, 0 for the
    /// others: [`Logic::window_of`] is the general form.
    #[inline(always)]
    pub(crate) fn closed_by_numbers<C: NumberCell>(
        &self,
        player: usize,
        children: &[[C; 2]],
        window: Window,
    ) -> f32x8 {
        let mut closed = [0.0; LANES];
        for (lane, pair) in closed.iter_mut().zip(children) {
            let (own, other) = (pair[player & 1].load(), pair[(player & 1) ^ 1].load());
            let (may_win, may_lose) = (!own.is_infinite(), !other.is_infinite());
            let low = if own.is_proven() { 1 } else { -i64::from(may_lose || self.chance) };
            let high = if other.is_proven() { -1 } else { i64::from(may_win || self.chance) };
            let local_window = Window { low, high };
            if local_window.within(window).are_settled() {
                *lane = f32::NEG_INFINITY;
            }
        }
        f32x8::new(closed)
    }
}
