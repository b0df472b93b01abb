//! The table of solved positions, by key.
//!
//! Entries may be lost (if three positions fall into one bucket), which only costs a repeated
//! search. The table starts small, so that it stays in the processor's caches while little is
//! solved, and doubles when it fills (`growth.rs`).
//!
//! Most lookups find nothing, and reading a slot is a cache miss. So each bucket has 16 marks in a
//! separate array, and each entry sets one of them, chosen by a part of its key. If a position's
//! mark is not set, no slot is read. All marks take a sixteenth of the memory of the buckets.
//!
//! Slots are read and written without a lock: see [`Slot`].

mod growth;

use crate::math::strengthen_high_bits;
use crate::memory::{Bucket, Pages, Slot};
use crate::sync::{AtomicI64, AtomicU16, AtomicU64, Fault, Ordering, broken};
use crate::tree::Solved;
use crossbeam_utils::CachePadded;

/// A lock-free table of solved positions.
pub(crate) struct SolvedTable {
    buckets: Pages<Bucket>,
    /// The marks of each bucket. Relaxed: if two threads write to a bucket at once, the later one
    /// may not have seen the other's entry and omits its mark. Lookups then miss that entry.
    marks: Pages<AtomicU16>,
    /// The number of buckets in use, a power of two, minus one. Relaxed: a thread that reads an old
    /// value looks in the old bucket and at worst finds nothing.
    mask: AtomicU64,
    counts: CachePadded<Counts>,
}

/// Returns the mark of a key, given the key's place.
#[inline]
fn mark_of(place: u64) -> u16 {
    // Uses bits that do not choose the bucket.
    1 << (place >> 40 & 15)
}

#[derive(Debug)]
struct Counts {
    /// The number of slots with an entry. Briefly negative if a slot is emptied before the thread
    /// that filled it has counted it.
    filled: AtomicI64,
    /// The number of buckets in the lower half whose entries have been moved to their places.
    moved: AtomicU64,
}

/// The initial number of buckets in use; 1 in Loom models, so that they fill the table.
const FIRST_BUCKETS: u64 = if cfg!(loom) { 1 } else { 1 << 9 };
/// The table takes at most the memory divided by this number.
pub(crate) const TABLE_SHARE: u64 = 16;
/// Set in every stored value, so that an empty slot matches no key.
const PRESENT: u64 = 1 << Solved::BITS;

/// Returns the answer in a slot, if it is for this key.
#[inline]
fn answer_in(slot: &Slot, key: u64) -> Option<Solved> {
    let (found, value) = slot.load();
    let matches = found == key || broken(Fault::TrustedSlot);
    (value & PRESENT != 0 && matches).then(|| Solved::from_bits(value & !PRESENT))
}

impl SolvedTable {
    /// Returns the place of a key. Its low bits are the number of the bucket.
    #[inline]
    fn place(key: u64) -> u64 {
        // Prevents weak hashes from crowding into a few buckets.
        strengthen_high_bits(key) >> 20
    }

    #[inline]
    fn bucket(&self, number: u64) -> &[Slot; 2] {
        &self.buckets[number as usize].0
    }

