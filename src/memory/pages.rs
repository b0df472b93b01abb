//! Columns of zeroed memory; the system allocates a page when it is first used.
//!
//! The system maps a large area of zeroed memory without allocating its pages, so a column costs
//! only as much memory as is used. The first access to a page takes longer than a playout, and
//! twice as long if it is a read. If it is known which values will be written next, allocating
//! their pages together takes only a fraction of that time.

use super::machine::memory_left;
use crate::sync::{AtomicF64, AtomicU16, AtomicU32, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::{Deref, Range};
use std::ptr::NonNull;

/// A type for which zeroed bytes are a valid value and which needs no drop.
///
/// # Safety
/// The implementer guarantees both.
pub(crate) unsafe trait Zeroed: Sized {
    #[cfg(loom)]
    fn fresh() -> Self;
}

/// Implements [`Zeroed`] for a type. Loom has no zeroed memory and begins with `$fresh` instead.
/// Invoke the macro next to the type's definition, which shows that zeroed bytes are valid.
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

// SAFETY: the type wraps a float, for which zeroed bytes are the value 0.0.
unsafe impl Zeroed for AtomicF64 {
    #[cfg(loom)]
    fn fresh() -> Self {
        AtomicF64::new(0.0)
    }
}

// SAFETY: a cell of `MaybeUninit` may hold any bytes and drops nothing.
unsafe impl<M> Zeroed for UnsafeCell<MaybeUninit<M>> {
    #[cfg(loom)]
    fn fresh() -> Self {
        UnsafeCell::new(MaybeUninit::uninit())
    }
}

#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no observable effect at any address, and every x86-64 processor
        // has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    let _ = value;
}

#[derive(Debug)]
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
    /// The mapping that contains the values; `None` if they are in a box.
    #[cfg(not(any(loom, miri, target_family = "wasm")))]
    map: Option<memmap2::MmapMut>,
}

// SAFETY: `Pages` owns its values like a box.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: `Pages` gives out only shared references to its values.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

/// The minimum size in bytes at which memory is mapped instead of boxed.
#[cfg(not(any(loom, miri, target_family = "wasm")))]
const LARGE: usize = 1 << 16;

#[cfg(all(target_os = "linux", not(any(loom, miri))))]
const HUGE: usize = 2 << 20;

#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) bytes: u64,
    pub(crate) why: String,
}

impl Refused {
    pub(crate) fn of(bytes: u64) -> Refused {
        Refused { bytes, why: std::io::Error::from(std::io::ErrorKind::OutOfMemory).to_string() }
    }
}

/// The bytes to leave for everything else: stacks, positions, the allocator's reserve and the
/// answer. A failed allocation of these would end the program. Threads restart after a pruning, and
/// for each of them glibc's allocator briefly reserves 64 MiB of addresses.
const SPARE: u64 = 96 << 20;

/// Checks that a large optional allocation has left [`SPARE`] bytes for everything else.
///
/// It reads the limits instead of allocating memory as a test, because another thread's small
/// allocation might fail meanwhile.
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
    /// If the system refuses the memory.
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

    fn boxed(mut values: Vec<T>, len: usize) -> Pages<T> {
        assert!(values.is_empty() && values.capacity() >= len);
        #[cfg(loom)]
        values.extend((0..len).map(|_| T::fresh()));
        // SAFETY: the vector has capacity for `len` values, as asserted, and `T: Zeroed` guarantees
        // that the zeros written there are values of `T`.
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

    /// Requests huge pages for a column with random accesses: with pages of 4 KiB almost every
    /// access costs a page walk as well as a cache miss. The first 2 MiB stay in small pages: a
    /// column that is hardly used should not pay for clearing a huge page, which takes a third of a
    /// millisecond.
    pub(crate) fn in_huge_pages(self) -> Pages<T> {
        // The request may fail: small pages work too, only slower.
        #[cfg(all(target_os = "linux", not(any(loom, miri))))]
        if let Some(map) = &self.map {
            let small = map.len().min(HUGE);
            let _ = map.advise_range(memmap2::Advice::NoHugePage, 0, small);
            let _ = map.advise_range(memmap2::Advice::HugePage, small, map.len() - small);
        }
        self
    }

    /// Allocates the pages of these values at once, before the values are written.
    pub(crate) fn populate(&self, values: Range<usize>) {
        // If the request fails, each page is allocated at its first access.
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
        // SAFETY: `start` points to `len` values. They are in a box that only `drop` frees, or in a
        // mapping that is private to this process, page-aligned, large enough, zeroed (so they are
        // valid values of `T`) and owned by `self`. Only shared references reach them.
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
        // SAFETY: without a mapping the values came from a box of this length, and no reference to
        // them outlives `self`.
        drop(unsafe { Box::from_raw(values) });
    }
}

/// Simulated limits of the system's memory, for tests and models.
#[cfg(any(test, loom))]
pub(crate) mod scarcity {
    use std::cell::Cell;

    std::thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Sets the number of bytes that this thread, and models that run on it, can still allocate.
    pub(crate) fn leave(bytes: usize) {
        LEFT.set(bytes);
    }

    /// Subtracts `bytes` from the bytes that are left; returns whether enough were left.
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
        // The bytes of the first length exceed a `usize`. Those of the second one exceed the
        // address space, but Miri would allocate them.
        let lengths = [usize::MAX / 2, usize::MAX / 32];
        for &len in &lengths[..if cfg!(miri) { 1 } else { 2 }] {
            let Err(refused) = Pages::<AtomicU32>::zeroed(len) else { panic!("{len} values") };
            assert!(refused.bytes > 1 << 60);
            assert!(!refused.why.is_empty());
        }
    }
}
