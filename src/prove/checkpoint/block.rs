//! Blocks, the packed parts of a table in a checkpoint.
//!
//! A table is divided into blocks of consecutive buckets, each packed separately. Slots are written
//! in the order of the table, so a bucket's number implies most of the low bits of its keys, which
//! are not written. An entry whose key belongs to another bucket is skipped: its words come from
//! two writes, so its key is wrong. The highest bit of the number implies nothing, because while a
//! table is being doubled, entries of its upper half remain in the lower half. There are few
//! distinct data words, so a block lists them, and each entry refers to its word by index.
//!
//! | part of a block | width in bits |
//! |---|---|
//! | the number of listed words, n | 32 |
//! | the words, in the order of their first use | 64 each |
//! | for each slot: 1 if there is an entry, else 0 | 1 |
//! | for each entry, directly after that bit: the index of its word, from 0 | the width of n − 1 |
//! | and the rest of its key | 64 less the implied bits |
//! | zeros | up to a multiple of 64 |
//!
//! The low bits of each number come first. In a table of 16 GiB an entry of alpha-beta takes 45
//! bits instead of 128. The rest of the keys cannot be compressed, since they are hashes.

use super::bits::{BitReader, BitWriter};
use crate::math::OneWord;
use crate::prove::data::Data;
use crate::prove::table::Table;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

/// The number of buckets in a block, which covers 1 MiB of a table. Larger blocks would spend a
/// smaller fraction of their size on word lists but need more memory for each thread.
const BUCKETS: u64 = 1 << 15;

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The number of buckets in use: a power of two, or 0.
    buckets: u64,
}

impl Layout {
    /// Returns the layout for `buckets` buckets in use; `None` if a table cannot have this number.
    pub(super) fn of(buckets: u64) -> Option<Layout> {
        let possible = buckets == 0 || buckets.is_power_of_two() && buckets <= 1 << 32;
        possible.then_some(Layout { buckets })
    }

    pub(super) fn blocks(self) -> u64 {
        self.buckets.div_ceil(BUCKETS)
    }

    /// An upper bound on the size of a block, in bytes.
    pub(super) fn longest(self) -> u32 {
        // Each slot takes at most a word, a key and an index of four bytes.
        (2 * BUCKETS * (8 + 8 + 4) + 16) as u32
    }

    fn range(self, block: u64) -> Range<u64> {
        block * BUCKETS..((block + 1) * BUCKETS).min(self.buckets)
    }

    /// The mask of the key bits that the bucket's number implies.
    fn said(self) -> u64 {
        self.buckets.saturating_sub(1) >> 1
    }

    /// Packs a block. The table may have grown since, and threads may write to it.
    pub(super) fn pack(self, block: u64, table: &Table) -> Vec<u8> {
        let (said, mut words) = (self.said(), Words::default());
        let slots = self.range(block).flat_map(|bucket| {
            table.in_bucket(bucket).map(|entry| entry.filter(|(key, _)| (key ^ bucket) & said == 0))
        });
        let slots: Vec<Option<(u32, u64)>> = slots
            .map(|entry| entry.map(|(key, data)| (words.number(data), key >> said.count_ones())))
            .collect();
        let (width, rest) = (words.width(), 64 - said.count_ones());
        let mut bytes = Vec::with_capacity(8 * words.list.len() + slots.len() * 9);
        bytes.extend((words.list.len() as u32).to_le_bytes());
        bytes.extend(words.list.iter().flat_map(|data| data.bits().to_le_bytes()));
        let mut bits = BitWriter::behind(bytes);
        for slot in slots {
            match slot {
                None => bits.put(0, 1),
                Some((number, key)) => {
                    bits.put(u64::from(number) << 1 | 1, 1 + width);
                    bits.put(key, rest);
                }
            }
        }
        bits.finish()
    }

    /// Adds the entries of a block to a table. Returns the number of newly filled slots; `None` if
    /// the bytes are not a block of this layout.
    pub(super) fn unpack(self, block: u64, bytes: &[u8], table: &Table) -> Option<u64> {
        let (length, mut bytes) = bytes.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        let mut words = Words::default();
        for _ in 0..length {
            let (word, rest) = bytes.split_first_chunk()?;
            words.list.push(Data::from_bits(u64::from_le_bytes(*word))?);
            bytes = rest;
        }
        let (width, said) = (words.width(), self.said());
        let (mut bits, mut taken) = (BitReader::of(bytes), 0);
        for bucket in self.range(block) {
            let mut next = || {
                if bits.get(1)? == 0 {
                    return Some(None);
                }
                let data = *words.list.get(bits.get(width)? as usize)?;
                let key = bits.get(64 - said.count_ones())? << said.count_ones();
                Some(Some((key | bucket & said, data)))
            };
            let [big, new] = [next()?, next()?];
            // The entry with more work is restored last, so that it takes the first slot again.
            for (key, data) in [new, big].into_iter().flatten() {
                taken += u64::from(table.restore(key, data));
            }
        }
        bits.is_at_end().then_some(taken)
    }
}

/// The distinct words of a block's data, in the order of their first use.
#[derive(Default)]
struct Words {
    list: Vec<Data>,
    numbers: HashMap<u64, u32, BuildHasherDefault<OneWord>>,
}

