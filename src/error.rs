//! Why a search could not be made or ended early.

use crate::config::ConfigError;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// An option cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A limit of the budget cannot be used.
    #[error("budget: {0}")]
    Budget(String),
    /// The memory does not hold the root and its children.
    #[error("the memory of {given} bytes is too small: this position needs at least {needed}")]
    Memory {
        /// Bytes given.
        given: u64,
        /// Bytes that the root and its children take.
        needed: u64,
    },
    /// The game broke the contract of [`Game`](crate::Game).
    #[error("the game broke its contract: {0}")]
    Game(String),
    /// Game or evaluator code panicked; the tree is consistent all the same.
    #[error("the game or the evaluator panicked: {0}")]
    Panic(String),
    /// Two proofs contradict each other at a node: a bug in the engine, or a
    /// game whose rules are not a function of its states.
    #[error("two proofs contradict each other at node {node}")]
    Contradiction {
        /// The node's index.
        node: u32,
    },
    /// The system gave no more threads.
    #[error("cannot start a thread: {0}")]
    Threads(String),
    /// The move cannot be played in the search's position.
    #[error("{0}")]
    Move(String),
    /// A search is already running.
    #[error("a search is already running: stop it or wait for it first")]
    Running,
    /// No search was started.
    #[error("no search is running: start one first")]
    NotRunning,
}
