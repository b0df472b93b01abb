//! Formats numbers and results for people.

pub mod numbers;
pub mod players;
