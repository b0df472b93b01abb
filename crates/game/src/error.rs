//! Breaches of a game's contract.

use crate::{Difference, MAX_CHILDREN, MAX_PLAYERS, Outcome};
use std::error::Error;
use std::fmt;

/// A breach of the contract of [`Game`](crate::Game).
///
/// Moves and outcomes of chance are given as texts ([`Game::move_text`](crate::Game::move_text)).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameError {
    /// The number of players is not between 1 and [`MAX_PLAYERS`](crate::MAX_PLAYERS).
    Players(usize),
    /// A zero-sum game does not have two players.
    ZeroSumPlayers(usize),
    /// The payoffs of a finished zero-sum game do not sum to zero.
    ZeroSum(i32, i32),
    /// The negation of a payoff does not fit in an `i32`.
    NoOpposite,
    /// In a zero-sum game, no payoff in player 0's range is the negation of a payoff in player 1's
    /// range. The fields are the least and the greatest payoff of each range.
    ZeroSumRanges((i32, i32), (i32, i32)),
    /// In a zero-sum game, both players' ranges contain several payoffs, but only one payoff is
    /// possible in both. Each range is given as its least and its greatest payoff.
    ZeroSumOnePayoff {
        /// The payoff range of player 0.
        own: (i32, i32),
        /// The payoff range of player 1.
        other: (i32, i32),
        /// The only payoff of player 0 whose negation lies in player 1's range.
        only: i32,
    },
    /// In a zero-sum game, a payoff's outcome for player 0 is not the reverse of player 1's outcome
    /// for the negated payoff.
    ZeroSumOutcomes {
        /// The payoff of player 0.
        payoff: i32,
        /// The outcome of the payoff for player 0.
        own: Outcome,
        /// Player 1's outcome for the negated payoff.
        other: Outcome,
    },
    /// The payoff of a static bound lies outside the payoff range of player 0.
    StaticBound {
        /// The payoff of the static bound.
        payoff: i32,
        /// The least payoff in player 0's range.
        least: i32,
        /// The greatest payoff in player 0's range.
        most: i32,
    },
    /// A move that the game pushes as best is not legal. The field is the move's text.
    StaticBoundMove(String),
    /// The game returns [`StaticBound::Moves`](crate::StaticBound::Moves) but pushes no move.
    StaticBoundNoMove {
        /// The method that returns the static bound.
        method: &'static str,
    },
    /// In a game whose positions repeat, a static bound contradicts the result that can be forced
    /// in finitely many moves
    /// ([`DomainKnowledge::static_bound`](crate::DomainKnowledge::static_bound)). Found only with
    /// [`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit) or
    /// [`Config::audit`](../proofwood/struct.Config.html#method.audit).
    Foresight {
        /// The method that returns the static bound.
        method: &'static str,
        /// The text of the position; empty if the game has no texts.
        position: String,
        /// A description of the fault.
        what: String,
    },
    /// A setting of [`DomainKnowledge::recommended`](crate::DomainKnowledge::recommended) lies
    /// outside the option's range.
    Recommended {
        /// The name of the field of [`Recommended`](crate::Recommended), such as `c`.
        field: &'static str,
        /// The recommended value, as text.
        given: String,
        /// The allowed values, in words.
        expected: String,
    },
    /// The payoff range of this player is empty.
    EmptyRange(usize),
    /// A payoff lies outside the player's range.
    Payoff {
        /// The player's number, from 0.
        player: usize,
        /// The payoff that the game returned.
        payoff: i32,
        /// The least payoff in the player's range.
        least: i32,
        /// The greatest payoff in the player's range.
        most: i32,
    },
    /// A greater payoff has a worse outcome.
    Outcomes {
        /// The player's number, from 0.
        player: usize,
        /// The payoff with the worse outcome.
        payoff: i32,
        /// The outcome that the game returned for this payoff.
        outcome: Outcome,
    },
    /// The player to move does not exist.
    Mover {
        /// The player that the game names as the one to move.
        mover: usize,
        /// The number of players of the game.
        players: usize,
    },
    /// The game is not over but has no legal move.
    NoMoves,
    /// [`Game::random_move`](crate::Game::random_move) returns `None` in a position with legal
    /// moves.
    NoRandomMove,
    /// There are more legal moves than a node can have children.
    TooManyMoves(usize),
    /// A position has [`Turn::Chance`](crate::Turn::Chance), but
    /// [`Game::has_chance`](crate::Game::has_chance) returns `false`.
    UnannouncedChance,
    /// A chance node has no outcome.
    NoOutcome,
    /// An outcome of chance has weight 0. The field is the outcome's text.
    Weight(String),
    /// Two different positions have the same key. Found only with
    /// [`Config::audit`](../proofwood/struct.Config.html#method.audit).
    TwoFutures {
        /// The key that the two positions share.
        key: u64,
        /// The positions' texts; empty if the game has no texts.
        texts: Box<[String; 2]>,
        /// The difference between the futures of the two positions.
        difference: Box<Difference>,
    },
    /// Two positions that the game declares symmetric to each other
    /// ([`DomainKnowledge::symmetries`](crate::DomainKnowledge::symmetries)) are not. Found only
    /// with [`ProverConfig::audit`](../proofwood/struct.ProverConfig.html#method.audit).
    NoImage {
        /// The texts of the two positions; empty if the game has no texts.
        texts: Box<[String; 2]>,
        /// The difference between the two positions.
        difference: Box<Difference>,
    },
    /// The rules return different results for the same position.
    Undecided,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Players(what) => {
                write!(f, "the number of players is {what}; it must be 1 to {MAX_PLAYERS}")
            }
            GameError::ZeroSumPlayers(what) => {
                write!(f, "a zero-sum game must have two players, not {what}")
            }
            GameError::ZeroSum(first, second) => {
                write!(f, "the game is declared zero-sum, but its payoffs are {first} and {second}")
            }
            GameError::NoOpposite => {
                write!(
                    f,
                    "the game is declared zero-sum, but the payoff {} cannot be negated",
                    i32::MIN
                )
            }
            GameError::ZeroSumRanges(first, second) => write!(
                f,
                "the game is declared zero-sum, but no payoff in player 0's range, {} to {}, is \
                 the negative of a payoff in player 1's range, {} to {}",
                first.0, first.1, second.0, second.1
            ),
            GameError::ZeroSumOnePayoff { own, other, only } => write!(
                f,
                "the game is declared zero-sum, but in player 0's payoff range, {} to {}, only \
                 {only} is the negative of a payoff in player 1's range, {} to {}",
                own.0, own.1, other.0, other.1
            ),
            GameError::ZeroSumOutcomes { payoff, own, other } => write!(
                f,
                "the game is declared zero-sum, but the payoff {payoff} is a {} for player 0 and \
                 its negative {} is a {} for player 1",
                own.name(),
                payoff.saturating_neg(),
                other.name()
            ),
            GameError::StaticBound { payoff, least, most } => write!(
                f,
                "the static bound gives player 0 {payoff}, outside the range {least} to {most}"
            ),
            GameError::StaticBoundMove(what) => {
                write!(f, "the static bound names the move {what}, which is not legal")
            }
            GameError::StaticBoundNoMove { method } => {
                write!(f, "DomainKnowledge::{method} returns StaticBound::Moves but pushes no move")
            }
            GameError::Foresight { method, position, what } => match position.is_empty() {
                true => write!(f, "DomainKnowledge::{method} {what}"),
                false => write!(f, "in position '{position}', DomainKnowledge::{method} {what}"),
            },
            GameError::Recommended { field, given, expected } => {
                write!(f, "DomainKnowledge::recommended: {field} is {given}; it must be {expected}")
            }
            GameError::EmptyRange(what) => write!(f, "player {what} has an empty payoff range"),
            GameError::Payoff { player, payoff, least, most } => {
                write!(f, "player {player} is paid {payoff}, outside the range {least} to {most}")
            }
            GameError::Outcomes { player, payoff, outcome } => write!(
                f,
                "the outcome {} of the payoff {payoff} for player {player} contradicts the \
                 outcomes of other payoffs; a greater payoff must not have a worse outcome",
                outcome.name()
            ),
            GameError::Mover { mover, players } => {
                write!(
                    f,
                    "player {mover} is to move, but the game has {players} players, numbered from 0"
                )
            }
            GameError::NoMoves => f.write_str("a position that is not over has no legal move"),
            GameError::NoRandomMove => {
                f.write_str("Game::random_move returns no move in a position that has legal moves")
            }
            GameError::TooManyMoves(what) => {
                write!(f, "a position has {what} legal moves; the maximum is {MAX_CHILDREN}")
            }
            GameError::UnannouncedChance => {
                f.write_str("chance decides in a position, but Game::has_chance returns false")
            }
            GameError::NoOutcome => f.write_str("a chance position has no outcomes"),
            GameError::Weight(what) => write!(
                f,
                "the chance outcome {what} has weight 0; leave out outcomes that cannot happen"
            ),
            GameError::TwoFutures { key, texts, difference } => write!(
                f,
                "key collision: {key:#018x} is the key of both {} and {}: {difference}",
                quoted(&texts[0], "a position"),
                quoted(&texts[1], "another position")
            ),
            GameError::NoImage { texts, difference } => {
                let (image, position) =
                    (quoted(&texts[1], "a pushed position"), quoted(&texts[0], "a position"));
                write!(f, "{image} should be symmetric to {position}: {difference}")
            }
            GameError::Undecided => {
                f.write_str("a position is over in one call but not in the next")
            }
        }
    }
}

impl Error for GameError {}

/// The text of a position in quotation marks, or `otherwise` if it is empty.
fn quoted(text: &str, otherwise: &str) -> String {
    if text.is_empty() { otherwise.into() } else { format!("'{text}'") }
}
