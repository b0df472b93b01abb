//! The lists of unused blocks in an arena; `free.rs` states their rules.

use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// Consecutive nodes that are not in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// A stack of spans: the low half of the word is the index of the top span, the high half the
/// generation. Index 0, which belongs to the root, marks the end.
#[derive(Debug)]
pub(super) struct Stack(pub(super) AtomicU64);

impl Stack {
    pub(super) fn new() -> Stack {
        Stack(AtomicU64::new(0))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) as u32 == 0
    }
}

pub(super) struct Lists {
    /// Spans of each size up to [`LARGEST`]; the first list contains larger spans.
    pub(super) sizes: Box<[Stack]>,
    /// Whether anything was ever freed; until then the lists are not searched.
    pub(super) any: AtomicBool,
    /// Unreachable blocks that have not been reclaimed yet.
    pub(super) detached: Stack,
}

/// The largest size that has its own list.
pub(super) const LARGEST: usize = if cfg!(loom) { 2 } else { 1024 };

impl Lists {
    pub(super) fn new() -> Lists {
        Lists {
            sizes: (0..=LARGEST).map(|_| Stack::new()).collect(),
            any: AtomicBool::new(false),
            detached: Stack::new(),
        }
    }

    /// Whether anything was ever freed. The load is relaxed: a thread that does not see the change
    /// yet only takes fresh memory instead.
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    pub(super) fn of(&self, count: u32) -> &Stack {
        let count = count as usize;
        &self.sizes[if count <= LARGEST { count } else { 0 }]
    }
}
