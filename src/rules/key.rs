//! Keys of positions: what a table finds them by.

use crate::game::Game;

/// The key of a position that nothing leads to.
pub(crate) fn root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    game.hash(root).map_or(0, spread)
}

/// The key of the position that the move of this number leads to from the one
/// with the key `parent`. Where the game has no hash, it is made of the moves on
/// the way.
#[inline]
pub(crate) fn key_after<G: Game>(game: &G, parent: u64, number: usize, state: &G::State) -> u64 {
    match game.hash(state) {
        Some(hash) => spread(hash),
        None => spread(parent.rotate_left(17) ^ spread(number as u64 + 1)),
    }
}

/// Spreads what is in a word over all of it.
#[inline]
pub(crate) fn spread(mut word: u64) -> u64 {
    // The output function of SplitMix64 (Steele, Lea and Flood 2014).
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
