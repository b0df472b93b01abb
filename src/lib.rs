//! Multithreaded lock-free game-tree search with proofs.
//!
//! All worker threads share one tree. Playouts (UCT with a proof-number bias, GPN-MCTS), proof
//! numbers for every player, proven values (MCTS-Solver) and score intervals (Score-Bounded MCTS)
//! are stored in the same nodes, and all threads update them at once, without locks. A search ends
//! when its budget is spent or its goal is proven.
//!
//! Implement [`Game`] for your rules, then:
//!
//! ```
//! use proofwood::{Budget, Config, Game, Search, Turn, Value};
//!
//! /// The players take one to three sticks in turn; the player who takes the last one wins.
//! struct Sticks(u32);
//!
//! impl Game for Sticks {
//!     type State = (u32, usize); // sticks left, player to move
//!     type Move = u32;
//!
//!     fn initial_state(&self) -> (u32, usize) {
//!         (self.0, 0)
//!     }
//!     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
//!         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
//!     }
//!     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
//!         moves.extend(1..=sticks.min(3));
//!     }
//!     fn play(&self, state: &mut (u32, usize), taken: u32) {
//!         *state = (state.0 - taken, 1 - state.1);
//!     }
//!     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
//!         if player == mover { -1 } else { 1 } // the mover found no stick
//!     }
//!     fn payoff_range(&self, _: usize) -> std::ops::RangeInclusive<i32> {
//!         -1..=1
//!     }
//!     fn zero_sum(&self) -> bool {
//!         true
//!     }
//! }
//!
//! let game = Sticks(10);
//! let position = game.initial_state();
//! let mut search = Search::new(game, position, Config::default().threads(2))?;
//! let report = search.search(&Budget::default().playouts(100_000))?;
//! assert_eq!(report.proven, Value::Win);
//! assert_eq!(report.best_move, Some(2)); // leaves a multiple of four
//! # Ok::<(), proofwood::SearchError>(())
//! ```
//!
//! # Where to look
//!
//! | task | items |
//! |---|---|
//! | a game of your own | [`Game`], [`Turn`], [`Outcome`]; one to [`MAX_PLAYERS`] players |
//! | check the rules | [`check_rules`], [`rules`] |
//! | dice and other chance | [`Game::has_chance`]; [`Expected`]: proven bounds of a mean |
//! | the move to play | [`search()`] in one call; [`Search`] for repeated and background searches |
//! | configuration and limits | [`Config`], [`OPTIONS`](options::OPTIONS); [`Budget`], [`CancelToken`] |
//! | results | [`Report`], [`MoveReport`], [`Value`], [`Bounds`], [`StopReason`] |
//! | observe a running search | [`Search::watcher`], [`Watcher`]; [`Search::on_end`] calls a hook at the end |
//! | save and load a tree | [`Search::save_tree`], [`Search::load_tree`] |
//! | the tree below the root | [`Search::tree`], [`NodeView`](inspect::NodeView) |
//! | errors | [`SearchError`], [`ConfigError`](error::ConfigError), [`GameError`](error::GameError), [`EvaluatorError`](error::EvaluatorError) |
//! | whole games | [`Search::advance`] keeps the tree; [`Clock`] allots time; [`Budget::pondering`] |
//! | many leaves in one call | [`BatchEvaluator`](evaluate::BatchEvaluator), [`Search::with_batches`] |
//! | the same tree on any number of threads | [`Search::repeatable`] |
//! | leaf values of your own | [`RolloutPolicy`](evaluate::RolloutPolicy) for playouts ([`Search::with_rollout_policy`]), [`Evaluator`](evaluate::Evaluator) for everything else ([`Search::with_evaluator`]) |
//! | a proof of the winner | [`prove()`], [`ProofSearch`]; [`ProverConfig`] selects the prover; [`ProofReport`] |
//! | the shortest win, proven | [`shortest_win`](prover::shortest_win), [`ShortestWin`](prover::ShortestWin) |
//! | a certificate of a proof | [`ProofSearch::certify`], [`Search::certify`]; [`certificate`] checks it |
//! | verify a tree | [`Search::audit`], [`Audit`](inspect::Audit) |
//!
//! The root has the items that most users need. The others are in modules:
//!
//! | module | contents |
//! |---|---|
//! | [`evaluate`] | rollouts and their policies, evaluators of your own, batches of leaves |
//! | [`prover`] | questions and their answers, shortest wins, tables that provers share |
//! | [`options`] | all options with ranges and defaults; values that single options take |
//! | [`inspect`] | nodes of a tree, and its audit |
//! | [`rules`], [`error`], [`certificate`] | the check of your rules; all errors; proofs as files |
//!
//! `examples/` has a program for most of these tasks. The book in `docs/` teaches them one by one
//! and explains the engine.
//!
//! # Stability
//!
//! Enums and structs that may grow are `#[non_exhaustive]`: create configurations with their
//! methods; reports are read-only. These types are complete, and open to matching and construction:
//! [`Turn`] and [`Outcome`], [`Question`](prover::Question), [`Side`](prover::Side) and
//! [`Verdict`], [`Bounds`], and among certificates [`Claim`](certificate::Claim) and
//! [`Promise`](certificate::Promise). Only searches create a [`Context`](evaluate::Context), which
//! may get more fields. New methods of [`Game`] and [`Evaluator`](evaluate::Evaluator) will have
//! defaults. The interface contains no types of crates outside this project. Certificates remain
//! readable: their format has its own [version](certificate::VERSION).

