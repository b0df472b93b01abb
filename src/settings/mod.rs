//! The settings that callers choose: configurations, goals, budgets and clocks.

mod bias;
mod budget;
mod clock;
mod goal;
mod options;
mod prover;
mod resolved;
mod search;

pub use bias::Bias;
pub(crate) use bias::{Extent, INFINITE};
pub use budget::{Budget, CancelToken, StopReason};
pub use clock::Clock;
pub use goal::Goal;
pub use options::{OptionSpec, OptionValues, read_bytes};
pub(crate) use prover::USUAL_STACK;
pub use prover::{Algorithm, PROVER_OPTIONS, ProofGoal, ProverConfig};
pub(crate) use resolved::{Decided, MOST_MOVES, Resolved};
pub use resolved::{SettingInForce, Source};
pub use search::{Config, Leaves, OPTIONS, PlayoutPolicy, VirtualLoss};
