//! Formats numbers, answers and results for users.

pub mod answers;
pub mod claims;
pub mod games;
pub mod numbers;
pub mod players;
pub mod proofs;