// Items used only by certificates or PPNS stay in their natural modules, even in other builds.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    any(
        not(all(feature = "certificates", feature = "cpu-time", feature = "ppns")),
        target_family = "wasm"
    ),
    allow(dead_code, unused_imports, unused_variables, unreachable_code)
)]

// From the lowest to the highest; each imports only from those before it: math, sync, memory, game,
// bounds, error, settings, threads, rules, tree, prove, select, playout, search, certify.
mod bounds;
#[cfg(feature = "certificates")]
mod certify;
pub mod error;
mod game;
mod math;
mod memory;
#[cfg(all(test, loom))]
#[path = "../loom-tests/mod.rs"]
mod models;
mod playout;
mod prove;
pub mod rules;
#[cfg(feature = "certificates")]
mod saved;
mod search;
mod select;
mod settings;
mod sync;
mod threads;
mod tree;

pub use bounds::{Bounds, Expected, ProofNumber, Value};
pub use error::SearchError;
pub use game::{
    DomainKnowledge, Game, MAX_PLAYERS, NoKnowledge, Outcome, Recommended, StaticBound, TextError,
    Turn, line_text,
};
pub use math::Rng;
#[cfg(feature = "certificates")]
#[doc(inline)]
pub use proofwood_certificate as certificate;
pub use prove::{ProofReport, ProofSearch, Verdict, prove};
pub use rules::check_rules;
pub use search::{MoveReport, Report, Search, search};
pub use settings::{
    Algorithm, Budget, CancelToken, Clock, Config, Goal, ProofGoal, ProverConfig, SettingInForce,
    Source, StopReason,
};
pub use threads::Watcher;

/// The evaluation of leaves: rollouts and their policies, custom evaluators, and batches.
pub mod evaluate {
    pub use crate::playout::{
        BatchContext, BatchEvaluator, Batching, Context, DefaultRollout, Evaluated, Evaluator,
        Informed, Leaf, LeafEvaluation, NoValue, PolicyRollout, RandomRollout, Rollout,
        RolloutPolicy, Rollouts, UniformRandom, Workspace,
    };
    pub use crate::search::PolicyTarget;
}

/// The nodes of a search's tree, and its audit.
pub mod inspect {
    #[cfg(feature = "certificates")]
    pub use crate::saved::SavedError;
    pub use crate::search::{NodeStage, NodeView, TreeReader};
    pub use crate::tree::Audit;
}

/// All options with their ranges and defaults, and the types of some values.
///
/// [`Config`] and [`ProverConfig`] contain the values.
pub mod options {
    pub use crate::settings::{
        Bias, Leaves, OPTIONS, OptionSpec, OptionValues, PROVER_OPTIONS, PlayoutPolicy, Source,
        VirtualLoss, read_bytes,
    };
}

/// Questions and their answers, shortest wins, and tables that searches share.
///
/// [`prove()`] and [`ProofSearch`] are at the root.
pub mod prover {
    pub use crate::prove::{Asked, Effort, Question, RootNumbers, ShortestWin, Side, shortest_win};
    #[cfg(feature = "certificates")]
    pub use crate::prove::{SharedEntries, SharedEntry};
}

/// Items that are not part of the public interface, but are used by this project's programs. They
/// may change at any time.
#[doc(hidden)]
pub mod internals {
    pub use crate::bounds::Fixed;
    pub use crate::memory::machine_memory;
    pub use crate::playout::{Batches, bare_playouts, bare_rollouts};
    pub use crate::threads::Counters;
}

/// A simulation of many workers on few cores.
///
/// It counts playouts, proofs and lost work as with the simulated number of threads, but shows
/// nothing about speed. Requires the feature `logical`.
///
/// ```
/// use proofwood::{Budget, Config, Game, logical, search};
/// # use proofwood_testkit::sticks::Sticks;
/// let game = Sticks(10);
/// let position = game.initial_state();
/// logical::run_few(Some(1), 7);
/// let report = search(game, position, Config::default().threads(64), &Budget::default())?;
/// assert!(report.proven.is_decided());
/// assert!(logical::take_measured().hand_overs > 0);
/// # Ok::<(), proofwood::SearchError>(())
/// ```
#[cfg(all(not(loom), feature = "logical"))]
pub mod logical {
    pub use crate::sync::logical::{Measured, run_few, take_measured};
}

/// Compiles and runs the README's code as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Compiles and runs the code of the book's page on time as doc tests. The other pages include code
/// from `examples/`.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/time.md")]
struct TimeControl;