    /// Returns the answer for the position with this key, if the table contains it.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Solved> {
        let (place, mask) = (Self::place(key), self.mask.load(Ordering::Relaxed));
        let (now, before) = (place & mask, place & mask >> 1);
        // Reads both without a branch: whether they are the same bucket is unpredictable.
        let marks = |number: u64| self.marks[number as usize].load(Ordering::Relaxed);
        if (marks(now) | marks(before)) & mark_of(place) == 0 {
            return None;
        }
        self.look(key, now, before)
    }

    /// Looks up a key whose mark is set: in its current bucket, and in its previous one.
    #[inline(never)]
    fn look(&self, key: u64, now: u64, before: u64) -> Option<Solved> {
        let read = |number| {
            let [a, b] = self.bucket(number);
            answer_in(a, key).or_else(|| answer_in(b, key))
        };
        let found = read(now);
        // Relaxed: at worst nothing is found.
        let moved = || before < self.counts.moved.load(Ordering::Relaxed);
        if found.is_some() || now == before || moved() { found } else { read(before) }
    }

    /// Stores the answer for a solved position; may enlarge the table.
    pub(crate) fn put(&self, key: u64, solved: Solved) {
        let mask = self.mask.load(Ordering::Relaxed);
        let value = PRESENT | solved.to_bits();
        if self.write(Self::place(key) & mask, key, value) {
            self.grow(mask);
        }
    }

    /// Writes an entry, over the first one in a full bucket; returns whether a slot was empty.
    fn write(&self, number: u64, key: u64, value: u64) -> bool {
        let slots = self.bucket(number);
        let same = slots.iter().find(|slot| slot.data() != 0 && slot.load().0 == key);
        let slot = same.or_else(|| slots.iter().find(|slot| slot.data() == 0)).unwrap_or(&slots[0]);
        let filled = slot.store_counted(key, value);
        if filled {
            self.counts.filled.fetch_add(1, Ordering::Relaxed);
        }
        self.mark(number);
        filled
    }

    /// Sets the marks of a bucket to those of its entries.
    fn mark(&self, number: u64) {
        let entries = self.bucket(number).iter().map(Slot::load);
        let marks = entries.filter(|&(_, value)| value & PRESENT != 0);
        let marks = marks.fold(0, |marks, (key, _)| marks | mark_of(Self::place(key)));
        self.marks[number as usize].store(marks, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::memory::scarcity;

    /// Returns the size of `bytes` bytes of buckets together with their marks.
    fn with_marks(bytes: u64) -> u64 {
        bytes + bytes / 16
    }

    #[test]
    fn remembers_and_forgets_but_never_mixes_up() {
        let table = SolvedTable::new(1 << 10).unwrap();
        assert_eq!(table.bytes(), with_marks(1 << 10));
        assert_eq!(table.get(0), None);
        for key in 0..10_000u64 {
            table.put(key, Solved::from_value(key as i32 - 5_000));
        }
        let mut found = 0;
        for key in 0..10_000u64 {
            if let Some(solved) = table.get(key) {
                assert_eq!(solved, Solved::from_value(key as i32 - 5_000));
                found += 1;
            }
        }
        assert!((32..=64).contains(&found), "{found}");
    }

    #[test]
    fn entries_are_found_while_the_table_grows() {
        let table = SolvedTable::new(1 << 20).unwrap();
        let mut lost = 0;
        for key in 0..20_000u64 {
            let hash = strengthen_high_bits(key ^ 0x1234_5678);
            table.put(hash, Solved::from_value(key as i32));
            let known = strengthen_high_bits((key / 2) ^ 0x1234_5678);
            match table.get(known) {
                Some(solved) => assert_eq!(solved, Solved::from_value((key / 2) as i32)),
                None => lost += 1,
            }
        }
        assert_eq!(table.mask.load(Ordering::Relaxed), (1 << 15) - 1);
        // Of three positions in one bucket, one is lost.
        assert!((10..1_000).contains(&lost), "{lost}");
    }

    #[test]
    fn entries_are_counted_once() {
        let mut table = SolvedTable::new(1 << 20).unwrap();
        for key in 0..20_000u64 {
            table.put(strengthen_high_bits(key), Solved::from_value(key as i32));
            table.put(strengthen_high_bits(key / 3), Solved::from_value(key as i32 / 3));
        }
        assert!(table.is_counted());
        table.forget();
        assert!(
            table.is_counted()
                && (0..20_000).all(|key| table.get(strengthen_high_bits(key)).is_none())
        );
        table.put(5, Solved::from_value(1));
        assert_eq!(table.get(5), Some(Solved::from_value(1)));
    }

    #[test]
    fn a_table_needs_room_for_a_bucket() {
        assert!(SolvedTable::new(31).is_none());
        assert!(SolvedTable::new(32).is_some());
    }

    #[test]
    fn a_table_for_which_there_is_no_room_is_smaller() {
        let room = with_marks(1 << 20);
        for (left, taken) in [(room, Some(room)), (1 << 19, Some(room / 16)), (31, None)] {
            scarcity::leave(left as usize);
            let table = SolvedTable::new(1 << 20);
            scarcity::leave(usize::MAX);
            assert_eq!(table.as_ref().map(SolvedTable::bytes), taken);
            if let Some(table) = table {
                table.put(5, Solved::from_value(1));
                assert_eq!(table.get(5), Some(Solved::from_value(1)));
            }
        }
    }
}
