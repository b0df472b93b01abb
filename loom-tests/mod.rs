//! Loom models of the concurrency rules; they run the library's own code.
//!
//! Loom runs a model repeatedly, until it has tried every interleaving of its threads (up to a
//! number of preemptions) and every value that a relaxed load may return. The models are test
//! modules of the library. They exist only in builds with `RUSTFLAGS="--cfg loom"`, such as those
//! of `cargo xtask loom`.
//!
//! Each rule has a model that completes and a failing twin: the same model with that rule broken. A
//! model that is cut short counts as failed.

mod check;
mod setting;
mod whole;

mod arena;
mod backup;
mod batches;
mod bounds;
mod carried;
mod chance;
mod climbing;
mod expansion;
mod explorer;
mod guards;
mod path;
mod pause;
mod proof;
mod provers;
mod publication;
mod ranks;
mod search;
mod sweep;
mod table;
mod tries;
