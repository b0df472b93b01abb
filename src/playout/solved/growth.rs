//! The growth of the table of solved positions, and its entries in files.

use super::{Counts, FIRST_BUCKETS, PRESENT, SolvedTable, TABLE_SHARE};
use crate::memory::{Bucket, Pages, leave_spare};
use crate::sync::{AtomicI64, AtomicU64, Ordering};
use crate::tree::Solved;
use crossbeam_utils::CachePadded;

/// The maximum size in bytes; a tree's indices do not suffice for more solved positions.
const MOST_BYTES: u64 = 16 << 30;

impl SolvedTable {
    /// Creates a table whose buckets take at most `bytes`; `None` if not even one bucket fits.
    ///
    /// A search works with fewer entries, or without a table. So while the system lacks the memory
    /// for the table, its size is divided by sixteen, and the rest is left to the tree.
    pub(crate) fn new(bytes: u64) -> Option<SolvedTable> {
        let bytes = bytes.min(MOST_BYTES);
        let mut buckets = 1u64 << (bytes / size_of::<Bucket>() as u64).checked_ilog2()?;
        let (pages, marks) = loop {
            let pages = Pages::zeroed(buckets as usize)
                .and_then(|pages| Ok((pages, Pages::zeroed(buckets as usize)?)));
            match pages.and_then(|pages| leave_spare().map(|()| pages)) {
                Ok(pages) => break pages,
                Err(_) if buckets >= TABLE_SHARE => buckets /= TABLE_SHARE,
                Err(_) => return None,
            }
        };
        Some(SolvedTable {
            buckets: pages,
            marks,
            mask: AtomicU64::new(buckets.min(FIRST_BUCKETS) - 1),
            counts: CachePadded::new(Counts {
                filled: AtomicI64::new(0),
                moved: AtomicU64::new(u64::MAX / 2),
            }),
        })
    }

    /// The maximum size of the table in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(&*self.buckets) + size_of_val(&*self.marks)) as u64
    }

    /// Returns whether the count equals the number of entries while no thread uses the table.
    #[cfg(any(loom, test))]
    pub(crate) fn is_counted(&self) -> bool {
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        let entries = slots.filter(|slot| slot.data() != 0).count();
        entries as i64 == self.counts.filled.load(Ordering::Relaxed)
    }

    /// Removes all entries.
    pub(crate) fn forget(&mut self) {
        // Relaxed: no other thread uses the table.
        let used = self.mask.load(Ordering::Relaxed) + 1;
        for slot in self.buckets[..used as usize].iter().flat_map(|bucket| &bucket.0) {
            slot.clear_counted();
        }
        self.marks[..used as usize].iter().for_each(|marks| marks.store(0, Ordering::Relaxed));
        self.mask.store(FIRST_BUCKETS.min(self.buckets.len() as u64) - 1, Ordering::Relaxed);
        self.counts.filled.store(0, Ordering::Relaxed);
        self.counts.moved.store(u64::MAX / 2, Ordering::Relaxed);
    }

    /// Returns the number of buckets in use, and the number of buckets in their lower half whose
    /// entries are in their places. No thread may change the table meanwhile.
    pub(crate) fn extent(&self) -> (u64, u64) {
        let moved = self.counts.moved.load(Ordering::Relaxed);
        (self.mask.load(Ordering::Relaxed) + 1, moved)
    }

    /// Returns all entries with their slot numbers. No thread may change the table meanwhile.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u64, Solved)> {
        let (used, _) = self.extent();
        let slots = self.buckets[..used as usize].iter().flat_map(|bucket| &bucket.0);
        (0..).zip(slots).filter_map(|(number, slot)| {
            let (key, value) = slot.load();
            (value & PRESENT != 0).then(|| (number, key, Solved::from_bits(value & !PRESENT)))
        })
    }

    /// Extends an empty table to this extent, before its entries are
    /// [placed](SolvedTable::place_entry) one by one. Returns whether it has enough buckets.
    pub(crate) fn extend(&self, (used, moved): (u64, u64)) -> bool {
        let fits = used <= self.buckets.len() as u64 && used.is_power_of_two();
        if fits {
            // Relaxed: no other thread uses the table.
            self.mask.store(used - 1, Ordering::Relaxed);
            self.counts.moved.store(moved, Ordering::Relaxed);
        }
        fits
    }

    /// Restores an entry to its slot. Returns whether the entry may be there.
    pub(crate) fn place_entry(&self, number: u64, key: u64, solved: Solved) -> bool {
        let (mask, place) = (self.mask.load(Ordering::Relaxed), Self::place(key));
        let bucket = number / 2;
        if bucket != place & mask && bucket != place & mask >> 1 {
            return false;
        }
        let slot = &self.bucket(bucket)[number as usize % 2];
        if slot.store_counted(key, PRESENT | solved.to_bits()) {
            self.counts.filled.fetch_add(1, Ordering::Relaxed);
        }
        self.mark(bucket);
        true
    }

    /// Called after a slot was filled. Moves a few entries; if all are in their places and there
    /// are at least as many entries as buckets in use, doubles the number of buckets in use.
    pub(super) fn grow(&self, mask: u64) {
        /// The number of buckets to process for each slot that is filled. Before the next doubling,
        /// at least as many slots are filled as there are buckets to process.
        const STEPS: u64 = 2;
        let lower_half = mask.div_ceil(2);
        if self.counts.moved.load(Ordering::Relaxed) < lower_half {
            let first = self.counts.moved.fetch_add(STEPS, Ordering::Relaxed);
            (first..lower_half.min(first + STEPS)).for_each(|number| self.relocate(number, mask));
            return;
        }
        let (filled, doubled) = (self.counts.filled.load(Ordering::Relaxed), mask << 1 | 1);
        let wanted = filled > mask as i64 && doubled < self.buckets.len() as u64;
        // If several threads would double at once, only one does.
        let exchange = || {
            self.mask.compare_exchange(mask, doubled, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        if wanted && exchange() {
            self.counts.moved.store(0, Ordering::Relaxed);
        }
    }

    /// Moves the entries of a bucket to their places. Two writes at once may have left a garbled
    /// key, which matches a position as rarely as two positions share a key. An entry that is
    /// written meanwhile may be lost.
    fn relocate(&self, number: u64, mask: u64) {
        for slot in self.bucket(number) {
            let (key, value) = slot.load();
            let place = Self::place(key);
            let misplaced = place & mask != number && place & mask >> 1 == number;
            if value & PRESENT != 0 && misplaced {
                self.write(place & mask, key, value);
                if slot.clear_counted() {
                    self.counts.filled.fetch_sub(1, Ordering::Relaxed);
                }
                self.mark(number);
            }
        }
    }
}
