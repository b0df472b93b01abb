//! An entry's data in the table of the depth-first provers.
//!
//! Its bits have these meanings:
//!
//! | bits | open position | solved position |
//! |---|---|---|
//! | 0–25 | proof number | lower end of the score |
//! | 26–51 | disproof number | upper end of the score |
//! | 52–59 | work, as a small float | work, as a small float |
//! | 60 | 1 if the entry holds on one path only | 1 if the lower end holds by repetition |
//! | 61 | 0 | 1 if the upper end holds by repetition |
//! | 62 | 0 | 1 |
//! | 63 | 1 (an empty slot has 0) | 1 |
//!
//! The module `memo` interprets the numbers for a question.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Data(pub(super) u64);

pub(crate) const FIELD: u32 = 26;
pub(crate) const FIELD_MAX: u32 = (1 << FIELD) - 1;
const WORK: u32 = 2 * FIELD;
const LOWER_ROUND: u64 = 1 << 60;
const UPPER_ROUND: u64 = 1 << 61;
const SOLVED: u64 = 1 << 62;
const PRESENT: u64 = 1 << 63;

impl Data {
    #[inline]
    pub(crate) fn open(first: u32, second: u32, work: u64) -> Data {
        debug_assert!(first <= FIELD_MAX && second <= FIELD_MAX);
        let fields = u64::from(first) | u64::from(second) << FIELD;
        Data(PRESENT | fields | small_float(work) << WORK)
    }

    /// Creates the data of a solved position. Each end of the score has a flag for repetition.
    #[inline]
    pub(crate) fn solved(lower: (u32, bool), upper: (u32, bool), work: u64) -> Data {
        let flag = |set: bool, bit: u64| if set { bit } else { 0 };
        let flags = SOLVED | flag(lower.1, LOWER_ROUND) | flag(upper.1, UPPER_ROUND);
        Data(Data::open(lower.0, upper.0, work).0 | flags)
    }

    #[inline]
    pub(crate) fn on_one_way(self) -> Data {
        Data(self.0 | LOWER_ROUND)
    }

    /// Returns the word, which is never 0.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// Converts a word to data; `None` for the word of an empty slot.
    pub(crate) fn from_bits(bits: u64) -> Option<Data> {
        Some(Data(bits)).filter(|data| data.is_present())
    }

    #[inline]
    pub(crate) fn is_on_one_way(self) -> bool {
        self.0 & (SOLVED | LOWER_ROUND) == LOWER_ROUND
    }

    #[inline]
    pub(crate) fn is_solved(self) -> bool {
        self.0 & SOLVED != 0
    }

    #[inline]
    pub(super) fn is_present(self) -> bool {
        self.0 & PRESENT != 0
    }

    #[inline]
    pub(crate) fn fields(self) -> (u32, u32) {
        (self.0 as u32 & FIELD_MAX, (self.0 >> FIELD) as u32 & FIELD_MAX)
    }

    /// Returns whether the lower end and the upper end of the score hold by repetition.
    #[inline]
    pub(crate) fn goes_round(self) -> (bool, bool) {
        (self.0 & LOWER_ROUND != 0, self.0 & UPPER_ROUND != 0)
    }

    #[inline]
    pub(crate) fn rank(self) -> u64 {
        if self.is_present() { (self.0 >> WORK & 0xff) + 1 } else { 0 }
    }
}

/// Encodes a count as a float with five bits of exponent and three bits of mantissa. This preserves
/// the order of counts up to 2^34, to within an eighth.
#[inline]
fn small_float(count: u64) -> u64 {
    let exponent = (count | 1).ilog2();
    if exponent < 3 {
        return count;
    }
    (u64::from(exponent - 2) << 3 | (count >> (exponent - 3) & 7)).min(0xff)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let data = Data::open(5, FIELD_MAX, 77);
        assert_eq!((data.fields(), data.is_solved()), ((5, FIELD_MAX), false));
        let data = Data::solved((FIELD_MAX, false), (0, true), u64::MAX);
        assert_eq!((data.fields(), data.is_solved()), ((FIELD_MAX, 0), true));
        assert_eq!(data.goes_round(), (false, true));
    }

    #[test]
    fn work_keeps_its_order() {
        let mut last = 0;
        for count in (0..1000).chain((10..34).map(|bits| 1 << bits)) {
            assert!(small_float(count) >= last, "{count}");
            last = small_float(count);
        }
        assert!(small_float(1 << 20) > small_float(1 << 19));
        assert_eq!(small_float(u64::MAX), 0xff);
    }
}
