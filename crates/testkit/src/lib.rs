//! Shared tools for the tests of all crates: random games, oracles that solve them exhaustively,
//! and checks of a report against an oracle's solution.
//!
//! In the library's unit tests, this crate links another copy of the library, whose types differ
//! from those under test. Unit tests can therefore use only functions whose signatures do not
//! contain these types.
#![forbid(unsafe_code)]

pub mod asks;
pub mod best_play;
pub mod certificates;
pub mod check;
pub mod dice;
pub mod expectimax;
pub mod fuse;
pub mod graph;
pub mod guesses;
pub mod oracle;
pub mod random_game;
pub mod rounds;
pub mod sticks;
pub mod toy;
