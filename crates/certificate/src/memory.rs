//! A counter for memory, with a limit.
//!
//! A small file can decompress to a long one, and the check of a long file can require much memory.
//! All memory that grows with a file is therefore counted before it is allocated.

use std::fmt;

/// The default memory limit of a check: 1 GiB.
pub const DEFAULT_MEMORY: u64 = 1 << 30;

/// The approximate overhead of an allocation in bytes.
const OVERHEAD: u64 = 16;

#[derive(Clone, Debug)]
pub(super) struct Memory {
    limit: u64,
    used: u64,
    most: u64,
}

/// The reason for refusing memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryFull {
    /// The limit, in bytes, would be exceeded.
    Limit(u64),
    /// The system could not allocate this number of bytes.
    System(u64),
}

impl fmt::Display for MemoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryFull::Limit(limit) => {
                write!(f, "the check needs more than {limit} bytes of memory")
            }
            MemoryFull::System(bytes) => {
                write!(f, "the check needs {bytes} bytes of memory, which cannot be allocated")
            }
        }
    }
}

impl Memory {
    pub(super) fn new(limit: u64) -> Memory {
        Memory { limit, used: 0, most: 0 }
    }

    /// Counts `bytes` before they are allocated.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), MemoryFull> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(MemoryFull::Limit(self.limit));
        }
        self.used = used;
        self.most = self.most.max(used);
        Ok(())
    }

    pub(super) fn give(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    pub(super) fn used(&self) -> u64 {
        self.used
    }

    pub(super) fn most(&self) -> u64 {
        self.most
    }
}

pub(super) fn text_bytes(length: usize) -> u64 {
    length as u64 + OVERHEAD
}

/// The maximum number of bytes per entry of a [`BTreeMap`](std::collections::BTreeMap). Its nodes
/// also contain pointers, and are only about half full if keys arrive in order.
pub(super) const fn entry_bytes<K, V>() -> u64 {
    2 * (size_of::<K>() + size_of::<V>()) as u64 + OVERHEAD
}

/// A stack with counted memory.
pub(super) struct CountedStack<T> {
    items: Vec<T>,
}

impl<T> CountedStack<T> {
    pub(super) fn new() -> CountedStack<T> {
        CountedStack { items: Vec::new() }
    }

    pub(super) fn push(&mut self, item: T, memory: &mut Memory) -> Result<(), MemoryFull> {
        if self.items.len() == self.items.capacity() {
            self.grow(memory)?;
        }
        self.items.push(item);
        Ok(())
    }

    /// Increases the capacity by half; the old buffer is freed only after the items have moved.
    fn grow(&mut self, memory: &mut Memory) -> Result<(), MemoryFull> {
        let bytes = |items: usize| (items as u64).saturating_mul(size_of::<T>() as u64);
        let (before, more) = (self.items.capacity(), (self.items.len() / 2).max(16));
        let wanted = bytes(before.saturating_add(more));
        memory.take(wanted)?;
        self.items.try_reserve_exact(more).map_err(|_| MemoryFull::System(wanted))?;
        memory.give(bytes(before));
        Ok(())
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    pub(super) fn last(&self) -> Option<&T> {
        self.items.last()
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut T> {
        self.items.last_mut()
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_stack_takes_what_is_counted() {
        let mut memory = Memory::new(1 << 20);
        let mut stack = CountedStack::new();
        let full = (0u64..).find_map(|number| stack.push(number, &mut memory).err());
        assert_eq!(full, Some(MemoryFull::Limit(1 << 20)));
        assert_eq!(memory.used, stack.items.capacity() as u64 * 8);
        // The old buffer and a new one, half as large again, did not fit within the limit together.
        assert!(memory.used > (1 << 20) * 2 / 5 && memory.most() <= 1 << 20, "{memory:?}");
        assert_eq!(stack.pop(), Some(stack.items().len() as u64));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let mut memory = Memory::new(100);
        assert_eq!(memory.take(101), Err(MemoryFull::Limit(100)));
        assert_eq!(memory.take(100), Ok(()));
        assert_eq!(memory.take(1), Err(MemoryFull::Limit(100)));
        memory.give(60);
        assert_eq!(memory.take(60), Ok(()));
        assert_eq!(memory.most(), 100);
        assert_eq!(memory.take(u64::MAX), Err(MemoryFull::Limit(100)));
    }
}
