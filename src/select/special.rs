//! Selections in games with chance, and in games in which everybody plays for themselves.

use super::score::AtNode;
use super::{Selection, SelectionBuffer};
use crate::math::Rng;
use crate::tree::Sides;

/// One in this many visits to a node serves to tighten bounds, if that is enabled. With 8, the
/// bounds of Pig are six times narrower.
const HOPEFUL: u32 = 8;

impl Selection {
    /// In one of [`HOPEFUL`] visits, which are drawn at random, returns the best of the children
    /// that have the greatest upper bound for the mover.
    ///
    /// Often a move that looks bad keeps a node's interval wide: its upper bound remains the node's
    /// upper bound until the move is searched, which UCT rarely does. B* calls this *disproving the
    /// rest* (Berliner, *The B\* Tree Search Algorithm*, 1979).
    #[inline(never)]
    pub(super) fn hopeful<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (logic, children) = (&here.tree.logic, here.children());
        let Sides::Versus(player) = logic.sides else { return None };
        // At random: several threads may read the same number of visits and then add many at once,
        // so that a rule by this number could miss all multiples, or hit too many.
        if rng.below(HOPEFUL) != 0 {
            return None;
        }
        let hope = |i: usize| {
            let local_window = logic.window_at(player, children, i).within(here.window);
            let most =
                if here.word.mover() == player { local_window.high } else { !local_window.low };
            (!local_window.is_closed()).then_some(most)
        };
        let most = (0..children.len()).filter_map(hope).max()?;
        self.best::<PRIORS>(here, buffer, rng, |i| hope(i) == Some(most))
    }
    /// Returns a child with which the mover is proven to win, or else the best child. Used in games
    /// in which everybody plays for themselves.
    pub(super) fn best_for_mover<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (logic, children) = (&here.tree.logic, here.children());
        let wins = |&i: &usize| logic.is_proven_win(here.word.mover(), children, i);
        let win = (0..children.len()).find(wins);
        win.or_else(|| self.best_of_known::<PRIORS>(here, buffer, rng))
    }

    /// Returns the best child if everybody plays for themselves. Of the children whose payoffs are
    /// known, only the best for the mover competes with the others, since the mover can choose it.
    fn best_of_known<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (logic, children, mover) = (&here.tree.logic, here.children(), here.word.mover());
        // Without intervals, the tree stores only that a payoff is exact, not the payoff itself.
        let payoff = |i: usize| {
            let known = logic.score_bounds && children.nodes()[i].load().is_exact();
            known.then(|| logic.span(mover, children, i).lower)
        };
        let most = (0..children.len()).filter_map(payoff).max();
        self.best::<PRIORS>(here, buffer, rng, |i| {
            payoff(i).is_none_or(|payoff| Some(payoff) == most)
        })
    }
}
