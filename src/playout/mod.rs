//! Playouts: the descent, the expansion or evaluation at its end, and the backup of the value.

mod background;
mod bare;
mod batch;
mod chance;
mod context;
mod cut_off;
mod ending;
mod evaluate;
mod evaluation;
mod final_move;
mod path_cache;
mod pointers;
mod priors;
mod repeats;
mod rollout;
mod run;
mod shared;
mod solved;
#[cfg(all(test, not(loom)))]
mod tests;
mod turns;
mod visit;
mod worker;
mod worth;

pub(crate) use background::{BACKGROUND_SHARE, BackgroundProver, Proven};
pub use bare::{bare_playouts, bare_rollouts};
pub(crate) use batch::Spread;
pub use batch::{BatchContext, BatchEvaluator, Batches, Batching, Leaf};
#[cfg(loom)]
pub(crate) use batch::{Queue, Request};
pub(crate) use chance::read_weights;
pub use context::Context;
pub(crate) use context::Utility;
pub(crate) use ending::plies_to_win;
pub use evaluate::{Evaluated, Evaluator};
pub use evaluation::{NoValue, Workspace};
pub(crate) use final_move::{drawn_move, final_move};
#[cfg(all(test, loom))]
pub(crate) use path_cache::{Outset, PathCache, probe};
pub use rollout::{
    DefaultRollout, Informed, LeafEvaluation, PolicyRollout, RandomRollout, Rollout, RolloutPolicy,
    Rollouts, UniformRandom,
};
pub(crate) use run::WorkerEnd;
pub(crate) use shared::SharedSearch;
pub(crate) use solved::{SolvedTable, TABLE_SHARE};
pub(crate) use visit::{list_children, read_payoffs};
pub(crate) use worker::Worker;
