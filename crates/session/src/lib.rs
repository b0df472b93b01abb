//! What programs that search and prove share.
//!
//! The program, its protocols and other machines deal in games whose type is forgotten
//! ([`proofwood_any_game`]), so that everything here is compiled once, however many games
//! there are.
//!
//! | module | contents |
//! |---|---|
//! | [`files`] | files that are written |
//! | [`input`] | games, positions and options as text |
//! | [`words`] | numbers and players as people read them |
#![forbid(unsafe_code)]

pub mod files;
pub mod input;
mod trouble;
mod wording;
pub mod words;

pub use trouble::{Ended, Trouble, cut};
