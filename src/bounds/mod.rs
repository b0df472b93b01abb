//! What is known of a payoff: proof numbers, intervals, means, values.

mod atomic_interval;
mod fixed;
mod interval;
mod proof_number;
mod span;
mod value;

pub(crate) use atomic_interval::AtomicInterval;
pub use fixed::Fixed;
pub(crate) use interval::Interval;
pub use proof_number::ProofNumber;
pub(crate) use proof_number::{AtomicProofNumber, AtomicStatus, NumberCell};
pub use span::Expected;
pub(crate) use span::{AtomicSpan, Choice, Mean, Span};
pub(crate) use value::Prospect;
pub use value::{Bounds, Value};
