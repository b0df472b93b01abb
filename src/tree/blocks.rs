//! Where the children of a position stand, by its key.
//!
//! A key stands for a position *and* its distance from where the search began, for two
//! positions share a block only where both are the same. Entries are only added while
//! threads are in the tree: a slot's key goes from 0 to a key and never to another, and its
//! block follows once. So the two words of a slot are always of one entry. A position that
//! finds its bucket full is not entered; its nodes get children each for themselves, which
//! costs memory and no truth. Entries are taken out while no thread is in the tree.

use crate::math::strengthen_high_bits;
use crate::memory::{Pages, Refused, zeroed};
use crate::sync::{AtomicU32, AtomicU64, Fault, Ordering, unless_broken};

/// A table of blocks that threads read and add to without a lock.
pub(crate) struct BlockTable {
    buckets: Pages<BlockBucket>,
}

/// Positions that share a place; a cache line holds a bucket.
#[derive(Debug)]
struct BlockBucket {
    keys: [AtomicU64; ENTRIES],
    /// The first node of each position's block; 0, which is the root, where it is not said yet.
    blocks: [AtomicU32; ENTRIES],
}

/// Entries of a bucket: as many as a cache line holds.
const ENTRIES: usize = 5;

zeroed!(BlockBucket, BlockBucket::new());

impl BlockBucket {
    #[cfg(loom)]
    fn new() -> BlockBucket {
        BlockBucket {
            keys: std::array::from_fn(|_| AtomicU64::new(0)),
            blocks: std::array::from_fn(|_| AtomicU32::new(0)),
        }
    }
}

impl BlockTable {
    /// A table that takes at most `bytes`, but holds an entry.
    ///
    /// # Errors
    /// When the system has no memory for it.
    pub(crate) fn new(bytes: u64) -> Result<BlockTable, Refused> {
        let buckets = (bytes / size_of::<BlockBucket>() as u64).checked_ilog2().unwrap_or(0);
        Ok(BlockTable { buckets: Pages::zeroed(1 << buckets)? })
    }

    /// Bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.buckets) as u64
    }

    #[inline]
    fn bucket(&self, key: u64) -> &BlockBucket {
        let place = strengthen_high_bits(key) >> 20;
        &self.buckets[place as usize & (self.buckets.len() - 1)]
    }

    /// The first node of the block of the position with this key.
    pub(crate) fn get(&self, key: u64) -> Option<u32> {
        let BlockBucket { keys, blocks } = self.bucket(key);
        // Relaxed: a key alone says nothing.
        let at = keys.iter().position(|cell| cell.load(Ordering::Relaxed) == key)?;
        // Acquire: the block and who leads to it; pairs with `put`.
        let order = unless_broken(Fault::RelaxedOffer, Ordering::Acquire);
        Some(blocks[at].load(order)).filter(|&first| first != 0)
    }

    /// Enters a block that was published, unless its position is there already or there is
    /// no room.
    pub(crate) fn put(&self, key: u64, first: u32) {
        let BlockBucket { keys, blocks } = self.bucket(key);
        for (cell, block) in keys.iter().zip(blocks) {
            let mut found = cell.load(Ordering::Relaxed);
            if found == 0 {
                // Of two that enter at once one gets the slot, and it alone writes there.
                let won = cell.compare_exchange(0, key, Ordering::Relaxed, Ordering::Relaxed);
                match won {
                    Ok(_) => {
                        let order = unless_broken(Fault::RelaxedOffer, Ordering::Release);
                        return block.store(first, order);
                    }
                    Err(other) => found = other,
                }
            }
            if found == key {
                return;
            }
        }
    }

    /// Forgets the blocks that are not to be kept.
    pub(super) fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        for BlockBucket { keys, blocks } in &*self.buckets {
            for (key, block) in keys.iter().zip(blocks) {
                // Relaxed: nobody else is at it.
                if key.load(Ordering::Relaxed) != 0 && !keep(block.load(Ordering::Relaxed)) {
                    key.store(0, Ordering::Relaxed);
                    block.store(0, Ordering::Relaxed);
                }
            }
        }
    }

    /// Forgets all blocks.
    pub(super) fn clear(&mut self) {
        self.retain(|_| false);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_until_they_are_forgotten() {
        let mut table = BlockTable::new(1 << 14).unwrap();
        let key = |number: u32| strengthen_high_bits(u64::from(number) + 1);
        for number in 1..=1000 {
            assert_eq!(table.get(key(number)), None);
            table.put(key(number), number);
            table.put(key(number), number + 1);
        }
        let found = |table: &BlockTable| {
            let found = (1..=1000).filter_map(|n| table.get(key(n)).inspect(|&b| assert_eq!(b, n)));
            found.collect::<Vec<u32>>()
        };
        let all = found(&table);
        assert!((700..=1000).contains(&all.len()), "{} entries", all.len());
        table.retain(|block| block % 2 == 0);
        let even: Vec<u32> = all.into_iter().filter(|block| block % 2 == 0).collect();
        assert_eq!(found(&table), even);
        table.clear();
        assert!(found(&table).is_empty());
    }

    #[test]
    fn a_full_bucket_takes_no_more() {
        let table = BlockTable::new(0).unwrap();
        assert_eq!(table.bytes(), size_of::<BlockBucket>() as u64);
        (1..100).for_each(|key| table.put(key, key as u32));
        assert_eq!((1..100).filter(|&key| table.get(key).is_some()).count(), ENTRIES);
    }
}
