//! Lines that come back to a position.
//!
//! Where both sides can go back and forth, all playouts may follow one line, which
//! gets a move longer each time: a thousand playouts then make half a million moves. All that is
//! below a position's second place in a line is below its first, too. So the second place stays a
//! leaf, and playouts end there: nothing that can be proven is lost.

use super::shared::SharedSearch;
use crate::game::Game;
use crate::tree::Trail;

/// Moves below the root up to which nobody looks for repetitions, which costs every playout.
const SHORT: usize = 64;

impl<G: Game, L> SharedSearch<G, L> {
    /// Returns whether the position at the end of a trail was on it before. With chance, never: the
    /// mean value of an outcome takes all places of a position.
    #[inline]
    pub(super) fn has_come_back(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        trail.path.len() > SHORT && !self.tree.logic.chance && self.repeats(trail, state)
    }

    /// Plays the trail's positions anew, as playouts keep none on their way.
    #[cold]
    #[inline(never)]
    fn repeats(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        let (game, tree) = (&self.game, &self.tree);
        let Some(here) = game.key(state) else { return false };
        let mut state = self.root.clone();
        trail.path.windows(2).any(|steps| {
            let is_here = game.key(&state) == Some(here);
            game.play(&mut state, tree.move_between(steps[0], steps[1]));
            is_here
        })
    }
}
