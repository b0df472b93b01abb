//! An arena alone.

use super::ModelSlab;
use crate::tree::{Arena, Columns};

/// An arena alone.
pub struct ModelArena(Arena);

impl ModelArena {
    /// An arena with room for `nodes` nodes, the root's included.
    pub fn new(nodes: u64) -> ModelArena {
        match Arena::new(Columns { proof_numbers: 1, ..Columns::default() }, nodes) {
            Ok(arena) => ModelArena(arena),
            Err(_) => panic!("an arena needs room for its root"),
        }
    }

    /// Reserves a block; returns the indices of its nodes, `None` when the
    /// arena is full.
    pub fn reserve(&self, slab: &mut ModelSlab, count: usize) -> Option<std::ops::Range<u32>> {
        let reservation = self.0.reserve(&mut slab.0, count).ok()?;
        let block = self.0.fresh(&reservation);
        Some(block.index(0)..block.index(count - 1) + 1)
    }

    /// Reserves a block and gives it up at once; returns whether there was one.
    pub fn take_and_give_up(&self, slab: &mut ModelSlab, count: usize) -> bool {
        let Ok(block) = self.0.reserve(&mut slab.0, count) else { return false };
        self.0.give_up(&mut slab.0, block);
        true
    }

    /// Frees a block.
    pub fn free(&self, block: std::ops::Range<u32>) {
        self.0.free_block(block.start, block.end - block.start);
    }

    /// Takes a free block of this size.
    pub fn take(&self, size: u32) -> Option<std::ops::Range<u32>> {
        let first = self.0.take_block(size)?;
        Some(first..first + size)
    }

    /// Frees the rest of a slab.
    pub fn give_back(&self, slab: &mut ModelSlab) {
        self.0.give_back(&mut slab.0);
    }

    /// Nodes in use.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Always false: the root is in use.
    pub fn is_empty(&self) -> bool {
        false
    }
}
