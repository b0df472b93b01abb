//! The commands, each in its own file or folder. No command imports another.

pub mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod games;
#[cfg(feature = "machines")]
pub mod machines;
#[cfg(not(feature = "machines"))]
#[path = "no_machines.rs"]
pub mod machines;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod scale;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tune;
