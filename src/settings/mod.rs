//! What a caller asks for: configurations, goals, budgets, clocks.

mod bias;
mod budget;
mod clock;
mod goal;
mod prover;
mod search;

pub use bias::Bias;
pub(crate) use bias::{Extent, INFINITE};
pub use budget::{Budget, CancelToken, StopReason};
pub use clock::Clock;
pub use goal::Goal;
pub use prover::{Algorithm, ProofGoal, ProverConfig};
pub(crate) use search::MAX_THREADS;
pub use search::{Chance, Config, FirstPlay, OPTIONS, OptionSpec, VirtualLoss, read_bytes};
