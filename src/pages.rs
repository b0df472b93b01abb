//! Columns of zeroed memory, whose pages come when they are wanted.
//!
//! The system hands out large zeroed memory without pages behind it, so a column
//! costs only what is used of it. Each page is fetched when it is first touched,
//! which takes the processor longer than a playout, and twice as long when it was
//! read before it is written. Who knows what will be written next can have the
//! pages fetched together, for a fraction of that.

use crate::interval::{AtomicInterval, AtomicSpan};
use crate::proof_number::AtomicProofNumber;
use crate::prove::TableBucket;
use crate::settled;
use crate::sync::{AtomicF64, AtomicU16, AtomicU32, UnsafeCell};
use crate::tree::Node;
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

macro_rules! zeroed {
    ($type:ty, $fresh:expr) => {
        // SAFETY: std atomic integers, or a struct of them, for which zero is a value.
        unsafe impl Zeroed for $type {
            #[cfg(loom)]
            fn fresh() -> Self {
                $fresh
            }
        }
    };
}

zeroed!(Node, Node::new());
zeroed!(AtomicProofNumber, AtomicProofNumber::new());
zeroed!(AtomicInterval, AtomicInterval::new());
zeroed!(AtomicSpan, AtomicSpan::new());
zeroed!(AtomicU16, AtomicU16::new(0));
zeroed!(AtomicU32, AtomicU32::new(0));
zeroed!(settled::Bucket, settled::Bucket::new());
zeroed!(TableBucket, TableBucket::new());

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

/// Zeroed values, as many as were asked for.
#[derive(Debug)]
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    len: usize,
    /// Where the values lie; else in a box.
    #[cfg(not(any(loom, miri)))]
    map: Option<memmap2::MmapMut>,
}

// SAFETY: `Pages` owns its values as a box would.
unsafe impl<T: Zeroed + Send> Send for Pages<T> {}
// SAFETY: it gives out nothing but shared references to them.
unsafe impl<T: Zeroed + Sync> Sync for Pages<T> {}

/// From so many bytes on, memory is mapped.
#[cfg(not(any(loom, miri)))]
const LARGE: usize = 1 << 16;

impl<T: Zeroed> Pages<T> {
    /// `len` zeroed values.
    pub(crate) fn zeroed(len: usize) -> Pages<T> {
        // A box aborts the program where there is no room.
        Pages::try_zeroed(len).unwrap_or_else(|_| Pages::boxed(len))
    }

    /// The same, or an error where the system has no room.
    pub(crate) fn try_zeroed(len: usize) -> std::io::Result<Pages<T>> {
        #[cfg(not(any(loom, miri)))]
        if let Some(bytes) = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LARGE) {
            const { assert!(align_of::<T>() <= 4096 && !std::mem::needs_drop::<T>()) };
            let mut map = memmap2::MmapMut::map_anon(bytes)?;
            // No mapping begins at address 0.
            if let Some(start) = NonNull::new(map.as_mut_ptr().cast()) {
                return Ok(Pages { start, len, map: Some(map) });
            }
        }
        Ok(Pages::boxed(len))
    }

    fn boxed(len: usize) -> Pages<T> {
        #[cfg(loom)]
        let values: Box<[T]> = (0..len).map(|_| T::fresh()).collect();
        // SAFETY: `T: Zeroed` says that zeroed memory is a valid `T`.
        #[cfg(not(loom))]
        let values = unsafe { Box::<[T]>::new_zeroed_slice(len).assume_init() };
        Pages {
            start: NonNull::from(Box::leak(values)).cast(),
            len,
            #[cfg(not(any(loom, miri)))]
            map: None,
        }
    }

    /// Asks for huge pages, for a column that is read at random: with pages of
    /// 4 KiB almost every look at it costs a walk through the page tables on top of
    /// the cache miss.
    pub(crate) fn in_huge_pages(self) -> Pages<T> {
        // No more than advice: small pages do as well, only slower.
        #[cfg(all(target_os = "linux", not(any(loom, miri))))]
        if let Some(map) = &self.map {
            let _ = map.advise(memmap2::Advice::HugePage);
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
        #[cfg(not(any(loom, miri)))]
        if self.map.is_some() {
            return;
        }
        let values = std::ptr::slice_from_raw_parts_mut(self.start.as_ptr(), self.len);
        // SAFETY: without a mapping the values came from a box of this length, and
        // no reference to them outlives `self`.
        drop(unsafe { Box::from_raw(values) });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::{AtomicU32, Ordering};

    #[test]
    fn values_are_zero_and_stay_what_they_are_made() {
        for len in [0, 1, 1000, 100_000] {
            let column = Pages::<AtomicU32>::zeroed(len).in_huge_pages();
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
        assert!(Pages::<AtomicU32>::try_zeroed(1 << 60).is_err());
    }
}
