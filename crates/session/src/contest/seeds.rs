//! Seeds derived from a game's number.

use proofwood::Rng;

/// The use of a stream of random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// The plies of a random opening.
    Opening = 1,
    /// Outcomes of chance after the opening.
    Chance,
    /// The searches of the player with this number.
    Search,
}

/// Derives the seed of one stream of a game or an opening.
pub(super) fn seed_of(seed: u64, stream: Stream, number: u64) -> u64 {
    let mixed = Rng::new(seed).next_u64() ^ ((stream as u64) << 56) ^ number;
    Rng::new(mixed).next_u64()
}
