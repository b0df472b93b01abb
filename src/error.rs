//! Why a search could not be made or ended early.
//!
//! One enum for each kind of cause, so that a program can tell causes apart
//! without reading messages. Messages name things as the library does
//! (`Config::threads`); a program with words of its own matches and writes them.

use crate::game::{MAX_PLAYERS, Outcome, TextError};
use crate::rules::Difference;
use crate::tree::MAX_CHILDREN;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// An option cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A limit of the budget cannot be used.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The memory does not hold the root and its children.
    #[error("the memory of {given} bytes is too small: this position needs at least {needed}")]
    Memory {
        /// Bytes given.
        given: u64,
        /// Bytes that the root and its children take.
        needed: u64,
    },
    /// The system did not give the memory for a table.
    #[error("cannot allocate a table of {bytes} bytes: {why}")]
    Allocation {
        /// The bytes asked for.
        bytes: u64,
        /// What the system said.
        why: String,
    },
    /// The game broke the contract of [`Game`](crate::Game).
    #[error("the game broke its contract: {0}")]
    Game(#[from] GameError),
    /// The question is who wins ([`Goal::Win`](crate::Goal::Win)), and each player's
    /// payoffs all mean the same: payoffs from 1 on are wins by default.
    #[error(
        "whoever plays how, every payoff of this game means the same: ask for the score \
         (Goal::Score), or let Game::outcome say which payoffs win and which lose"
    )]
    OneOutcome,
    /// The evaluator failed, or broke the contract of
    /// [`Evaluator`](crate::Evaluator); the tree is consistent all the same.
    #[error("the evaluator {0}")]
    Evaluator(#[source] EvaluatorError),
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
    /// A tree at rest is not what it should be: a bug in the engine.
    #[error("the tree is inconsistent: {0}")]
    Inconsistent(#[from] crate::Inconsistency),
    /// The system gave no more threads.
    #[error("cannot start a thread: {0}")]
    Threads(String),
    /// The move cannot be played in the search's position.
    #[error(transparent)]
    Move(TextError),
    /// A search is already running.
    #[error("a search is already running: stop it or wait for it first")]
    Running,
    /// No search was started.
    #[error("no search is running: start one first")]
    NotRunning,
}

/// An option of [`Config`](crate::Config) or [`ProverConfig`](crate::ProverConfig)
/// that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A value is not one that the option can have.
    #[error("{option}: '{given}' should be {expected}")]
    Value {
        /// The option's field, such as `Config::threads`.
        option: &'static str,
        /// The value as text.
        given: String,
        /// What would be right, such as `a number from 1 to 1024`.
        expected: String,
    },
    /// No option has this name.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// Open loop with something on that proves.
    #[error(
        "Config::chance: open loop proves nothing: its nodes stand for the moves alone, and what \
         is true after one roll of the dice is false after another; Config::open_loop turns off \
         solver, score_bounds and proof_numbers"
    )]
    OpenLoopProves,
    /// The score is asked for without bounds.
    #[error("Config::goal: Goal::Score needs score_bounds: only bounds prove a score")]
    ScoreNeedsBounds,
    /// A bias without proof numbers.
    #[error(
        "Config::proof_numbers: without them nothing is left for the bias; set bias to Bias::None \
         or c_pn to 0"
    )]
    BiasNeedsProofNumbers,
    /// A precision for a prover that estimates nothing.
    #[error("ProverConfig::precision: {0} estimates nothing; ppns does")]
    PrecisionNeedsEstimates(
        /// The prover's name.
        &'static str,
    ),
}

/// A limit of a [`Budget`](crate::Budget) that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// A limit is 0.
    #[error("Budget::{0} should be more than 0")]
    Zero(
        /// The limit's field, such as `playouts`.
        &'static str,
    ),
    /// Provers play no playouts that could be counted.
    #[error("provers play no playouts: limit the time or the nodes")]
    Playouts,
}

/// What went wrong with an [`Evaluator`](crate::Evaluator).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// It failed with an error of its own.
    #[error("failed: {0}")]
    Failed(#[source] ForeignError),
    /// It gave up though the search was not told to stop.
    #[error("gave up though Context::stopped did not say so")]
    GaveUp,
    /// A value is out of range, or not a number.
    #[error("values a position at {value} for player {player}; it should be from -1 to 1")]
    Value {
        /// The player, from 0.
        player: usize,
        /// The value.
        value: f32,
    },
    /// In a game with zero sum, the two values do not add up to zero.
    #[error("values a position of a game with zero sum at {0} and {1}; they should be opposites")]
    ZeroSum(f32, f32),
}

/// An error of somebody else's, which clones share. It is equal to its clones alone.
#[derive(Clone)]
pub struct ForeignError(Arc<dyn Error + Send + Sync>);

