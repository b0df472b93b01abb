//! Words for people.

pub mod numbers;
pub mod players;
