//! Columns of zeroed memory whose pages are allocated on demand.
//!
//! The system hands out large zeroed memory without pages behind it, so a column costs only the
//! part that is used. Each page is allocated at its first access, which takes longer than a
//! playout, and twice as long if the page is read before it is written. If the next writes are
//! known, the pages can be allocated together for a fraction of that.

use super::machine::memory_left;
use crate::sync::{AtomicF64, AtomicU16, AtomicU32, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::{Deref, Range};
use std::ptr::NonNull;

/// Types for which all bits zero is a valid value, and that need no drop.
///
/// # Safety
/// The implementer guarantees exactly this.
pub(crate) unsafe trait Zeroed: Sized {
    #[cfg(loom)]
    fn fresh() -> Self;
}

/// Implements [`Zeroed`] for a type; `$fresh` is the initial value under loom, which has no zeroed
/// memory. Invoke it next to the type, which shows that zero is valid.
macro_rules! zeroed {
    ($type:ty, $fresh:expr) => {
        // SAFETY: std atomic integers, or a struct of them, for which zero is valid.
        unsafe impl $crate::memory::Zeroed for $type {
            #[cfg(loom)]
            fn fresh() -> Self {
                $fresh
            }
        }
    };
}
pub(crate) use zeroed;

zeroed!(AtomicU16, AtomicU16::new(0));
zeroed!(AtomicU32, AtomicU32::new(0));

// SAFETY: a cell with a float, for which all bits zero is the value 0.0.
unsafe impl Zeroed for AtomicF64 {
    #[cfg(loom)]
    fn fresh() -> Self {
        AtomicF64::new(0.0)
    }
}

// SAFETY: a cell of `MaybeUninit` has no value yet and drops none.
unsafe impl<M> Zeroed for UnsafeCell<MaybeUninit<M>> {
    #[cfg(loom)]
    fn fresh() -> Self {
        UnsafeCell::new(MaybeUninit::uninit())
    }
}

/// Prefetches a value that will be needed soon.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no observable effect, whatever the address; every x86-64 processor
        // has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    let _ = value;
}

/// A fixed number of zeroed values.
#[derive(Debug)]
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
    /// The mapping that contains the values; otherwise a box.
    #[cfg(not(any(loom, miri, target_family = "wasm")))]
    map: Option<memmap2::MmapMut>,
}

// SAFETY: `Pages` owns its values as a box would.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: it only hands out shared references to them.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

/// The size in bytes from which memory is mapped.
#[cfg(not(any(loom, miri, target_family = "wasm")))]
const LARGE: usize = 1 << 16;

/// The size of a huge page in bytes.
#[cfg(all(target_os = "linux", not(any(loom, miri))))]
const HUGE: usize = 2 << 20;

/// A refused allocation.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) bytes: u64,
    pub(crate) why: String,
}

impl Refused {
    /// A refusal of this many bytes whose cause was not kept.
    pub(crate) fn of(bytes: u64) -> Refused {
        Refused { bytes, why: std::io::Error::from(std::io::ErrorKind::OutOfMemory).to_string() }
    }
}

/// Bytes left for everything else: stacks, positions, the allocator's reserve and the answer, for
/// which a failed allocation ends the program. After a pruning, threads are restarted, and for each
/// of them glibc's allocator briefly reserves 64 MiB of addresses.
const SPARE: u64 = 96 << 20;

/// Checks that the system has memory left for everything else, after a large optional allocation.
///
/// It reads the limits instead of allocating a probe: another thread may need a small piece at the
/// same moment and would not get it.
pub(crate) fn leave_spare() -> Result<(), Refused> {
    match memory_left() {
        Some(left) if left < SPARE => Err(Refused::of(SPARE)),
        _ => Ok(()),
    }
}

impl<T: Zeroed> Pages<T> {
    /// Allocates `len` zeroed values.
    ///
    /// # Errors
    /// When the system refuses the memory.
    pub(crate) fn zeroed(len: usize) -> Result<Pages<T>, Refused> {
        let bytes = len.saturating_mul(size_of::<T>());
        let refused =
            |why: &dyn std::fmt::Display| Refused { bytes: bytes as u64, why: why.to_string() };
        #[cfg(any(test, loom))]
        if !scarcity::grants(bytes) {
            return Err(refused(&"the test has no more"));
        }
        #[cfg(not(any(loom, miri, target_family = "wasm")))]
        if bytes >= LARGE {
            const { assert!(align_of::<T>() <= 4096 && !std::mem::needs_drop::<T>()) };
            let mut map = memmap2::MmapMut::map_anon(bytes).map_err(|error| refused(&error))?;
            // No mapping starts at address 0.
            if let Some(start) = NonNull::new(map.as_mut_ptr().cast()) {
                return Ok(Pages { start, len, map: Some(map) });
            }
        }
        let mut values = Vec::<T>::new();
        values.try_reserve_exact(len).map_err(|error| refused(&error))?;
        Ok(Pages::boxed(values, len))
    }

