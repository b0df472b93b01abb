//! Seeds derived from a game's number.

use proofwood::Rng;

/// The purpose of a stream of random numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// The plies of a random opening.
    Opening = 1,
    /// Outcomes of chance after the opening.
    Chance,
    /// The searches of one player.
    Search,
}

/// Derives the seed of a stream from the contest's seed and a number.
pub(super) fn seed_of(seed: u64, stream: Stream, number: u64) -> u64 {
    let mixed = Rng::new(seed).next_u64() ^ ((stream as u64) << 56) ^ number;
    Rng::new(mixed).next_u64()
}