impl ForeignError {
    pub(crate) fn new(error: Box<dyn Error + Send + Sync>) -> ForeignError {
        ForeignError(error.into())
    }

    /// The error itself, if it is of this type.
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

/// How a game broke the contract of [`Game`](crate::Game).
///
/// Moves and outcomes of chance stand here as the game writes them
/// ([`Game::move_text`](crate::Game::move_text)).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// There are too few players, or too many.
    #[error("it has {0} players; 1 to {MAX_PLAYERS} are possible")]
    Players(usize),
    /// Zero sum is for two players.
    #[error("it declares zero sum with {0} players")]
    ZeroSumPlayers(usize),
    /// A finished game pays two players who should share zero something else.
    #[error("it declares zero sum, but pays {0} and {1}")]
    ZeroSum(i32, i32),
    /// A payoff that nobody can lose.
    #[error("it declares zero sum, but the payoff {} has no opposite", i32::MIN)]
    NoOpposite,
    /// With zero sum, no payoff in the range of player 0 is the opposite of one in the
    /// range of player 1. Each range is its least and its greatest payoff.
    #[error(
        "it declares zero sum, but no payoff of player 0, {} to {}, is the opposite of one of \
         player 1, {} to {}", .0.0, .0.1, .1.0, .1.1
    )]
    ZeroSumRanges((i32, i32), (i32, i32)),
    /// With zero sum, a payoff does not mean to player 0 the reverse of what its
    /// opposite means to player 1.
    #[error(
        "it declares zero sum, but the payoff {payoff} is a {} to player 0 and its opposite {} is \
         a {} to player 1", .own.name(), .payoff.saturating_neg(), .other.name()
    )]
    ZeroSumOutcomes {
        /// The payoff of player 0.
        payoff: i32,
        /// What it means to player 0.
        own: Outcome,
        /// What its opposite means to player 1.
        other: Outcome,
    },
    /// What the game foresees lies outside of the payoff range of player 0.
    #[error("it foresees the payoff {payoff} for player 0, outside of the range {least} to {most}")]
    Foreseen {
        /// What it foresees.
        payoff: i32,
        /// The least that player 0 may be paid.
        least: i32,
        /// The most.
        most: i32,
    },
    /// Of narrowed moves one, as the game writes it, is not legal.
    #[error("it narrows the moves to {0}, which is not legal")]
    Narrowed(String),
    /// A player's payoff range is empty.
    #[error("player {0} has an empty payoff range")]
    EmptyRange(usize),
    /// A payoff lies outside of its range.
    #[error("player {player} is paid {payoff}, outside of the range {least} to {most}")]
    Payoff {
        /// The player, from 0.
        player: usize,
        /// What it is paid.
        payoff: i32,
        /// The least that it may be paid.
        least: i32,
        /// The most.
        most: i32,
    },
    /// An outcome falls as payoffs rise.
    #[error(
        "the outcome {} of the payoff {payoff} for player {player} contradicts the \
         outcomes of other payoffs", .outcome.name()
    )]
    Outcomes {
        /// The player, from 0.
        player: usize,
        /// The payoff.
        payoff: i32,
        /// What the game says of it.
        outcome: Outcome,
    },
    /// Somebody who does not play is to move.
    #[error("player {mover} is to move in a game of {players} players")]
    Mover {
        /// Who is to move.
        mover: usize,
        /// How many play.
        players: usize,
    },
    /// The game is not over, and there is no legal move.
    #[error("a position that is not over has no legal move")]
    NoMoves,
    /// There are more legal moves than a node can have.
    #[error("{0} legal moves are more than {MAX_CHILDREN}")]
    TooManyMoves(usize),
    /// Chance decides, and [`Game::has_chance`](crate::Game::has_chance) says that it
    /// never does.
    #[error("chance decides in a position, but the game does not say so; see Game::has_chance")]
    UnannouncedChance,
    /// Chance decides, and nothing can happen.
    #[error("chance has no outcome")]
    NoOutcome,
    /// An outcome of chance has the weight 0.
    #[error("the outcome {0} of chance has the weight 0; one that cannot happen is none")]
    Weight(String),
    /// Two positions that are not the same have one hash; with
    /// [`Config::audit`](crate::Config::audit) only.
    #[error(
        "one hash, two futures: {hash:#018x} is the hash of '{}' and of '{}': {difference}",
        texts[0], texts[1]
    )]
    TwoFutures {
        /// Their hash.
        hash: u64,
        /// Their texts; empty where the game has none.
        texts: Box<[String; 2]>,
        /// How their futures differ.
        difference: Box<Difference>,
    },
    /// The rules are not a function of the position.
    #[error("a position is over at one look and not at the next")]
    Undecided,
}
