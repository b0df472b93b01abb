//! Code shared by the programs that search and prove.
//!
//! All modules use games whose type is erased ([`proofwood_any_game`]), so the code is compiled
//! once for all games.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@bench`] | measurements of speed and of the gain from threads |
//! | [`contest`] | games between configurations |
//! | [`files`] | files that are written |
//! | [`input`] | games, positions and options as text |
//! | [`json`] | what `--json` prints |
//! | [`review`] | reviews of played games |
//! | [`solving`] | proofs, trees and results in files |
//! | [`words`] | answers, numbers and players as people read them |
#![forbid(unsafe_code)]

pub mod bench;
pub mod contest;
pub mod files;
pub mod input;
pub mod json;
pub mod review;
pub mod solving;
mod trouble;
mod wording;
pub mod words;

pub use trouble::{Ended, Trouble, cut};
