//! The transposition table of the depth-first provers.
//!
//! Threads read and write slots without locks; see [`Slot`]. Two slots form a bucket, with the
//! replacement scheme TwoBig (Breuker, Uiterwijk and van den Herik 1996): of two entries, the one
//! with more work stays in the first slot, and the second slot takes the newest entry. Entries may
//! be lost through replacement or a race, which only costs search effort.
//!
//! The table starts with few buckets in use, so that it stays in the processor's caches and uses no
//! further memory while there are few entries. When a quarter of the slots are filled, the number
//! of buckets in use doubles. The thread that doubles it moves the entries that now belong to other
//! buckets; until then, other threads do not find these entries.

use super::data::Data;
use super::published::Published;
use crate::error::SearchError;
use crate::memory::{Bucket, Pages, Slot, prefetch};
use crate::sync::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;

pub(crate) struct Table {
    buckets: Pages<Bucket>,
    /// The number of buckets in use, a power of two, minus one. Relaxed: a thread that reads an old
    /// value looks in the old bucket and at worst finds nothing.
    mask: AtomicU64,
    /// Counts filled slots, but only for one key in [`COUNTED`]. Relaxed: an estimate suffices.
    filled: CachePadded<AtomicU64>,
    published: Option<Published>,
}

/// The initial number of buckets in use; only one in loom models, so that they can fill it.
const FIRST_BUCKETS: u64 = if cfg!(loom) { 1 } else { 1 << 10 };
/// One key in this many is counted, so that threads rarely contend; loom models count every key.
const COUNTED: u64 = if cfg!(loom) { 1 } else { 16 };

const LOW_HALF: u64 = 0xffff_ffff;

/// Loads an entry; its key matches no position if the words come from two writes.
#[inline]
fn entry_in(slot: &Slot) -> (u64, Data) {
    let (key, data) = slot.load();
    (key, Data(data))
}

impl Table {
    /// Creates a table of at most `bytes` bytes, but with at least one bucket.
    pub(crate) fn new(bytes: u64) -> Result<Table, SearchError> {
        let buckets = (bytes / size_of::<Bucket>() as u64).clamp(1, 1 << 32);
        let buckets = 1u64 << buckets.ilog2();
        Ok(Table {
            buckets: Pages::zeroed(buckets as usize)?.in_huge_pages(),
            mask: AtomicU64::new(buckets.min(FIRST_BUCKETS) - 1),
            filled: CachePadded::new(AtomicU64::new(0)),
            published: None,
        })
    }

    /// Creates a table with `in_use` buckets in use, or all its buckets if there are fewer.
    /// `in_use` must be a power of two.
    #[cfg(feature = "certificates")]
    pub(crate) fn with_in_use(bytes: u64, in_use: u64) -> Result<Table, SearchError> {
        let table = Table::new(bytes)?;
        table.mask.store(in_use.min(table.buckets.len() as u64) - 1, Ordering::Relaxed);
        Ok(table)
    }

    /// Creates a table that publishes its new entries to other machines.
    pub(crate) fn publishing(bytes: u64) -> Result<Table, SearchError> {
        Ok(Table { published: Some(Published::new()?), ..Table::new(bytes)? })
    }

    /// Copies the entries into a new table of at most `bytes` bytes.
    pub(crate) fn in_a_larger(&self, bytes: u64) -> Result<Table, SearchError> {
        let table = Table::new(bytes)?;
        self.entries().for_each(|(key, data)| table.keep(key, key, data));
        Ok(table)
    }

    pub(crate) fn published(&self) -> Option<&Published> {
        self.published.as_ref()
    }

    /// Adds an entry from another machine, unless the table's entry for this key has at least as
    /// much work. The entry is not published again.
    pub(crate) fn learn(&self, key: u64, data: Data) {
        if self.get(key).is_none_or(|own| own.rank() < data.rank()) {
            self.keep(key, key, data);
        }
    }

