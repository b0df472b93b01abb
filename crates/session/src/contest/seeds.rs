//! Random numbers that follow from a game's number.

use proofwood::Rng;

/// What random numbers are drawn for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stream {
    /// The plies of a random opening.
    Opening = 1,
    /// Dice and the like after the opening.
    Chance,
    /// The searches of the player with a number.
    Search,
}

/// The seed of one stream of one game or opening.
pub(super) fn seed_of(seed: u64, stream: Stream, number: u64) -> u64 {
    let mixed = Rng::new(seed).next_u64() ^ ((stream as u64) << 56) ^ number;
    Rng::new(mixed).next_u64()
}
