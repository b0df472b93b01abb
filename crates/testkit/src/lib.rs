//! What the tests of all crates share: games drawn at random, oracles that solve
//! them by exhaustion, and checks of a report against the oracle's answer.
//!
//! The library's unit tests see a second copy of the library's types, which are not
//! those of this crate. They can use only what has none of them in its signature.
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