    pub(crate) fn none() -> Pages<T> {
        Pages::boxed(Vec::new(), 0)
    }

    /// Fills an empty vector that has room for `len` values.
    fn boxed(mut values: Vec<T>, len: usize) -> Pages<T> {
        assert!(values.is_empty() && values.capacity() >= len);
        #[cfg(loom)]
        values.extend((0..len).map(|_| T::fresh()));
        // SAFETY: the vector has room for `len` values, as asserted; `T: Zeroed` guarantees that
        // the zeros written there are such values.
        #[cfg(not(loom))]
        unsafe {
            values.as_mut_ptr().write_bytes(0, len);
            values.set_len(len);
        }
        Pages {
            start: NonNull::from(Box::leak(values.into_boxed_slice())).cast(),
            len,
            #[cfg(not(any(loom, miri, target_family = "wasm")))]
            map: None,
        }
    }

    /// Requests huge pages, for a column with random accesses: with pages of 4 KiB almost every
    /// access costs a page walk on top of the cache miss. The beginning stays in small pages: a
    /// barely used column would otherwise pay for clearing a huge page, which takes a third of a
    /// millisecond.
    pub(crate) fn in_huge_pages(self) -> Pages<T> {
        // The advice is optional: small pages work, only slower.
        #[cfg(all(target_os = "linux", not(any(loom, miri))))]
        if let Some(map) = &self.map {
            let small = map.len().min(HUGE);
            let _ = map.advise_range(memmap2::Advice::NoHugePage, 0, small);
            let _ = map.advise_range(memmap2::Advice::HugePage, small, map.len() - small);
        }
        self
    }

    /// Allocates the pages of some values at once, because the values will be written next.
    pub(crate) fn populate(&self, values: Range<usize>) {
        // The advice is optional: without it, or on older systems, each page is allocated at its
        // first access.
        #[cfg(all(target_os = "linux", not(any(loom, miri))))]
        if let Some(map) = &self.map {
            let (start, size) = (values.start * size_of::<T>(), values.len() * size_of::<T>());
            let _ = map.advise_range(memmap2::Advice::PopulateWrite, start, size);
        }
        #[cfg(not(all(target_os = "linux", not(any(loom, miri)))))]
        let _ = values;
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` values, either in a box that only `drop` frees, or in a
        // mapping that is private to this process, begins on a page boundary, has room for them,
        // was zeroed, which makes it values of `T`, and lives as long as `self`. They are reached
        // through shared references only.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        #[cfg(not(any(loom, miri, target_family = "wasm")))]
        if self.map.is_some() {
            return;
        }
        let values = std::ptr::slice_from_raw_parts_mut(self.start.as_ptr(), self.len);
        // SAFETY: without a mapping the values came from a box of this length, and
        // no reference to them outlives `self`.
        drop(unsafe { Box::from_raw(values) });
    }
}

/// A simulated limit of the system's memory, for tests and models.
#[cfg(any(test, loom))]
pub(crate) mod scarcity {
    use std::cell::Cell;

    std::thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Sets the bytes left for this thread's allocations, or for those of a model that runs on it.
    pub(crate) fn leave(bytes: usize) {
        LEFT.set(bytes);
    }

    /// Takes bytes if they are left; returns whether they were.
    pub(super) fn grants(bytes: usize) -> bool {
        let left = LEFT.get();
        if left == usize::MAX {
            return true;
        }
        let rest = left.checked_sub(bytes);
        LEFT.set(rest.unwrap_or(left));
        rest.is_some()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{AtomicU32, Ordering};

    #[test]
    fn values_are_zero_and_stay_what_they_are_made() {
        for len in [0, 1, 1000, 100_000] {
            let column = Pages::<AtomicU32>::zeroed(len).unwrap().in_huge_pages();
            assert_eq!(column.len(), len);
            column.populate(len / 3..len);
            assert!(column.iter().all(|value| value.load(Ordering::Relaxed) == 0));
            for (value, i) in column.iter().zip(0..) {
                value.store(i, Ordering::Relaxed);
            }
            column.populate(0..len);
            assert!(column.iter().zip(0..).all(|(value, i)| value.load(Ordering::Relaxed) == i));
        }
    }

    #[test]
    fn more_than_there_is_room_for_is_an_error() {
        // More than the address space, which Miri would allocate, and more bytes than a `usize` can
        // hold.
        let lengths = [usize::MAX / 2, usize::MAX / 32];
        for &len in &lengths[..if cfg!(miri) { 1 } else { 2 }] {
            let Err(refused) = Pages::<AtomicU32>::zeroed(len) else { panic!("{len} values") };
            assert!(refused.bytes > 1 << 60);
            assert!(!refused.why.is_empty());
        }
    }
}
