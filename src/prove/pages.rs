//! Zeroed memory for large tables, in huge pages where the system has them.
//!
//! A table is read at random, and in pages of 4 KiB almost every look at it
//! costs a walk through the page tables on top of the cache miss.

use crate::SearchError;
use crate::prove::table::Bucket;
use crate::tree::zeroed_column;
use std::ops::Deref;

/// Buckets that were never written.
pub(crate) enum Buckets {
    Boxed(Box<[Bucket]>),
    #[cfg(not(any(loom, miri)))]
    Mapped {
        map: memmap2::MmapMut,
        len: usize,
    },
}

/// From so many bytes on, memory is mapped.
#[cfg(not(any(loom, miri)))]
const LARGE: usize = 4 << 20;

impl Buckets {
    /// So many of them, or an error when the system has no room.
    pub(crate) fn new(len: usize) -> Result<Buckets, SearchError> {
        #[cfg(not(any(loom, miri)))]
        if let Some(bytes) = len.checked_mul(size_of::<Bucket>()).filter(|&bytes| bytes >= LARGE) {
            let map = memmap2::MmapMut::map_anon(bytes).map_err(|error| {
                SearchError::Allocation { bytes: bytes as u64, why: error.to_string() }
            })?;
            // No more than advice: small pages do as well, only slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Ok(Buckets::Mapped { map, len });
        }
        Ok(Buckets::Boxed(zeroed_column(len)))
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline]
    fn deref(&self) -> &[Bucket] {
        match self {
            Buckets::Boxed(buckets) => buckets,
            #[cfg(not(any(loom, miri)))]
            Buckets::Mapped { map, len } => {
                // SAFETY: the mapping is private to this process, has
                // `len * size_of::<Bucket>()` bytes, starts on a page boundary,
                // and lives as long as `self`. It is zeroed at first, which is
                // a value of a struct of atomic integers, and only ever reached
                // through them.
                unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), *len) }
            }
        }
    }
}
