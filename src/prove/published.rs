//! The latest of a table's new entries that took enough work. They are published to other machines.
//!
//! They are stored in a ring of slots, which subscribers read from time to time. A writer reserves
//! the next number and writes the slot with that number. All accesses are relaxed, because no other
//! data depends on an entry. A reader may read a slot before the words are written, or after the
//! ring has wrapped. It then finds an older entry, a newer entry, no entry, or words of two
//! entries, whose key matches no position (see [`Slot`](crate::memory::Slot)). So an entry may be
//! published twice or never, which only costs search effort.

use super::data::Data;
use crate::error::SearchError;
use crate::memory::{Bucket, Pages, Slot};
use crate::sync::{AtomicU64, Ordering};
use crossbeam_utils::CachePadded;

/// The number of slots in the ring; only two in loom models, so that the ring wraps.
const ROOM: u64 = if cfg!(loom) { 2 } else { 1 << 15 };

/// The bonus of a solved entry over an open entry, in ranks. Eight ranks correspond to twice the
/// work, so the bonus is equivalent to sixteen times the work: a solved entry saves a search, while
/// an open entry only guides it.
const SOLVED: u64 = 4 * 8;

pub(crate) struct Published {
    ring: Pages<Bucket>,
    /// The number of entries so far, which is also the number of the next entry.
    count: CachePadded<AtomicU64>,
    /// The least rank to publish; see [`Data::rank`].
    least: AtomicU64,
}

impl Published {
    pub(crate) fn new() -> Result<Published, SearchError> {
        Ok(Published {
            ring: Pages::zeroed(ROOM as usize / 2)?,
            count: CachePadded::new(AtomicU64::new(0)),
            least: AtomicU64::new(0),
        })
    }

    fn slot(&self, number: u64) -> &Slot {
        &self.ring[(number % ROOM / 2) as usize].0[(number % 2) as usize]
    }

    /// Sets the least work of published open entries; solved entries need a sixteenth of it.
    pub(crate) fn publish_from(&self, work: u64) {
        self.least.store(Data::open(0, 0, work).rank(), Ordering::Relaxed);
    }

    /// Publishes an entry if it has enough work and holds on every path.
    #[inline]
    pub(crate) fn publish(&self, key: u64, data: Data) {
        let rank = data.rank() + if data.is_solved() { SOLVED } else { 0 };
        if rank >= self.least.load(Ordering::Relaxed) && !data.is_on_one_way() {
            self.push(key, data);
        }
    }

    #[cold]
    fn push(&self, key: u64, data: Data) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.slot(number).store(key, data.bits());
    }

    /// Returns the entries from number `from` on, and advances `from`. If there are more than the
    /// ring holds, the oldest are lost.
    pub(crate) fn read(&self, from: &mut u64) -> Vec<(u64, Data)> {
        let upto = self.count.load(Ordering::Relaxed);
        let numbers = (*from).max(upto.saturating_sub(ROOM))..upto;
        *from = upto;
        let entries = numbers.map(|number| self.slot(number).load());
        entries.filter_map(|(key, bits)| Some((key, Data::from_bits(bits)?))).collect()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_took_work_is_told_once() {
        let (published, mut from) = (Published::new().unwrap(), 0);
        published.publish_from(100);
        published.publish(1, Data::open(1, 2, 99_000));
        published.publish(2, Data::open(3, 4, 20));
        published.publish(3, Data::open(5, 6, 2000).on_one_way());
        let count = |from: &mut u64| -> Vec<u64> {
            published.read(from).into_iter().map(|(key, _)| key).collect()
        };
        assert_eq!(count(&mut from), [1]);
        published.publish(4, Data::solved((0, false), (0, true), 100));
        assert_eq!(count(&mut from), [4]);
        published.publish(5, Data::open(1, 1, 10));
        published.publish(6, Data::solved((0, false), (0, true), 10));
        published.publish(7, Data::solved((0, false), (0, true), 2));
        assert_eq!(count(&mut from), [6]);
        assert!(count(&mut from).is_empty());
        (5..5 + ROOM + 10).for_each(|key| published.publish(key, Data::open(1, 1, 1000)));
        let late = count(&mut from);
        assert_eq!((late.len() as u64, late[0]), (ROOM, 15));
    }
}
