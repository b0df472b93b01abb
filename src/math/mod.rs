//! Arithmetic on eight lanes at once, logarithms and log-odds that round the same on every machine,
//! small floats, hash mixing and random numbers.

#[cfg(target_arch = "x86_64")]
mod eight;
mod half;
mod lanes;
pub(crate) mod log_odds;

#[cfg(target_arch = "x86_64")]
pub(crate) use eight::{f32x8, i32x8};
pub(crate) use half::{from_half, to_half};
pub(crate) use lanes::{LANES, greatest, least, ln, nth_bit, unrolled};
pub(crate) use log_odds::CERTAIN;
pub use proofwood_game::Rng;
pub(crate) use proofwood_game::contract::{OneWord, mix_all_bits, strengthen_high_bits};
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use wide::{f32x8, i32x8};
