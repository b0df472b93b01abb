//! One playout: the way down, the rules at its end, the value, and the way back.

mod background;
mod batch;
mod chance;
mod decided;
mod ending;
mod evaluate;
mod expand;
mod final_move;
mod finish;
mod lazy_expansion;
mod leaves;
mod path_cache;
mod policy;
mod priors;
mod remember;
mod repeats;
mod rollout;
mod settled;
mod shared;
mod turns;
mod visit;
mod worker;

#[cfg(all(test, not(loom)))]
mod tests;

pub(crate) use background::{BACKGROUND_SHARE, BackgroundProver, Proven};
pub(crate) use batch::Spread;
pub use batch::{BatchContext, BatchEvaluator, Batches, Batching, Leaf};
#[cfg(loom)]
pub(crate) use batch::{Queue, Request};
pub(crate) use ending::plies_to_win;
pub(crate) use evaluate::Utility;
pub use evaluate::{Context, Evaluator, NoValue, Workspace};
pub(crate) use expand::{list_children, read_payoffs, read_weights};
pub(crate) use final_move::{drawn_move, final_move};
pub(crate) use lazy_expansion::expands_lazily;
pub use leaves::{Evaluated, LeafEvaluation, Rollouts};
#[cfg(all(test, loom))]
pub(crate) use path_cache::{Outset, PathCache, probe};
pub use policy::{Informed, RolloutPolicy, UniformRandom};
pub use rollout::{
    DefaultRollout, PolicyRollout, RandomRollout, Rollout, bare_playouts, bare_rollouts,
};
pub(crate) use settled::{SettledTable, TABLE_SHARE};
pub(crate) use shared::SharedSearch;
pub(crate) use worker::{Worker, WorkerEnd};
