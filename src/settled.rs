//! Positions that were settled once need not be settled again.
//!
//! The tree is strictly a tree: a position that is reached by two orders of
//! moves has two nodes. What is proven about one is true of the other, so the
//! workers keep a table of settled positions by hash, and a node whose position
//! is in it is settled at its first visit. Entries may be lost (two positions
//! fall into one slot, the newer stays), which costs a search and nothing else.
//!
//! A slot is two words, the value and the key combined with it by exclusive
//! or (after Hyatt's lockless hashing): if a reader sees the words of two different
//! writes, the key it computes does not match. All accesses are relaxed; no
//! other data hangs on an entry.

use crate::sync::{AtomicU64, Fault, Ordering, broken};
use crate::tree::{Settled, zeroed_column};

/// A lock-free table of settled positions.
pub(crate) struct SettledTable {
    /// Slots of two words: key and value mixed, value.
    words: Box<[AtomicU64]>,
}

/// Bytes of a slot.
const SLOT: u64 = 16;
/// Marks a value, so that an empty slot matches no key.
const PRESENT: u64 = 1 << 63;

/// Spreads a word's low bits over all of it, so that neither weak hashes crowd
/// in a few slots nor the words of two writes differ in their low bits alone.
#[inline]
fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl SettledTable {
    /// A table that takes at most `bytes`; none when not even one slot fits.
    pub(crate) fn new(bytes: u64) -> Option<SettledTable> {
        let slots = 1usize << (bytes / SLOT).checked_ilog2()?;
        Some(SettledTable { words: zeroed_column(2 * slots) })
    }

    /// Bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// The slot of a key: its mixed word and its value.
    #[inline]
    fn slot(&self, key: u64) -> (&AtomicU64, &AtomicU64) {
        let at = (spread(key) >> 20) as usize & (self.words.len() / 2 - 1);
        (&self.words[2 * at], &self.words[2 * at + 1])
    }

    /// What is known of the position with this hash.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Settled> {
        let (mixed, value) = self.slot(key);
        let value = value.load(Ordering::Relaxed);
        let mixed = mixed.load(Ordering::Relaxed);
        let matches = mixed ^ spread(value) == key || broken(Fault::TrustedSlot);
        (value & PRESENT != 0 && matches).then(|| Settled::from_bits(value as u32))
    }

    /// Remembers a settled position.
    pub(crate) fn put(&self, key: u64, settled: Settled) {
        let (mixed, slot) = self.slot(key);
        let value = PRESENT | u64::from(settled.to_bits());
        slot.store(value, Ordering::Relaxed);
        mixed.store(key ^ spread(value), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn remembers_and_forgets_but_never_mixes_up() {
        let table = SettledTable::new(1 << 10).unwrap();
        assert_eq!(table.bytes(), 1 << 10);
        assert_eq!(table.get(0), None);
        for key in 0..10_000u64 {
            table.put(key, Settled(key as i32 - 5_000));
        }
        let mut found = 0;
        for key in 0..10_000u64 {
            if let Some(settled) = table.get(key) {
                assert_eq!(settled, Settled(key as i32 - 5_000));
                found += 1;
            }
        }
        assert!((32..=64).contains(&found), "{found}");
    }

    #[test]
    fn a_table_needs_room_for_a_slot() {
        assert!(SettledTable::new(15).is_none());
        assert!(SettledTable::new(16).is_some());
    }
}
