//! How a game broke its contract.

use crate::{Difference, MAX_CHILDREN, MAX_PLAYERS, Outcome};
use std::error::Error;
use std::fmt;

/// How a game broke the contract of [`Game`](crate::Game).
///
/// Moves and outcomes of chance stand here as the game writes them
/// ([`Game::move_text`](crate::Game::move_text)).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// There are too few players, or too many.
    Players(usize),
    /// Zero sum is for two players.
    ZeroSumPlayers(usize),
    /// A finished game pays two players who should share zero something else.
    ZeroSum(i32, i32),
    /// A payoff that nobody can lose.
    NoOpposite,
    /// With zero sum, no payoff in the range of player 0 is the opposite of one in the
    /// range of player 1. Each range is its least and its greatest payoff.
    ZeroSumRanges((i32, i32), (i32, i32)),
    /// With zero sum, the two ranges have one payoff in common, and are wider than that. Each range
    /// is its least and its greatest payoff.
    ZeroSumOnePayoff {
        /// The range of player 0.
        own: (i32, i32),
        /// The range of player 1.
        other: (i32, i32),
        /// The only payoff of player 0 whose opposite player 1 can be paid.
        only: i32,
    },
    /// With zero sum, a payoff does not mean to player 0 the reverse of what its
    /// opposite means to player 1.
    ZeroSumOutcomes {
        /// The payoff of player 0.
        payoff: i32,
        /// What it means to player 0.
        own: Outcome,
        /// What its opposite means to player 1.
        other: Outcome,
    },
    /// What the game foresees lies outside of the payoff range of player 0.
    Foreseen {
        /// What it foresees.
        payoff: i32,
        /// The least that player 0 may be paid.
        least: i32,
        /// The most.
        most: i32,
    },
    /// Of the moves that the game foresees one, as the game writes it, is not legal.
    ForeseenMove(String),
    /// The game answers [`Foreseen::Moves`](crate::Foreseen::Moves) and pushes no move.
    ForeseenNoMove {
        /// The method that does.
        method: &'static str,
    },
    /// What the game foresees is not what can be forced in finitely many moves
    /// ([`Insight::foreseen`](crate::Insight::foreseen)), where positions come again; with
    /// [`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit) or
    /// [`Config::audit`](../proofwood/struct.Config.html#method.audit) only.
    Foresight {
        /// The method that foresees it.
        method: &'static str,
        /// The text of the position; empty where the game has none.
        position: String,
        /// What is wrong with it.
        what: String,
    },
    /// A setting of [`Insight::suited`](crate::Insight::suited) is not one that the option can have.
    Suited {
        /// The setting's field, such as `c`.
        field: &'static str,
        /// The value as text.
        given: String,
        /// What would be right.
        expected: String,
    },
    /// A player's payoff range is empty.
    EmptyRange(usize),
    /// A payoff lies outside of its range.
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
    Outcomes {
        /// The player, from 0.
        player: usize,
        /// The payoff.
        payoff: i32,
        /// What the game says of it.
        outcome: Outcome,
    },
    /// Somebody who does not play is to move.
    Mover {
        /// Who is to move.
        mover: usize,
        /// How many play.
        players: usize,
    },
    /// The game is not over, and there is no legal move.
    NoMoves,
    /// [`Game::random_move`](crate::Game::random_move) draws no move in a position that has some.
    NoRandomMove,
    /// There are more legal moves than a node can have.
    TooManyMoves(usize),
    /// Chance decides, and [`Game::has_chance`](crate::Game::has_chance) says that it
    /// never does.
    UnannouncedChance,
    /// Chance decides, and nothing can happen.
    NoOutcome,
    /// An outcome of chance has the weight 0.
    Weight(String),
    /// Two positions that are not the same have one key; with
    /// [`Config::audit`](../proofwood/struct.Config.html#method.audit) only.
    TwoFutures {
        /// Their key.
        key: u64,
        /// Their texts; empty where the game has none.
        texts: Box<[String; 2]>,
        /// How their futures differ.
        difference: Box<Difference>,
    },
    /// What the game calls an image of a position is none ([`Insight::images`](crate::Insight::images));
    /// with [`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit) only.
    NoImage {
        /// The texts of the position and of its image; empty where the game has none.
        texts: Box<[String; 2]>,
        /// How they differ.
        difference: Box<Difference>,
    },
    /// The rules are not a function of the position.
    Undecided,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Players(what) => {
                write!(f, "it has {what} players; 1 to {MAX_PLAYERS} are possible")
            }
            GameError::ZeroSumPlayers(what) => {
                write!(f, "it declares zero sum with {what} players")
            }
            GameError::ZeroSum(first, second) => {
                write!(f, "it declares zero sum, but pays {first} and {second}")
            }
            GameError::NoOpposite => {
                write!(f, "it declares zero sum, but the payoff {} has no opposite", i32::MIN)
            }
            GameError::ZeroSumRanges(first, second) => write!(
                f,
                "it declares zero sum, but no payoff of player 0, {} to {}, is the \
                     opposite of one of player 1, {} to {}",
                first.0, first.1, second.0, second.1
            ),
            GameError::ZeroSumOnePayoff { own, other, only } => write!(
                f,
                "it declares zero sum, but of the payoffs of player 0, {} to {}, only {only} is the \
                     opposite of one of player 1, {} to {}",
                own.0, own.1, other.0, other.1
            ),
            GameError::ZeroSumOutcomes { payoff, own, other } => write!(
                f,
                "it declares zero sum, but the payoff {payoff} is a {} to player 0 and \
                     its opposite {} is a {} to player 1",
                own.name(),
                payoff.saturating_neg(),
                other.name()
            ),
            GameError::Foreseen { payoff, least, most } => write!(
                f,
                "it foresees the payoff {payoff} for player 0, outside of the range \
                     {least} to {most}"
            ),
            GameError::ForeseenMove(what) => {
                write!(f, "it foresees the move {what}, which is not legal")
            }
            GameError::ForeseenNoMove { method } => {
                write!(f, "Insight::{method} answers Foreseen::Moves and pushes no move")
            }
            GameError::Foresight { method, position, what } => match position.is_empty() {
                true => write!(f, "Insight::{method} {what}"),
                false => write!(f, "of '{position}' Insight::{method} {what}"),
            },
            GameError::Suited { field, given, expected } => {
                write!(f, "Insight::suited: {field}: '{given}' should be {expected}")
            }
            GameError::EmptyRange(what) => write!(f, "player {what} has an empty payoff range"),
            GameError::Payoff { player, payoff, least, most } => write!(
                f,
                "player {player} is paid {payoff}, outside of the range {least} to \
                     {most}"
            ),
            GameError::Outcomes { player, payoff, outcome } => write!(
                f,
                "the outcome {} of the payoff {payoff} for player {player} contradicts \
                     the outcomes of other payoffs; outcomes must not fall when payoffs rise",
                outcome.name()
            ),
            GameError::Mover { mover, players } => {
                write!(
                    f,
                    "player {mover} is to move in a game of {players} players, which are counted \
                     from 0"
                )
            }
            GameError::NoMoves => f.write_str("a position that is not over has no legal move"),
            GameError::NoRandomMove => {
                f.write_str("Game::random_move draws no move in a position that has legal moves")
            }
            GameError::TooManyMoves(what) => {
                write!(f, "{what} legal moves are more than {MAX_CHILDREN}")
            }
            GameError::UnannouncedChance => f.write_str(
                "chance decides in a position, but the game does not say so; see \
                     Game::has_chance",
            ),
            GameError::NoOutcome => f.write_str("chance has no outcome"),
            GameError::Weight(what) => write!(
                f,
                "the outcome {what} of chance has the weight 0; one that cannot happen \
                     is none"
            ),
            GameError::TwoFutures { key, texts, difference } => write!(
                f,
                "one key, two futures: {key:#018x} is the key of {} and of {}: {difference}",
                quoted(&texts[0], "a position"),
                quoted(&texts[1], "another one")
            ),
            GameError::NoImage { texts, difference } => {
                let (image, position) =
                    (quoted(&texts[1], "what is pushed"), quoted(&texts[0], "a position"));
                write!(f, "{image} should be an image of {position}: {difference}")
            }
            GameError::Undecided => {
                f.write_str("a position is over at one look and not at the next")
            }
        }
    }
}

impl Error for GameError {}

/// The text of a position in quotation marks, or other words where the game has no texts.
fn quoted(text: &str, otherwise: &str) -> String {
    if text.is_empty() { otherwise.into() } else { format!("'{text}'") }
}
