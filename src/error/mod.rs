//! Errors of searches and provers.
//!
//! Each kind of cause has an enum, so that a program can distinguish causes without parsing
//! messages. Messages use the library's names (`Config::threads`); a program with other names can
//! match the variants and write its own messages.

pub use proofwood_game::GameError;
pub(crate) use proofwood_game::contract::panic_message;

use crate::game::TextError;
use crate::memory::Refused;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The reason why a search or a prover gives no answer.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SearchError {
    /// An option is invalid.
    Config(ConfigError),
    /// A limit of the budget is invalid.
    Budget(BudgetError),
    /// The memory limit is too small for the root and its children.
    Memory {
        /// The bytes that the configuration allows.
        given: u64,
        /// The bytes that the root and its children need.
        needed: u64,
    },
    /// The system refused the memory for a table or for the first nodes of a tree.
    Allocation {
        /// The bytes that were requested.
        bytes: u64,
        /// The system's message.
        why: String,
    },
    /// The game broke the contract of [`Game`](crate::Game).
    Game(GameError),
    /// The goal is [`Goal::Outcome`](crate::Goal::Outcome), but all payoffs in each player's range
    /// have the same outcome. By default, payoffs above 0 are wins.
    OneOutcome,
    /// The goal is [`Goal::Outcome`](crate::Goal::Outcome), but no payoff in any player's range is
    /// a loss, and every player won in all random playouts from the root, so that playouts carry no
    /// information.
    NobodyLoses,
    /// The evaluator failed, or broke the contract of [`Evaluator`](crate::evaluate::Evaluator).
    /// The tree remains consistent.
    Evaluator(EvaluatorError),
    /// Code of the game or the evaluator panicked with this message. The tree remains consistent.
    Panic(String),
    /// Two proofs contradict each other at a node. The engine has a bug, or the game's rules depend
    /// on more than its states.
    Contradiction {
        /// The node's index.
        node: u32,
    },
    /// An audit found a fault in the tree, due to a bug in the engine.
    Inconsistent(Inconsistency),
    /// The system refused to start a thread, with this message.
    Threads(String),
    /// The move is not legal in the search's position.
    Move(TextError),
    /// A search is already running.
    Running,
    /// No search has been started.
    NotRunning,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Config(error) => error.fmt(f),
            SearchError::Budget(error) => error.fmt(f),
            SearchError::Memory { given, needed } => write!(
                f,
                "a memory limit of {given} bytes is too small: this position needs at least \
                 {needed} bytes"
            ),
            SearchError::Allocation { bytes, why } => {
                write!(f, "cannot allocate {bytes} bytes: {why}")
            }
            SearchError::Game(what) => write!(f, "the game broke its contract: {what}"),
            SearchError::OneOutcome => f.write_str(
                "all payoffs of this game have the same outcome; set Goal::Score, or define in \
                 Game::outcome which payoffs win and which lose",
            ),
            SearchError::NobodyLoses => f.write_str(
                "every player wins in every playout, since no payoff of this game is a loss; set \
                 Goal::Score, return differences as payoffs, or define in Game::outcome which \
                 payoffs lose",
            ),
            SearchError::Evaluator(what) => write!(f, "the evaluator {what}"),
            SearchError::Panic(what) => write!(f, "the game or the evaluator panicked: {what}"),
            SearchError::Contradiction { node } => {
                write!(f, "two proofs contradict each other at node {node}")
            }
            SearchError::Inconsistent(what) => write!(f, "the tree is inconsistent: {what}"),
            SearchError::Threads(what) => write!(f, "cannot start a thread: {what}"),
            SearchError::Move(error) => error.fmt(f),
            SearchError::Running => {
                f.write_str("a search is already running; stop it or wait for it to end")
            }
            SearchError::NotRunning => f.write_str("no search is running; start one first"),
        }
    }
}

/// Writes the message, because a `main` that returns this error prints its `Debug` form.
impl fmt::Debug for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for SearchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SearchError::Config(error) => error.source(),
            SearchError::Budget(error) => error.source(),
            SearchError::Game(error) => Some(error),
            SearchError::Evaluator(error) => Some(error),
            SearchError::Inconsistent(error) => Some(error),
            SearchError::Move(error) => error.source(),
            _ => None,
        }
    }
}

macro_rules! from_causes {
    ($($variant:ident: $Cause:ty),*) => {
        $(impl From<$Cause> for SearchError {
            fn from(error: $Cause) -> SearchError {
                SearchError::$variant(error)
            }
        })*
    };
}

from_causes!(
    Config: ConfigError,
    Budget: BudgetError,
    Game: GameError,
    Inconsistent: Inconsistency
);

impl From<Refused> for SearchError {
    fn from(Refused { bytes, why }: Refused) -> SearchError {
        SearchError::Allocation { bytes, why }
    }
}

/// A difference between a tree at rest and its recomputation, due to a bug in the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inconsistency {
    /// The node's index.
    pub node: u32,
    /// The node's distance from the root, in moves.
    pub depth: usize,
    /// A description of the difference.
    pub what: String,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inconsistency { node, depth, what } = self;
        write!(f, "node {node} at depth {depth}: {what}")
    }
}

impl Error for Inconsistency {}

