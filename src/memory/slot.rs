//! Slots of tables, which threads read and write without locks.
//!
//! A slot has two words: the data, and the key XORed with the data (after Hyatt's lockless
//! hashing). If a reader sees words of two different writes, the key that it computes matches no
//! position. All accesses are relaxed, because no other data depends on an entry. Each table
//! defines the meaning of the data and the replacement policy.

use super::zeroed;
use crate::math::strengthen_high_bits;
use crate::sync::{AtomicU64, Fault, Ordering, broken};

#[derive(Debug)]
pub(crate) struct Bucket(pub(crate) [Slot; 2]);

/// An entry: the key mixed with the data, and the data, which is 0 if the slot is empty.
#[derive(Debug)]
pub(crate) struct Slot {
    mixed: AtomicU64,
    data: AtomicU64,
}

zeroed!(Bucket, Bucket::new());

impl Bucket {
    #[cfg(loom)]
    fn new() -> Bucket {
        let slot = || Slot { mixed: AtomicU64::new(0), data: AtomicU64::new(0) };
        Bucket([slot(), slot()])
    }
}

/// XORs the key with the mixed data. The data is mixed because otherwise the words of two writes
/// might differ only in their low bits. Applying the function again with the same data returns the
/// key.
#[inline]
fn combined(key: u64, data: u64) -> u64 {
    // The failing twin of the loom model leaves the key unmixed.
    if broken(Fault::UnmixedKey) { key } else { key ^ strengthen_high_bits(data) }
}

impl Slot {
    /// Loads the key and the data. If they come from different writes, the key matches no position.
    #[inline]
    pub(crate) fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (combined(self.mixed.load(Ordering::Relaxed), data), data)
    }

    #[inline]
    pub(crate) fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, data: u64) {
        self.data.store(data, Ordering::Relaxed);
        self.mixed.store(combined(key, data), Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn clear(&self) {
        self.data.store(0, Ordering::Relaxed);
    }

    /// Writes an entry; returns whether the slot was empty. If several threads write to an empty
    /// slot at once, exactly one gets `true`.
    pub(crate) fn store_counted(&self, key: u64, data: u64) -> bool {
        let before = self.exchange(data);
        self.mixed.store(combined(key, data), Ordering::Relaxed);
        before == 0
    }

    /// Empties the slot; returns whether it contained an entry. If several threads empty it at
    /// once, exactly one gets `true`.
    pub(crate) fn clear_counted(&self) -> bool {
        self.exchange(0) != 0
    }

    fn exchange(&self, data: u64) -> u64 {
        if broken(Fault::CountedTwice) {
            let before = self.data.load(Ordering::Relaxed);
            self.data.store(data, Ordering::Relaxed);
            return before;
        }
        self.data.swap(data, Ordering::Relaxed)
    }
}
