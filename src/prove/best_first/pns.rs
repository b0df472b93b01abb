//! The prover PNS, proof-number search.

use super::{BestFirst, ChildEvaluator, LeafNumbers};
use crate::error::SearchError;
use crate::game::Game;
use crate::prove::setting::{ReplyBuffer, Setting};
use crate::tree::Logic;

/// Creates a proof-number search (Allis, van der Meulen and van den Herik, 1994).
///
/// # Errors
/// See [`BestFirst::new`].
pub(crate) fn prover<'s, G: Game>(
    setting: Setting<'s, G>,
) -> Result<BestFirst<'s, G>, SearchError> {
    let mobility = setting.config.mobility.unwrap_or(false);
    BestFirst::new(setting, Logic::two_sides(mobility, false), Box::new(CountedLeaves))
}

/// Initialises leaves with the numbers 1 and 1 or, with mobility initialisation, with 1 for the
/// side to move and the number of its moves for the other side (Allis, *Searching for Solutions in
/// Games and Artificial Intelligence*, 1994, chapter 2).
pub(crate) struct CountedLeaves;

impl<G: Game> LeafNumbers<G> for CountedLeaves {
    fn child_evaluator(&self, _thread: usize) -> ChildEvaluator<'_, G> {
        let mut replies = ReplyBuffer::default();
        Box::new(move |leaf, _, seen| {
            leaf.value_children(seen, |state, mover| {
                Ok(Some(leaf.unknown(state, mover, &mut replies)?))
            })
        })
    }
}
