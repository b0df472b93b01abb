//! Measurement tools for benchmarks: clocks, statistics of a few samples, memory, and a counting
//! allocator.

mod clock;
mod counting;
mod memory;
mod pace;
mod statistics;

pub use clock::{Clock, Took};
pub use counting::{Allocations, Counting};
pub use memory::{peak_bytes, resident_bytes};
pub use pace::Pace;
pub use statistics::{geometric_mean, median, percentile, spread, wilson};
