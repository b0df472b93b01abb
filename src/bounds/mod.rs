//! Bounds on payoffs, as proof numbers, intervals, means and values.

mod atomic_interval;
mod counted;
mod fixed;
mod proof_number;
mod span;

pub(crate) use atomic_interval::AtomicInterval;
pub(crate) use counted::AtomicProofNumber;
pub use fixed::Fixed;
pub use proof_number::ProofNumber;
pub(crate) use proof_number::{AtomicStatus, NumberCell};
pub(crate) use proofwood_game::contract::{Contradiction, Interval, Prospect};
pub use proofwood_game::{Bounds, Value};
pub use span::Expected;
pub(crate) use span::{AtomicSpan, Choice, Mean, Span};