    /// Returns the size of the table in bytes, including buckets that are not in use.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    #[inline]
    fn slots(&self, key: u64, mask: u64) -> &[Slot; 2] {
        &self.buckets[(key & mask & LOW_HALF) as usize].0
    }

    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.slots(key, self.mask.load(Ordering::Relaxed)));
    }

    /// Returns the entries in the bucket of `key`, with their keys. Empty slots get a key that does
    /// not match.
    #[inline]
    pub(crate) fn beside(&self, key: u64) -> [(u64, Data); 2] {
        let [big, new] = self.slots(key, self.mask.load(Ordering::Relaxed));
        [entry_in(big), entry_in(new)].map(|(found, data)| {
            // The key of an empty slot is replaced by a key that differs from `key` in the low
            // half, which contains no tag.
            if data.is_present() { (found, data) } else { (!key, data) }
        })
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Data> {
        self.beside(key).into_iter().find(|&(found, _)| found == key).map(|(_, data)| data)
    }

    /// Writes an entry. It also replaces an entry with the key `former`, which selects the same
    /// bucket.
    #[inline]
    pub(crate) fn put(&self, key: u64, former: u64, data: Data) {
        if let Some(published) = &self.published {
            published.publish(key, data);
        }
        self.keep(key, former, data);
    }

    #[inline]
    fn keep(&self, key: u64, former: u64, data: Data) {
        let mask = self.mask.load(Ordering::Relaxed);
        let filled = self.write(mask, key, former, data);
        if filled && (key >> 40).is_multiple_of(COUNTED) {
            self.count(mask);
        }
    }

    /// Writes an entry; returns whether it filled an empty slot.
    #[inline]
    fn write(&self, mask: u64, key: u64, former: u64, data: Data) -> bool {
        let [big, new] = self.slots(key, mask);
        let is_own =
            |(found, data): (u64, Data)| data.is_present() && (found == key || found == former);
        let (in_big, in_new) = (entry_in(big), entry_in(new));
        if is_own(in_big) {
            big.store(key, data.0);
            if is_own(in_new) && in_new.0 != key {
                new.clear();
            }
            return false;
        }
        if data.rank() < in_big.1.rank() {
            new.store(key, data.0);
            return !in_new.1.is_present();
        }
        // If the words come from two writes, their key belongs to another bucket, except as rarely
        // as two positions share a key.
        let is_whole = in_big.1.is_present() && (in_big.0 ^ key) & mask & LOW_HALF == 0;
        if is_whole {
            new.store(in_big.0, in_big.1.0);
        }
        big.store(key, data.0);
        !in_new.1.is_present()
    }

    /// Writes an entry from a file without growing the table; returns whether it filled an empty
    /// slot.
    #[cfg(feature = "certificates")]
    pub(crate) fn restore(&self, key: u64, data: Data) -> bool {
        self.write(self.mask.load(Ordering::Relaxed), key, key, data)
    }

    /// Counts slots that [`restore`](Table::restore) has filled. If there are too many for the
    /// buckets in use, the next new entry makes the table grow.
    #[cfg(feature = "certificates")]
    pub(crate) fn count_restored(&self, slots: u64) {
        self.filled.fetch_add(slots / COUNTED, Ordering::Relaxed);
    }

    /// Counts a filled slot. Doubles the number of buckets in use when a quarter of their slots are
    /// filled.
    #[cold]
    fn count(&self, mask: u64) {
        let filled = (self.filled.fetch_add(1, Ordering::Relaxed) + 1) * COUNTED;
        let doubled = mask << 1 | 1;
        if filled * 2 <= mask || doubled >= self.buckets.len() as u64 {
            return;
        }
        // If several threads try to double the number at once, only one succeeds.
        let exchange =
            self.mask.compare_exchange(mask, doubled, Ordering::Relaxed, Ordering::Relaxed);
        if exchange.is_ok() {
            (0..=mask).for_each(|number| self.relocate(number, doubled));
        }
    }

    /// Moves the entries of a bucket that belong to the new upper half. A concurrent write may be
    /// lost.
    fn relocate(&self, number: u64, mask: u64) {
        for slot in &self.buckets[number as usize].0 {
            let (key, data) = entry_in(slot);
            if data.is_present() && key & mask & LOW_HALF == number + mask / 2 + 1 {
                self.write(mask, key, key, data);
                slot.clear();
            }
        }
    }

    #[cfg(feature = "certificates")]
    pub(crate) fn in_use(&self) -> u64 {
        self.mask.load(Ordering::Relaxed) + 1
    }

    /// Returns the entries of bucket `number`. While threads write, a key may be wrong.
    #[cfg(feature = "certificates")]
    pub(crate) fn in_bucket(&self, number: u64) -> [Option<(u64, Data)>; 2] {
        let [big, new] = &self.buckets[number as usize].0;
        [big, new].map(|slot| Some(entry_in(slot)).filter(|(_, data)| data.is_present()))
    }

    /// Returns all entries. While threads write, some may be missing, and some may have wrong keys.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, Data)> {
        let in_use = self.mask.load(Ordering::Relaxed) as usize + 1;
        let slots = self.buckets[..in_use].iter().flat_map(|bucket| &bucket.0);
        slots.map(entry_in).filter(|(_, data)| data.is_present())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::math::mix_all_bits;

    #[test]
    fn of_two_entries_the_one_with_more_work_stays() {
        let table = Table::new(32).unwrap();
        table.put(1, 1, Data::open(1, 1, 100));
        for key in 2..50 {
            table.put(key, key, Data::open(key as u32, 7, 10));
            assert_eq!(table.get(key).map(Data::fields), Some((key as u32, 7)));
        }
        assert!(table.get(1).is_some());
        assert!(table.get(48).is_none());
        table.put(50, 50, Data::open(50, 7, 1000));
        assert!(table.get(50).is_some() && table.get(1).is_some());
        assert!(table.get(49).is_none());
    }

    #[test]
    fn an_entry_has_one_place() {
        let table = Table::new(32).unwrap();
        table.put(1, 1, Data::open(1, 1, 1));
        table.put(2, 2, Data::open(2, 2, 2));
        table.put(2, 1, Data::open(3, 3, 3));
        assert_eq!(table.entries().count(), 1);
        assert_eq!(table.get(2).map(Data::fields), Some((3, 3)));
    }

    #[test]
    fn entries_are_found_while_the_table_grows() {
        let table = Table::new(1 << 24).unwrap();
        let hash = mix_all_bits;
        let mut lost = 0;
        for n in 0..200_000u64 {
            table.put(hash(n), hash(n), Data::open(n as u32, 1, n % 100));
            let known = hash(n / 2);
            match table.get(known) {
                Some(data) => assert_eq!(data.fields(), ((n / 2) as u32, 1)),
                None => lost += 1,
            }
        }
        assert_eq!(table.mask.load(Ordering::Relaxed), (1 << 19) - 1);
        // If three positions share a bucket, one of their entries is lost.
        assert!((100..12_000).contains(&lost), "{lost}");
    }

    #[test]
    fn a_larger_table_has_the_same_entries() {
        let small = Table::new(1 << 10).unwrap();
        (0..40u64).for_each(|n| {
            small.put(mix_all_bits(n), mix_all_bits(n), Data::open(n as u32, 7, n));
        });
        let large = small.in_a_larger(1 << 20).unwrap();
        assert_eq!(large.bytes(), 1 << 20);
        let sorted = |table: &Table| {
            let mut entries: Vec<_> = table.entries().map(|(key, data)| (key, data.0)).collect();
            entries.sort_unstable();
            entries
        };
        assert_eq!(sorted(&large), sorted(&small));
    }

    #[test]
    fn nothing_is_found_in_an_empty_table() {
        let table = Table::new(1 << 12).unwrap();
        assert_eq!(table.bytes(), 1 << 12);
        assert!((0..1000).chain([u64::MAX]).all(|key| table.get(key).is_none()));
    }
}
