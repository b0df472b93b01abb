//! Shared test tools of all crates: random games, oracles that solve them exhaustively, and checks
//! of a report against the oracle's answer.
//!
//! The library's unit tests see a second copy of the library's types, which are not those of this
//! crate. They can use only functions without these types in their signatures.
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
