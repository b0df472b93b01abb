//! Proofwood.
#![deny(missing_docs)]
mod game;
mod rng;
pub use game::{Game, MAX_PLAYERS, Outcome, TextError, Turn};
pub use rng::Rng;
