//! Multithreaded lock-free game-tree search with proofs.
//!
//! One tree is shared by all worker threads. Playouts (UCT with a proof-number
//! bias, GPN-MCTS), proof numbers for every player, proven values
//! (MCTS-Solver) and score intervals (Score-Bounded MCTS) live in the same
//! nodes and are kept up by all threads at once, without locks. A search ends
//! when its budget is spent or, at once, when its question is settled.
//!
//! Implement [`Game`] for your rules, then:
//!
//! ```
//! use proofwood::{Budget, Config, Game, Search, Turn, Value};
//!
//! /// Take one, two or three of the sticks; who takes the last one wins.
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
//! assert_eq!(report.value, Value::Win);
//! assert_eq!(report.best_move, Some(2)); // leaves a multiple of four
//! # Ok::<(), proofwood::SearchError>(())
//! ```
//!
//! # Where to look
//! - [`Game`]: what the engine asks of rules; [`Evaluator`] and [`Playout`]:
//!   how leaves are valued.
//! - [`prove()`] and [`ProofSearch`]: provers, which play nothing out;
//!   [`ProverConfig`]: which and how; [`ProofReport`]: what comes back.
//! - [`Search`] and [`search()`]: run it; [`Config`] and [`OPTIONS`]: how;
//!   [`Budget`]: how long; [`Report`]: what comes back.
//! - [`Game::has_chance`] and [`Chance`]: dice and the like; [`Expected`]: what
//!   is proven of a mean.
//! - [`Search::advance`] plays a move and keeps the tree below it; [`Clock`]
//!   says how long to think: what it takes to play whole games.
//! - The modules `tree` and `tree::backup` in the source open with the rules by
//!   which threads share the tree; `docs/` explains them at length.

#[cfg(test)]
extern crate self as proofwood;

mod bias;
mod budget;
pub mod certificate;
mod chance;
mod clock;
mod config;
mod contract;
mod control;
mod coordinator;
mod decided;
mod error;
mod evaluate;
mod fixed;
mod game;
mod interval;
mod log_odds;
mod logarithm;
#[cfg(loom)]
#[doc(hidden)]
pub mod model;
mod open_loop;
mod prepare;
mod proof_number;
mod prove;
mod report;
mod rng;
mod score;
mod search;
mod select;
mod settled;
mod shared;
mod shared_game;
#[cfg(not(loom))]
mod sync;
#[cfg(loom)]
#[doc(hidden)]
pub mod sync;
mod trail;
mod tree;
mod worker;

pub use bias::Bias;
pub use budget::{Budget, CancelToken, StopReason};
pub use clock::Clock;
pub use config::{
    Chance, ChanceSampling, Config, ConfigError, FinalMove, FirstPlay, OPTIONS, OptionSpec,
    VirtualLoss, read_bytes,
};
pub use error::SearchError;
pub use evaluate::{
    Context, Evaluator, Playout, Policy, RandomPlayout, UniformRandom, bare_playouts,
};
pub use fixed::{Expected, Fixed};
pub use game::{Foreseen, Game, MAX_PLAYERS, Outcome, TextError, Turn};
pub use proof_number::ProofNumber;
pub use prove::{
    Algorithm, Asked, CheckpointError, Effort, ProofGoal, ProofReport, ProofSearch, ProverConfig,
    Question, Side, Verdict, prove,
};
pub use report::{Bounds, MoveReport, Report, Value};
pub use rng::Rng;
pub use search::{Search, search};
pub use tree::{Audit, Goal, Inconsistency};

/// The README's code is compiled and run like every other example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// And the book's pages with code.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/time.md")]
struct TimeControl;
