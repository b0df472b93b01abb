//! Arithmetic without a game: eight lanes at a time, logarithms that round the same on
//! every machine, log-odds, random numbers.

mod lanes;
pub(crate) mod log_odds;
mod logarithm;
mod rng;

pub(crate) use lanes::{LANES, greatest, least, nth_bit, unrolled};
pub(crate) use log_odds::CERTAIN;
pub(crate) use logarithm::ln;
pub use rng::Rng;
