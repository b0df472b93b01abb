//! Lines of play that return to a position.
//!
//! If both sides can move back and forth, all playouts may follow one line, which grows by a move
//! each time: a thousand playouts then make half a million moves. Everything below a position's
//! second occurrence in a line is also below its first. So the second occurrence stays a leaf, and
//! playouts end there; nothing provable is lost.

use super::shared::SharedSearch;
use crate::game::Game;
use crate::tree::Trail;

/// Repetitions are checked only in lines with more moves than this, to save time.
const SHORT: usize = 64;

impl<G: Game, L> SharedSearch<G, L> {
    /// Returns whether the position at the end of a trail also occurs earlier on it. Always `false`
    /// with chance: the mean value of an outcome needs all occurrences of a position.
    #[inline]
    pub(super) fn has_come_back(&self, trail: &Trail<'_>, state: &G::State) -> bool {
        trail.path.len() > SHORT && !self.tree.logic.chance && self.repeats(trail, state)
    }

    /// Returns whether the position occurs earlier on the trail. This replays the trail, since
    /// playouts do not store the positions on their path.
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
