//! Seeded random choices, the same in every run.

/// Mixes the bits of a word with the output function of SplitMix64.
pub fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Hashes the path to the `i`-th child from the hash `key` of its parent's path. Games also use it
/// to draw independent properties of one path.
pub fn branch(key: u64, i: u64) -> u64 {
    mix(key.wrapping_add((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// A seeded stream of random choices.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts the stream that `seed` determines.
    pub fn new(seed: u64) -> Dice {
        Dice(mix(seed ^ 0x5eed))
    }

    /// Draws an integer from `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = branch(self.0, 0);
        (mix(self.0) % bound as u64) as usize
    }

    /// Draws an element of `choices`.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns `true` with a probability of `percent` percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
