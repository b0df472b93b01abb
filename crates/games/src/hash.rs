//! Functions that mix bits, for keys of positions and for seeded random trees.

/// The increment of SplitMix64: 2^64 divided by the golden ratio, made odd.
pub(crate) const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64 (Steele, Lea and Flood), a bijection of 64-bit words. Every
/// output bit depends on every input bit.
#[inline]
pub(crate) const fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Hashes a few words; the result depends on their order.
#[inline]
pub(crate) fn hash_words<const N: usize>(words: [u64; N]) -> u64 {
    words.into_iter().fold(GAMMA, |hash, word| mix((hash ^ word).wrapping_add(GAMMA)))
}
