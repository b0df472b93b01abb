//! A cache of answers for recurring positions, within a memory limit.

use std::collections::HashMap;

/// Answers by key, in two generations. When the younger generation takes half of the bytes, the
/// older one is dropped, so that recently requested answers stay.
pub(super) struct Cache<A> {
    young: HashMap<u64, A>,
    old: HashMap<u64, A>,
    /// The number of bytes that the younger generation takes.
    bytes: usize,
    most: usize,
}

impl<A: Clone> Cache<A> {
    pub(super) fn new(most: usize) -> Cache<A> {
        Cache { young: HashMap::new(), old: HashMap::new(), bytes: 0, most }
    }

    pub(super) fn keeps_any(&self) -> bool {
        self.most > 0
    }

    /// Stores an answer of `bytes` bytes, unless it takes more than half of the limit.
    pub(super) fn put(&mut self, key: u64, answer: A, bytes: usize) {
        if bytes > self.most / 2 {
            return;
        }
        if self.bytes + bytes > self.most / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        if self.young.insert(key, answer).is_none() {
            self.bytes += bytes;
        }
    }

    pub(super) fn get(&mut self, key: u64, bytes: fn(&A) -> usize) -> Option<&A> {
        if !self.young.contains_key(&key) {
            let found = self.old.remove(&key)?;
            let bytes = bytes(&found);
            self.put(key, found, bytes);
        }
        self.young.get(&key)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_lately_stays_within_the_limit() {
        let mut cache = Cache::new(100);
        for key in 1..=1000u64 {
            cache.put(key, key, 10);
            assert!(cache.young.len() + cache.old.len() <= 10);
            assert_eq!(cache.get(1, |_| 10), Some(&1), "it is asked for again and again");
        }
        assert_eq!(cache.get(1000, |_| 10), Some(&1000));
        assert_eq!(cache.get(900, |_| 10), None);
        let mut none = Cache::new(0);
        none.put(1, 1u64, 10);
        assert_eq!(none.get(1, |_| 10), None);
    }
}
