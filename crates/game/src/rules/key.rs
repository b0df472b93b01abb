//! Keys of positions: what a table finds them by.
//!
//! A *least* key is that of one image of the position, the same one for all of them
//! ([`Insight::least_hash`](crate::Insight::least_hash)). What is kept under it is true of them all: the game whose
//! positions are whole sets of images has the same values, and the same repetitions as far
//! as they matter. A shortest way to win never meets an image of a position that it has
//! passed, since it could go on from the first one as it does from the second; and who can
//! force play round to an image can force it round again.

use crate::mix_all_bits;
use crate::{Game, least_hash};

/// The key of a position that nothing leads to.
pub fn root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    game.key(root).map_or(0, mix_all_bits)
}

/// The same for the least image of the position.
pub fn least_root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    least_hash(game, root).map_or(0, mix_all_bits)
}

/// The key of the position that the move of this number leads to from the one
/// with the key `parent`. Where the game has no hash, it is made of the moves on
/// the way.
#[inline]
pub fn key_after<G: Game>(game: &G, parent: u64, number: usize, state: &G::State) -> u64 {
    key(game.key(state), parent, number)
}

/// The same for the least image of the position, which a move of `from` leads to. Moves of
/// an image have other numbers: a key that is made of a number begins with the one of `from`
/// itself, where it has a hash.
#[inline]
pub fn least_key_after<G: Game>(
    game: &G,
    parent: u64,
    from: &G::State,
    number: usize,
    state: &G::State,
) -> u64 {
    match least_hash(game, state) {
        Some(hash) => mix_all_bits(hash),
        None => key(None, game.key(from).map_or(parent, mix_all_bits), number),
    }
}

#[inline]
fn key(hash: Option<u64>, parent: u64, number: usize) -> u64 {
    match hash {
        Some(hash) => mix_all_bits(hash),
        None => mix_all_bits(parent.rotate_left(17) ^ mix_all_bits(number as u64 + 1)),
    }
}
