//! Functions that mix the bits of a word, for hashes and keys. Each is a bijection. Tables and
//! certificates depend on their values, which never change.

use std::hash::Hasher;

/// Makes the high bits depend on all bits of `word`; the low bits are mixed no better than before.
/// This is a multiplication by 2^64 divided by the golden ratio (Fibonacci hashing, Knuth, *The Art
/// of Computer Programming*, volume 3).
#[inline]
pub fn strengthen_high_bits(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Makes every bit depend on all bits of `word`: the output function of SplitMix64 (Steele, Lea and
/// Flood 2014).
#[inline]
pub fn mix_all_bits(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Checkpoints contain keys computed with these functions, so their values must not change.
    #[test]
    fn mixed_words_stay_what_they_are() {
        assert_eq!(strengthen_high_bits(3), 0xdaa6_6d2c_7ddf_743f);
        assert_eq!(mix_all_bits(0), 0);
        // The first output of SplitMix64 with the seed 0.
        assert_eq!(mix_all_bits(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }
}

/// A hasher for single words, for frequently used maps whose keys the program itself computes. It
/// takes a fraction of the time of the default hasher.
#[derive(Default)]
pub struct OneWord(u64);

impl Hasher for OneWord {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        // The map uses the low bits first, then the high ones.
        let mixed = strengthen_high_bits(self.0 ^ word);
        self.0 = mixed ^ mixed >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
