//! Loom models of Proofwood's concurrency rules, run on the library's own code.
//!
//! Loom runs a model again and again, until it has tried every interleaving of
//! its threads (up to a number of preemptions) and every value that a relaxed
//! load may answer. The models are in `tests/models/`; they exist in builds with
//! `RUSTFLAGS="--cfg loom"` alone, which `cargo xtask loom` makes. In ordinary
//! builds this crate is empty.
//!
//! Each rule has a model that completes and a failing twin: the same model, with
//! that one rule broken, must fail. A model that is cut short has failed too.

#[cfg(loom)]
mod check;
#[cfg(loom)]
pub use check::{Model, fails, holds};
