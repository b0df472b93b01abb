//! What the integration tests share: games that are trees drawn at random, an
//! oracle that solves them by exhaustion, and the checks of a report against it.

#![allow(dead_code, reason = "every test file uses its own part")]

pub mod check;
pub mod dice;
pub mod oracle;
pub mod random_game;