/// An invalid option of [`Config`](crate::Config) or [`ProverConfig`](crate::ProverConfig).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// The value is outside the option's range.
    Value {
        /// The option's field, such as `Config::threads`.
        option: &'static str,
        /// The invalid value, as text.
        given: String,
        /// The allowed values, such as `a number from 1 to 1024`.
        expected: String,
    },
    /// No option has this name.
    Unknown(String),
    /// `leaves` selects the game's static evaluation, but the game has none.
    NoEvaluation,
    /// `leaves` names a network file that cannot be used, for this reason.
    NoNetwork(String),
    /// The goal is the score, but score bounds are off.
    ScoreNeedsBounds,
    /// A precision is set for the prover with this name, which makes no estimates.
    PrecisionNeedsEstimates(&'static str),
    /// A shortest win requires a two-player zero-sum game without chance.
    ShortestNeedsTwo,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::Value { option, given, expected } => {
                write!(f, "{option}: '{given}' should be {expected}")
            }
            ConfigError::Unknown(what) => write!(f, "there is no option '{what}'"),
            ConfigError::NoEvaluation => f.write_str(
                "Config::leaves: this game has no static evaluation; use Leaves::Playouts, or \
                 pass an evaluator to Search::with_evaluator",
            ),
            ConfigError::NoNetwork(why) => write!(f, "Config::leaves: {why}"),
            ConfigError::ScoreNeedsBounds => f.write_str(
                "Config::goal: Goal::Score requires score_bounds, because only bounds prove a \
                 score",
            ),
            ConfigError::ShortestNeedsTwo => {
                f.write_str("shortest_win requires a two-player zero-sum game without chance")
            }
            ConfigError::PrecisionNeedsEstimates(what) => {
                write!(f, "ProverConfig::precision: {what} makes no estimates; use ppns or df-ppns")
            }
        }
    }
}

impl Error for ConfigError {}

/// An invalid limit of a [`Budget`](crate::Budget).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetError {
    /// The limit with this field's name, such as `playouts`, is 0, which would allow no search.
    Zero(&'static str),
    /// A prover's budget limits playouts, which provers do not run.
    Playouts,
}

impl fmt::Display for BudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BudgetError::Zero(what) => write!(f, "Budget::{what} should be greater than 0"),
            BudgetError::Playouts => {
                f.write_str("provers do not run playouts; limit the time or the nodes")
            }
        }
    }
}

impl Error for BudgetError {}

/// A failure of an [`Evaluator`](crate::evaluate::Evaluator), or a breach of its contract.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The evaluator returned an error of its own.
    Failed(ForeignError),
    /// The evaluator gave up although the search had not been stopped.
    GaveUp,
    /// A value is not a number from −1 to 1.
    Value {
        /// The player, from 0.
        player: usize,
        /// The invalid value.
        value: f32,
    },
    /// The two values of a zero-sum game do not add up to zero.
    ZeroSum(f32, f32),
    /// A move's prior is negative or not finite.
    Prior {
        /// The move's index among the legal moves.
        number: usize,
        /// The invalid prior.
        prior: f32,
    },
    /// The [`RolloutPolicy`](crate::evaluate::RolloutPolicy) returned no move before the end.
    NoMove {
        /// The name of the policy's type.
        policy: &'static str,
    },
    /// The rollout policy chose an illegal move. Only debug builds check this.
    IllegalMove {
        /// The name of the policy's type.
        policy: &'static str,
        /// The move, as text.
        mv: String,
    },
    /// The evaluator changed the length of a leaf's list ([`Leaf`](crate::evaluate::Leaf)).
    Resized {
        /// The name of the list, `values` or `priors`.
        list: &'static str,
        /// The required length.
        wanted: usize,
        /// The length that the evaluator left.
        found: usize,
    },
}

impl fmt::Display for EvaluatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluatorError::Failed(what) => write!(f, "failed: {what}"),
            EvaluatorError::GaveUp => f.write_str("gave up although Context::stopped was false"),
            EvaluatorError::Value { player, value } => write!(
                f,
                "returns the value {value} for player {player}; it should be from -1 to 1"
            ),
            EvaluatorError::ZeroSum(first, second) => write!(
                f,
                "returns the values {first} and {second} in a zero-sum game; they should add up \
                 to 0"
            ),
            EvaluatorError::Prior { number, prior } => write!(
                f,
                "gives the prior {prior} to move number {number}, counted from 0; a prior must be \
                 finite and not negative"
            ),
            EvaluatorError::NoMove { policy } => {
                write!(f, "uses {policy}, which chooses no move although the game is not over")
            }
            EvaluatorError::IllegalMove { policy, mv } => {
                write!(f, "uses {policy}, which chooses the illegal move {mv}")
            }
            EvaluatorError::Resized { list, wanted, found } => {
                write!(f, "returns {found} {list} for a position instead of {wanted}")
            }
        }
    }
}

impl Error for EvaluatorError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            EvaluatorError::Failed(error) => Some(error),
            _ => None,
        }
    }
}

/// An error that foreign code returned, shared by its clones. It equals only these clones.
#[derive(Clone)]
pub struct ForeignError(Arc<dyn Error + Send + Sync>);

impl ForeignError {
    pub(crate) fn new(error: Box<dyn Error + Send + Sync>) -> ForeignError {
        ForeignError(error.into())
    }

    /// Returns the inner error if its type is `E`.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl PartialEq for ForeignError {
    fn eq(&self, other: &ForeignError) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ForeignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl Error for ForeignError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