impl Words {
    /// Returns the index of a word, after appending the word to the list if it is new.
    #[inline]
    fn number(&mut self, data: Data) -> u32 {
        *self.numbers.entry(data.bits()).or_insert_with(|| {
            self.list.push(data);
            self.list.len() as u32 - 1
        })
    }

    fn width(&self) -> u32 {
        usize::BITS - self.list.len().saturating_sub(1).leading_zeros()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::math::mix_all_bits;

    fn filled(buckets: u64, positions: u64) -> Table {
        let table = Table::with_in_use(32 * buckets, buckets).unwrap();
        for n in 0..positions {
            let word = Data::open(mix_all_bits(n) as u32 % 7, n as u32 % 5, mix_all_bits(!n) % 90);
            table.put(mix_all_bits(n), mix_all_bits(n), word);
        }
        table
    }

    fn entries(table: &Table) -> Vec<(u64, u64)> {
        let mut entries: Vec<_> = table.entries().map(|(key, data)| (key, data.bits())).collect();
        entries.sort_unstable();
        entries
    }

    fn over(table: &Table, layout: Layout, into: &Table) {
        let before = into.entries().count() as u64;
        let slots = (0..layout.blocks()).map(|block| {
            let bytes = layout.pack(block, table);
            assert!(bytes.len() <= layout.longest() as usize);
            layout.unpack(block, &bytes, into).expect("its own block")
        });
        assert_eq!(before + slots.sum::<u64>(), into.entries().count() as u64);
    }

    #[test]
    fn tables_of_all_sizes_come_back() {
        for log in (0..=13).chain([16]) {
            let buckets = 1 << log;
            for positions in [0, buckets / 2, 3 * buckets] {
                let table = filled(buckets, positions);
                let layout = Layout::of(buckets).unwrap();
                let again = Table::with_in_use(32 * buckets, buckets).unwrap();
                over(&table, layout, &again);
                assert!(positions == 0 || table.entries().count() > 0);
                assert_eq!(entries(&again), entries(&table));
                // A larger table receives all entries, too.
                let larger = Table::with_in_use(128 * buckets, 4 * buckets).unwrap();
                over(&table, layout, &larger);
                assert_eq!(entries(&larger), entries(&table));
                assert!(entries(&table).iter().all(|&(key, _)| larger.get(key).is_some()));
            }
        }
    }

    #[test]
    fn a_smaller_table_has_what_took_most_work() {
        let (table, smaller) = (filled(1 << 10, 1 << 12), Table::with_in_use(64, 2).unwrap());
        over(&table, Layout::of(1 << 10).unwrap(), &smaller);
        let kept: Vec<u64> = smaller.entries().map(|(_, data)| data.rank()).collect();
        let most = table.entries().map(|(_, data)| data.rank()).max();
        assert_eq!((kept.len(), kept.iter().max().copied()), (4, most));
    }

    /// Checks that blocks include entries that a doubling has yet to move to the upper half.
    #[test]
    fn entries_that_wait_are_not_left_out() {
        let table = filled(1 << 10, 1 << 9);
        let doubled = Table::with_in_use(32 << 11, 1 << 11).unwrap();
        let full = Table::with_in_use(32 << 11, 1 << 10).unwrap();
        table.entries().for_each(|(key, data)| _ = full.restore(key, data));
        over(&full, Layout::of(1 << 11).unwrap(), &doubled);
        assert_eq!(entries(&doubled), entries(&table));
        assert!(entries(&table).iter().all(|&(key, _)| doubled.get(key).is_some()));
        assert!(entries(&table).iter().any(|&(key, _)| key & 1 << 10 != 0));
    }

    /// Checks that blocks omit keys that belong to another bucket, which come from two writes.
    #[test]
    fn entries_that_belong_elsewhere_are_left_out() {
        let table = Table::with_in_use(32 << 12, 1 << 10).unwrap();
        for n in 0..1 << 9 {
            table.put(mix_all_bits(n), mix_all_bits(n), Data::open(1, 1, 1));
        }
        // In a table four times as large, only one of two further bits of a key is checked.
        let again = Table::with_in_use(32 << 12, 1 << 12).unwrap();
        over(&table, Layout::of(1 << 12).unwrap(), &again);
        let expected = entries(&table).into_iter().filter(|(key, _)| key & 1 << 10 == 0);
        let expected: Vec<_> = expected.collect();
        assert_eq!(entries(&again), expected);
        assert!(!expected.is_empty() && expected.len() < entries(&table).len());
    }

    #[test]
    fn what_is_no_block_is_refused() {
        let (table, layout) = (filled(1 << 6, 1 << 6), Layout::of(1 << 6).unwrap());
        let block = layout.pack(0, &table);
        let unpack = |bytes: &[u8]| layout.unpack(0, bytes, &Table::new(1 << 11).unwrap());
        assert!(unpack(&block).is_some());
        for length in 0..block.len() {
            assert_eq!(unpack(&block[..length]), None);
        }
        assert_eq!(unpack(&[&block[..], &[0]].concat()), None);
        // Here the list contains the word of an empty slot.
        let mut empty = block.clone();
        empty[4..12].fill(0);
        assert_eq!(unpack(&empty), None);
        // Here an index lies beyond the list.
        let mut short = block;
        short[0] -= 1;
        assert_eq!(unpack(&short), None);
        assert!([3, 12, u64::MAX, 1 << 33].into_iter().all(|n| Layout::of(n).is_none()));
    }
}
