//! Keys of positions in tables.
//!
//! A *canonical* key is shared by a position and its images under symmetries
//! ([`DomainKnowledge::canonical_key`](crate::DomainKnowledge::canonical_key)). A table entry with
//! this key is valid for all of them: if a position and its images count as one position, values
//! stay the same, and so do the repetitions that matter. A shortest win never visits an image of an
//! earlier position, because it could continue from the earlier position as it does from the image;
//! and a player who can force a return to an image can force it again.

use crate::{Game, canonical_key, mix_all_bits};

/// The key of a root position.
pub fn root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    game.key(root).map_or(0, mix_all_bits)
}

/// The canonical key of a root position.
pub fn canonical_root_key<G: Game>(game: &G, root: &G::State) -> u64 {
    canonical_key(game, root).map_or(0, mix_all_bits)
}

/// The key of `state`, reached by move `number` from the position with the key `parent`. In a game
/// without keys it is computed from the moves on the path.
#[inline]
pub fn key_after<G: Game>(game: &G, parent: u64, number: usize, state: &G::State) -> u64 {
    key(game.key(state), parent, number)
}

/// The canonical key of `state`, to which move `number` of the position `from` leads. An image's
/// moves have other numbers, so without a canonical key the result depends on `number` and on the
/// key of `from` itself, if the game has one.
#[inline]
pub fn canonical_key_after<G: Game>(
    game: &G,
    parent: u64,
    from: &G::State,
    number: usize,
    state: &G::State,
) -> u64 {
    match canonical_key(game, state) {
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
