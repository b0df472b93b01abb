//! Bit streams, which store numbers of any width without gaps.

pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// At most 63 bits that have not been written to `bytes` yet.
    held: u128,
    width: u32,
}

impl BitWriter {
    pub(super) fn behind(bytes: Vec<u8>) -> BitWriter {
        BitWriter { bytes, held: 0, width: 0 }
    }

    /// Appends a number of `width` bits, at most 64; higher bits must be 0.
    #[inline]
    pub(super) fn put(&mut self, number: u64, width: u32) {
        debug_assert!(number & !low_bits(width) == 0);
        // At most 63 bits are pending.
        self.held |= u128::from(number) << self.width;
        self.width += width;
        if self.width >= 64 {
            self.bytes.extend((self.held as u64).to_le_bytes());
            self.held >>= 64;
            self.width -= 64;
        }
    }

    /// Returns all bytes; the bits are padded with zeros to a multiple of 64.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if self.width > 0 {
            self.bytes.extend((self.held as u64).to_le_bytes());
        }
        self.bytes
    }
}

pub(super) struct BitReader<'b> {
    bytes: &'b [u8],
    held: u128,
    width: u32,
}

impl<'b> BitReader<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> BitReader<'b> {
        BitReader { bytes, held: 0, width: 0 }
    }

    /// Reads a number of `width` bits, at most 64; returns `None` at the end of the stream.
    #[inline]
    pub(super) fn get(&mut self, width: u32) -> Option<u64> {
        if self.width < width {
            // At most 63 bits are pending.
            let (word, rest) = self.bytes.split_first_chunk()?;
            self.bytes = rest;
            self.held |= u128::from(u64::from_le_bytes(*word)) << self.width;
            self.width += 64;
        }
        let number = self.held as u64 & low_bits(width);
        self.held >>= width;
        self.width -= width;
        Some(number)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.bytes.is_empty() && self.held == 0
    }
}

#[inline]
fn low_bits(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::math::mix_all_bits;

    #[test]
    fn numbers_of_all_widths_come_back() {
        let numbers = |seed: u64| {
            (0..1000).map(move |i| {
                let random = mix_all_bits(seed << 32 | i);
                let width = (random >> 7) as u32 % 65;
                (mix_all_bits(random) & low_bits(width), width)
            })
        };
        for seed in 0..20 {
            let mut out = BitWriter::behind(vec![7; seed as usize]);
            numbers(seed).for_each(|(number, width)| out.put(number, width));
            let bytes = out.finish();
            let bits: u64 = numbers(seed).map(|(_, width)| u64::from(width)).sum();
            assert_eq!(bytes.len() as u64, seed + bits.div_ceil(64) * 8);
            let mut bits = BitReader::of(&bytes[seed as usize..]);
            for (number, width) in numbers(seed) {
                assert_eq!(bits.get(width), Some(number));
            }
            assert!(bits.is_at_end());
            assert_eq!(bits.get(64), None);
        }
    }
}
