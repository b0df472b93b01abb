//! The door through which the loom models reach the library's own code.
//!
//! Nothing here is a copy of what it stands for: a model says what its threads
//! do, and these functions call what the workers call. Built with `--cfg loom`
//! alone, and no part of the library's interface.

mod arena;
mod batches;
mod bounds;
mod search;
mod tables;
mod tree;

pub use crate::sync::FORKS;
pub use arena::ModelArena;
pub use batches::ModelQueue;
pub use bounds::{ModelEnds, ModelInterval, ModelSpan};
pub use search::{ModelSearch, ModelStopper};
pub use tables::{ModelNews, ModelTable, ModelTranspositions, OpenKind};
pub use tree::{
    CHANCE, Expansion, ModelClaim, ModelNotes, ModelSlab, ModelTrail, ModelTree, ModelWord, Shape,
};

/// Leaves this many bytes for what runs on this thread; `usize::MAX` leaves all.
pub fn leave_memory(bytes: usize) {
    crate::memory::scarcity::leave(bytes);
}
