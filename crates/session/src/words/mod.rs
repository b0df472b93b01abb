//! Formats numbers and results for users.

pub mod numbers;
pub mod players;
