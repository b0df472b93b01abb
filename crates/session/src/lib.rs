//! Code shared by the programs that search and prove.
//!
//! All modules use type-erased games ([`proofwood_any_game`]), so the code is compiled only once
//! for all games.
//!
//! | module | contents |
//! |---|---|
//! | [`mod@bench`] | measurements of speed and of the gain from threads |
//! | [`contest`] | games between configurations or against other programs |
//! | [`files`] | files that the programs write |
//! | [`input`] | games, positions and options as text |
//! | [`json`] | the output of `--json` |
//! | [`review`] | reviews of played games |
//! | [`solving`] | solvers, and proofs, trees and results in files |
//! | [`words`] | answers, numbers and players formatted for users |
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
