//! Keys of positions: what a table finds them by.

use crate::game::Game;
use crate::math::mix_all_bits;

/// The key of a position that nothing leads to.
pub(crate) fn root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    game.hash(root).map_or(0, mix_all_bits)
}

/// The key of the position that the move of this number leads to from the one
/// with the key `parent`. Where the game has no hash, it is made of the moves on
/// the way.
#[inline]
pub(crate) fn key_after<G: Game>(game: &G, parent: u64, number: usize, state: &G::State) -> u64 {
    match game.hash(state) {
        Some(hash) => mix_all_bits(hash),
        None => mix_all_bits(parent.rotate_left(17) ^ mix_all_bits(number as u64 + 1)),
    }
}
