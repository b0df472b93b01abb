//! The lists of blocks that nobody uses, as an arena has them; `free.rs` has their rules.

use crate::sync::{AtomicBool, AtomicU64, Ordering};

/// Consecutive nodes that nobody uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// A stack of spans: the index of the top one, whose generation stands above
/// it. 0, which is the root's index and no span's, is the end.
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

/// The stacks of an arena.
pub(super) struct Lists {
    /// Spans of each size up to [`LARGEST`]; the first holds those beyond.
    pub(super) sizes: Box<[Stack]>,
    /// Something was freed once: until then nobody looks.
    pub(super) any: AtomicBool,
    /// Blocks that cannot be reached and have not been swept.
    pub(super) detached: Stack,
}

/// The largest size with a list of its own.
pub(super) const LARGEST: usize = if cfg!(loom) { 2 } else { 1024 };

impl Lists {
    pub(super) fn new() -> Lists {
        Lists {
            sizes: (0..=LARGEST).map(|_| Stack::new()).collect(),
            any: AtomicBool::new(false),
            detached: Stack::new(),
        }
    }

    /// Whether anything was ever freed. Relaxed: who does not see it takes fresh memory.
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    pub(super) fn of(&self, count: u32) -> &Stack {
        let count = count as usize;
        &self.sizes[if count <= LARGEST { count } else { 0 }]
    }
}
