//! Proof-number search.

use super::best_first::{BestFirst, Leaf, Leaves};
use crate::SearchError;
use crate::contract::check_mobility;
use crate::game::Game;
use crate::tree::{Logic, SeenChild};

/// Proof-number search (Allis, van der Meulen and van den Herik, 1994).
pub(crate) type Pns<G> = BestFirst<G, Unknown>;

/// A leaf of which nothing is known: its numbers are 1 and 1 or, with mobility
/// initialisation, 1 for the side to move and the number of moves for the other
/// (Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994,
/// chapter 2).
pub(crate) struct Unknown;

impl Unknown {
    /// The reasoning of proof-number search, and its leaves.
    pub(crate) fn new(mobility: bool) -> (Logic, Unknown) {
        (Logic::two_sides(mobility, false), Unknown)
    }
}

impl<G: Game> Leaves<G> for Unknown {
    type Scratch = Vec<G::Move>;

    fn scratch(&self, _thread: usize) -> Vec<G::Move> {
        Vec::new()
    }

    fn look(
        &self,
        leaf: &mut Leaf<'_, G>,
        replies: &mut Vec<G::Move>,
        moves: &[G::Move],
        seen: &mut Vec<SeenChild>,
    ) -> Result<bool, SearchError> {
        leaf.value_children(moves, seen, |leaf, state, mover| {
            let mut mobility = 1;
            if leaf.logic.mobility {
                replies.clear();
                mobility = leaf.asked.game.mobility(state, replies);
                check_mobility(mobility)?;
            }
            Ok(Some(leaf.logic.leaf(mover, mobility)))
        })
    }
}
