//! The commands, a file or a folder each. None knows another.

pub(crate) mod analyze;
pub mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod gtp;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod review;
pub mod scale;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod status;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod work;
