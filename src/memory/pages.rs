//! Columns of zeroed memory, whose pages come when they are wanted.
//!
//! The system hands out large zeroed memory without pages behind it, so a column
//! costs only what is used of it. Each page is fetched when it is first touched,
//! which takes the processor longer than a playout, and twice as long when it was
//! read before it is written. Who knows what will be written next can have the
//! pages fetched together, for a fraction of that.

use super::machine::memory_left;
use crate::sync::{AtomicF64, AtomicU16, AtomicU32, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::{Deref, Range};
use std::ptr::NonNull;

/// Types for which all bits zero is a valid value, and that need no drop.
///
/// # Safety
/// The implementer promises just that.
pub(crate) unsafe trait Zeroed: Sized {
    #[cfg(loom)]
    fn fresh() -> Self;
}

/// Says so of a type, with the value that a model of loom begins with, which has no
/// zeroed memory. Stands beside the type, where the reason can be seen.
macro_rules! zeroed {
    ($type:ty, $fresh:expr) => {
        // SAFETY: std atomic integers, or a struct of them, for which zero is a value.
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

// SAFETY: a cell of `MaybeUninit` has no value yet, and drops none.
unsafe impl<M> Zeroed for UnsafeCell<MaybeUninit<M>> {
    #[cfg(loom)]
    fn fresh() -> Self {
        UnsafeCell::new(MaybeUninit::uninit())
    }
}

/// Has the processor fetch a value, which will be needed soon.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri), not(loom)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing that a program can see, whatever the address;
        // every x86-64 processor has the instruction.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    let _ = value;
}

/// Zeroed values, as many as were asked for.
#[derive(Debug)]
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
    /// Where the values lie; else in a box.
    #[cfg(not(any(loom, miri, target_family = "wasm")))]
    map: Option<memmap2::MmapMut>,
}

// SAFETY: `Pages` owns its values as a box would.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: it gives out nothing but shared references to them.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

/// Memory of this many bytes or more is mapped.
#[cfg(not(any(loom, miri, target_family = "wasm")))]
const LARGE: usize = 1 << 16;

/// Bytes of a huge page.
#[cfg(all(target_os = "linux", not(any(loom, miri))))]
const HUGE: usize = 2 << 20;

/// Memory that the system did not give.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) bytes: u64,
    pub(crate) why: String,
}

impl Refused {
    /// So many bytes, of which it is no longer known why.
    pub(crate) fn of(bytes: u64) -> Refused {
        Refused { bytes, why: std::io::Error::from(std::io::ErrorKind::OutOfMemory).to_string() }
    }
}

/// Bytes that are left to everything else: to stacks, positions, the allocator's stock and
/// the answer, for which there is no error but the end of the program. After a pruning
/// threads are started anew, and for each of them glibc's allocator sets 64 MiB of addresses
/// aside, if only for a moment.
const SPARE: u64 = 96 << 20;

/// Checks that the system has memory left for everything else, after something large was
/// taken that can be done without.
///
/// The system is asked what is left, and nothing is taken to find out: another thread may
/// want a small piece at the same moment, and would not get it.
pub(crate) fn leave_spare() -> Result<(), Refused> {
    match memory_left() {
        Some(left) if left < SPARE => Err(Refused::of(SPARE)),
        _ => Ok(()),
    }
}

impl<T: Zeroed> Pages<T> {
    /// `len` zeroed values.
    ///
    /// # Errors
    /// When the system has no room for them.
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
            // No mapping begins at address 0.
            if let Some(start) = NonNull::new(map.as_mut_ptr().cast()) {
                return Ok(Pages { start, len, map: Some(map) });
            }
        }
        let mut values = Vec::<T>::new();
        values.try_reserve_exact(len).map_err(|error| refused(&error))?;
        Ok(Pages::boxed(values, len))
    }

    /// No values.
    pub(crate) fn none() -> Pages<T> {
        Pages::boxed(Vec::new(), 0)
    }

    /// Fills an empty vector that has room for `len` values.
    fn boxed(mut values: Vec<T>, len: usize) -> Pages<T> {
        assert!(values.is_empty() && values.capacity() >= len);
        #[cfg(loom)]
        values.extend((0..len).map(|_| T::fresh()));
        // SAFETY: the vector has room for `len` values, as asserted; `T: Zeroed` says
        // that the zeros which are written there are such values.
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

    /// Asks for huge pages, for a column that is read at random: with pages of
    /// 4 KiB almost every look at it costs a walk through the page tables on top of
    /// the cache miss. What lies at the beginning stays in small pages: a column of which
    /// little is used would pay for a huge one, which takes a third of a millisecond to clear.
    pub(crate) fn in_huge_pages(self) -> Pages<T> {
        // No more than advice: small pages do as well, only slower.
        #[cfg(all(target_os = "linux", not(any(loom, miri))))]
        if let Some(map) = &self.map {
            let small = map.len().min(HUGE);
            let _ = map.advise_range(memmap2::Advice::NoHugePage, 0, small);
            let _ = map.advise_range(memmap2::Advice::HugePage, small, map.len() - small);
        }
        self
    }

    /// Has the pages fetched that some of the values lie in, because these will be
    /// written next.
    pub(crate) fn populate(&self, values: Range<usize>) {
        // No more than advice: without it, or on older systems, each page comes
        // when it is touched.
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
        // SAFETY: `start` points to `len` values, in a box that `drop` alone takes
        // back, or in a mapping that is private to this process, begins on a page
        // boundary, has room for them, was zeroed, which makes it values of `T`, and
        // lives as long as `self`. They are reached through shared references only.
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

/// A system that has only so much memory left, for tests and models.
#[cfg(any(test, loom))]
pub(crate) mod scarcity {
    use std::cell::Cell;

    std::thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Leaves this many bytes for what this thread, or a model that runs on it, asks for.
    pub(crate) fn leave(bytes: usize) {
        LEFT.set(bytes);
    }

    /// Takes bytes, if they are left.
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
        // More than there are addresses, which Miri would look for, and more bytes than a
        // number can say.
        let lengths = [usize::MAX / 2, usize::MAX / 32];
        for &len in &lengths[..if cfg!(miri) { 1 } else { 2 }] {
            let Err(refused) = Pages::<AtomicU32>::zeroed(len) else { panic!("{len} values") };
            assert!(refused.bytes > 1 << 60);
            assert!(!refused.why.is_empty());
        }
    }
}
