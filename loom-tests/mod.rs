//! Loom models of the concurrency rules, run on the library's own code.
//!
//! Loom runs a model again and again, until it has tried every interleaving of
//! its threads (up to a number of preemptions) and every value that a relaxed
//! load may answer. The models are modules of the library's tests; they exist in
//! builds with `RUSTFLAGS="--cfg loom"` alone, which `cargo xtask loom` makes.
//!
//! Each rule has a model that completes and a failing twin: the same model, with
//! that one rule broken, must fail. A model that is cut short has failed too.

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
