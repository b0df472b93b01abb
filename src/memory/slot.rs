//! Slots of tables that many threads read and write without a lock.
//!
//! A slot is two words, the data and the key XORed with it (after Hyatt's lockless hashing): if a
//! reader sees the words of two different writes, the computed key matches no position. All
//! accesses are relaxed; no other data depends on an entry. Each table defines the meaning of the
//! data and the replacement policy.

use super::zeroed;
use crate::math::strengthen_high_bits;
use crate::sync::{AtomicU64, Fault, Ordering, broken};

/// Two slots in one cache line.
#[derive(Debug)]
pub(crate) struct Bucket(pub(crate) [Slot; 2]);

/// The key mixed with the data, and the data; 0 if empty.
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

/// XORs key and data. The data is mixed first, so that the words of two writes do not differ in
/// their low bits alone. Applied again with the same data it returns the key.
#[inline]
fn combined(key: u64, data: u64) -> u64 {
    // The failing twin of the loom model stores the key unmixed.
    if broken(Fault::UnmixedKey) { key } else { key ^ strengthen_high_bits(data) }
}

impl Slot {
    /// The key and the data; the key is garbage if the words come from two writes.
    #[inline]
    pub(crate) fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (combined(self.mixed.load(Ordering::Relaxed), data), data)
    }

    /// The data, without its key.
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

    /// Empties the slot; returns whether it held an entry. If several threads empty it at once,
    /// exactly one gets `true`.
    pub(crate) fn clear_counted(&self) -> bool {
        self.exchange(0) != 0
    }

    /// Writes the data; returns the previous data.
    fn exchange(&self, data: u64) -> u64 {
        if broken(Fault::CountedTwice) {
            let before = self.data.load(Ordering::Relaxed);
            self.data.store(data, Ordering::Relaxed);
            return before;
        }
        self.data.swap(data, Ordering::Relaxed)
    }
}
