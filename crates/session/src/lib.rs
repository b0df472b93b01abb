//! What programs that search and prove share.
//!
//! The program, its protocols and other machines deal in games whose type is forgotten
//! ([`proofwood_any_game`]), so that everything here is compiled once, however many games
//! there are.
//!
//! | module | contents |
//! |---|---|
//! | [`contest`] | games between configurations |
//! | [`files`] | files that are written |
//! | [`input`] | games, positions and options as text |
//! | [`json`] | what `--json` prints |
//! | [`solving`] | proofs, trees and results in files |
//! | [`words`] | numbers and players as people read them |
#![forbid(unsafe_code)]

pub mod contest;
pub mod files;
pub mod input;
pub mod json;
pub mod solving;
mod trouble;
mod wording;
pub mod words;

pub use trouble::{Ended, Trouble, cut};
