//! Functions that mix the bits of a word, for hashes and keys. Each maps different words
//! to different ones. What a table or a certificate keeps hangs on them: they never change.

use std::hash::Hasher;

/// A word whose high bits hang on all bits of this one; the low bits stay as weak as they
/// were. One multiplication by 2^64 divided by the golden ratio (Fibonacci hashing, Knuth,
/// *The Art of Computer Programming*, volume 3).
#[inline]
pub fn strengthen_high_bits(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A word of which every bit hangs on all bits of this one: the output function of
/// SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
pub fn mix_all_bits(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Checkpoints hold keys that were made with these.
    #[test]
    fn mixed_words_stay_what_they_are() {
        assert_eq!(strengthen_high_bits(3), 0xdaa6_6d2c_7ddf_743f);
        assert_eq!(mix_all_bits(0), 0);
        // The first output of SplitMix64 with the seed 0.
        assert_eq!(mix_all_bits(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }
}

/// A hash of one word, for maps that are asked millions of times and whose keys are the
/// program's own: the usual one takes several times as long.
#[derive(Default)]
pub struct OneWord(u64);

impl Hasher for OneWord {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        // A map looks at the low bits first, and at the high ones.
        let mixed = strengthen_high_bits(self.0 ^ word);
        self.0 = mixed ^ mixed >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
