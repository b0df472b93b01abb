//! Faults of rules, with their messages.

use crate::{Difference, GameError, Outcome, TextError};
use std::error::Error;
use std::fmt::{self, Display};

/// A breach of the contract of [`Game`](crate::Game).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesFault {
    /// A fault that a search would also report when it reaches the position.
    Contract(GameError),
    /// A greater payoff has a worse outcome.
    OutcomeFalls {
        /// The player whose outcome falls.
        player: usize,
        /// The smaller of the two payoffs.
        less: i32,
        /// The player's outcome for the smaller payoff.
        of_less: Outcome,
        /// The greater of the two payoffs.
        more: i32,
        /// The player's outcome for the greater payoff.
        of_more: Outcome,
    },
    /// In a zero-sum game, one player's win is not the other player's loss.
    OutcomesDoNotMirror {
        /// A payoff of player 0.
        payoff: i32,
        /// The payoff's outcome for player 0.
        of_first: Outcome,
        /// The negated payoff, which player 1 receives.
        opposite: i32,
        /// The outcome of the negated payoff for player 1.
        of_second: Outcome,
    },
    /// The game starts from a different position each time.
    Start(Difference),
    /// A method returned two different results for the same arguments.
    Changes {
        /// The name of the method.
        what: &'static str,
    },
    /// The same moves from the start led to different positions.
    PlayChanges(Difference),
    /// A move in a copy changed the original position.
    CloneShares {
        /// The move that was played in the copy.
        mv: String,
    },
    /// A move is listed twice.
    RepeatedMove {
        /// The text of the repeated move.
        mv: String,
    },
    /// The number of moves differs from the length of their list.
    Mobility {
        /// The number that [`mobility`](crate::Game::mobility) returned.
        counted: usize,
        /// The length of the list from [`legal_moves`](crate::Game::legal_moves).
        listed: usize,
    },
    /// A random move, or a move for a playout, is missing or not legal.
    RandomMove {
        /// The name of the method that drew the move.
        method: &'static str,
        /// The drawn move; `None` if it is missing.
        drawn: Option<String>,
    },
    /// A whole playout by the game differs from the same playout played move by move
    /// ([`rollout`](crate::DomainKnowledge::rollout),
    /// [`rollout_randomly`](crate::DomainKnowledge::rollout_randomly)).
    PlayOut {
        /// The name of the method that played the whole playout.
        method: &'static str,
        /// The number of moves that the method returned; at most 8 were allowed.
        played: u32,
        /// The difference from the position after `played` single moves; `None` if the number of
        /// moves itself is wrong.
        difference: Option<Difference>,
    },
    /// A static evaluation is not a number from −1 to 1.
    Evaluation {
        /// The value that [`evaluate`](crate::DomainKnowledge::evaluate) returned, as text.
        said: String,
    },
    /// `after` leads to a different position than `play`.
    After {
        /// The text of the move.
        mv: String,
        /// The difference between the two positions.
        difference: Difference,
    },
    /// A text contains control characters, such as line breaks.
    ControlCharacters {
        /// The name of the method that returned the text.
        what: &'static str,
        /// The text with control characters.
        text: String,
    },
    /// Two players have the same name.
    SameName {
        /// The name that both players have.
        name: String,
    },
    /// Two moves of a position have the same text.
    SameText {
        /// The text that both moves have.
        text: String,
    },
    /// A move's text is read as another move or cannot be read.
    MoveText {
        /// The text that [`move_text`](crate::Game::move_text) returned.
        text: String,
        /// The move that [`parse_move`](crate::Game::parse_move) reads from it, or its error.
        read: Result<String, TextError>,
    },
    /// A position's text cannot be read.
    StateText {
        /// The text that [`state_text`](crate::Game::state_text) returned.
        text: String,
        /// The error that [`parse_state`](crate::Game::parse_state) returned.
        error: TextError,
    },
    /// A position's text is read as another position.
    ReadAsAnother {
        /// The text that [`state_text`](crate::Game::state_text) returned.
        text: String,
        /// The difference between the two positions.
        difference: Difference,
    },
    /// Two different positions have the same key.
    OneKey {
        /// The key that both positions have.
        key: u64,
        /// The text of the other position; empty if the game has no texts.
        position: String,
        /// The moves from the start to the other position.
        moves: Vec<String>,
        /// The difference between the two positions' futures; this position's values come first.
        difference: Box<Difference>,
    },
    /// Two positions with different keys and different futures have the same text.
    OneText {
        /// The text that both positions have.
        text: String,
        /// The moves from the start to the other position.
        moves: Vec<String>,
        /// The difference between the two positions' futures; this position's values come first.
        difference: Box<Difference>,
    },
    /// The payoff of a static bound lies outside player 0's range.
    StaticBoundOutside {
        /// The payoff of the static bound.
        payoff: i32,
        /// The least payoff in player 0's range.
        least: i32,
        /// The greatest payoff in player 0's range.
        most: i32,
    },
    /// A static bound is wrong.
    StaticBound {
        /// The payoff that [`static_bound`](crate::DomainKnowledge::static_bound) or one of its
        /// forms for provers returned.
        payoff: i32,
        /// The payoff under best play.
        right: i32,
    },
    /// The game pushes a move that is not legal.
    StaticBoundMove {
        /// The text of the illegal move.
        mv: String,
    },
    /// The game pushes moves in a different order than `legal_moves`, or a move twice.
    StaticBoundOrder,
    /// The game pushes moves although it has no key.
    StaticBoundWithoutKey,
    /// No move that the game pushes is optimal.
    StaticBoundLoses {
        /// The payoff of the best move.
        right: i32,
        /// The payoff of the best pushed move.
        static_bound: i32,
    },
    /// Two positions that the game declares symmetric to each other are not.
    Image {
        /// The symmetric position's text; empty if the game has no texts.
        image: String,
        /// The difference between the positions; the original position's values come first.
        difference: Box<Difference>,
    },
    /// No random game ended, so no payoff was checked.
    Endless {
        /// The number of moves after which games were cut off.
        moves: usize,
    },
    /// The game's code panicked.
    Panic {
        /// The message of the panic.
        message: String,
    },
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesFault::Contract(error) => error.fmt(f),
            RulesFault::OutcomeFalls { player, less, of_less, more, of_more } => write!(
                f,
                "for player {player}, the payoff {less} is a {}, but the greater payoff {more} is \
                 a {}; a greater payoff must not have a worse outcome",
                word(*of_less),
                word(*of_more)
            ),
            RulesFault::OutcomesDoNotMirror { payoff, of_first, opposite, of_second } => write!(
                f,
                "the game is declared zero-sum, but the payoff {payoff} is a {} for player 0 and \
                 {opposite} is a {} for player 1",
                word(*of_first),
                word(*of_second)
            ),
            RulesFault::Start(what) => {
                write!(f, "the game does not always start from the same position: {what}")
            }
            RulesFault::Changes { what } => {
                write!(f, "two calls of {what} for the same position return different results")
            }
            RulesFault::PlayChanges(what) => {
                write!(f, "the same moves from the start lead to different positions: {what}")
            }
            RulesFault::CloneShares { mv } => write!(
                f,
                "playing the move {mv} on a clone of the position changed the position itself; a \
                 clone must not share mutable state"
            ),
            RulesFault::RepeatedMove { mv } => write!(f, "the move {mv} is listed twice"),
            RulesFault::Mobility { counted, listed } => {
                write!(f, "mobility counts {counted} moves, but legal_moves lists {listed}")
            }
            RulesFault::RandomMove { method, drawn: Some(mv) } => {
                write!(f, "{method} returns {mv}, which is not legal")
            }
            RulesFault::RandomMove { method, drawn: None } => {
                write!(f, "{method} returns no move, but there are legal moves")
            }
            RulesFault::PlayOut { method, played, difference: None } => write!(
                f,
                "{method} reports {played} moves of at most 8, but the game is not over after them"
            ),
            RulesFault::PlayOut { method, played, difference: Some(difference) } => write!(
                f,
                "{method} does not reach the position that its {played} moves lead to one by one: \
                 {difference}"
            ),
            RulesFault::Evaluation { said } => {
                write!(f, "evaluate returns {said}; it must return a number from -1 to 1")
            }
            RulesFault::After { mv, difference } => write!(
                f,
                "after and play lead to different positions with the move {mv}: {difference}"
            ),
            RulesFault::ControlCharacters { what, text } => {
                write!(f, "{what} returns a line break or another control character: {text:?}")
            }
            RulesFault::SameName { name } => write!(f, "two players are named '{name}'"),
            RulesFault::SameText { text } => write!(f, "two moves have the same text, '{text}'"),
            RulesFault::MoveText { text, read } => {
                write!(f, "the move text '{text}' {}", read_as(read))
            }
            RulesFault::StateText { text, error } => {
                write!(f, "the position text '{text}' cannot be read back: {error}")
            }
            RulesFault::ReadAsAnother { text, difference } => write!(
                f,
                "the position text '{text}' is read back as a different position: {difference}"
            ),
            RulesFault::OneKey { key, position, moves, difference } => write!(
                f,
                "key collision: {key:#018x} is also the key of {}: {difference}",
                place(position, moves)
            ),
            RulesFault::OneText { text, moves, difference } => write!(
                f,
                "text collision: '{text}' is also the text of the position {}: {difference}",
                place("", moves)
            ),
            RulesFault::StaticBoundOutside { payoff, least, most } => write!(
                f,
                "static_bound gives player 0 {payoff}, outside the range {least} to {most}"
            ),
            RulesFault::StaticBound { payoff, right } => write!(
                f,
                "static_bound gives player 0 {payoff}, but best play to the end pays {right}"
            ),
            RulesFault::StaticBoundMove { mv } => {
                write!(f, "static_bound pushes {mv}, which is not legal")
            }
            RulesFault::StaticBoundOrder => f.write_str(
                "static_bound pushes moves in a different order from legal_moves, or a move twice",
            ),
            RulesFault::StaticBoundWithoutKey => {
                f.write_str("static_bound pushes moves, but the game has no key")
            }
            RulesFault::StaticBoundLoses { right, static_bound } => write!(
                f,
                "static_bound leaves out the best move: player 0 gets {right} with best play, but \
                 {static_bound} with the pushed moves"
            ),
            RulesFault::Image { image, difference } if image.is_empty() => {
                write!(
                    f,
                    "symmetries pushes a position that is not symmetric to this one: {difference}"
                )
            }
            RulesFault::Image { image, difference } => {
                write!(
                    f,
                    "symmetries pushes '{image}', which is not symmetric to this position: \
                     {difference}"
                )
            }
            RulesFault::Endless { moves } => {
                write!(f, "none of the random games ended within {moves} moves")
            }
            RulesFault::Panic { message } => write!(f, "the rules panicked: {message}"),
        }
    }
}

impl Error for RulesFault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RulesFault::Contract(error) => error.source(),
            _ => None,
        }
    }
}

impl From<GameError> for RulesFault {
    fn from(error: GameError) -> RulesFault {
        RulesFault::Contract(error)
    }
}

/// A breach of the contract of [`Game`](crate::Game): the fault, its position and the data to
/// reproduce it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesError {
    /// The breach of the contract.
    pub fault: Box<RulesFault>,
    /// The moves from the start to the position of the fault, as texts.
    pub moves: Vec<String>,
    /// The text of that position; empty if the game has no texts.
    pub position: String,
    /// The seed with which the rules were checked.
    pub seed: u64,
    /// The number of the random game that found the fault, from 0: a check of `game + 1` games
    /// finds the fault again.
    pub game: u64,
}

impl Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RulesError { fault, moves, position, seed, game } = self;
        let within = if position.is_empty() { "" } else { "in " };
        let place = place(position, moves);
        let text = format!("{fault} ({within}{place}; seed {seed}, game {game})");
        // `TextError` escapes control characters in the game's texts.
        f.write_str(&TextError::new(text).to_string())
    }
}

impl std::error::Error for RulesError {}

/// Describes a position and the moves that lead to it, or only the last moves if there are many.
fn place(position: &str, moves: &[String]) -> String {
    const SHOWN: usize = 40;
    let left_out = moves.len().saturating_sub(SHOWN);
    let way = match moves.len() {
        0 => "at the start".to_string(),
        1..=SHOWN => format!("after {}", moves.join(" ")),
        _ => format!("after {left_out} moves followed by {}", moves[left_out..].join(" ")),
    };
    if position.is_empty() { way } else { format!("'{position}' {way}") }
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
        Outcome::Win => "win",
    }
}

fn read_as(read: &Result<String, TextError>) -> String {
    match read {
        Ok(other) => format!("is read back as the move {other}"),
        Err(error) => format!("cannot be read back: {error}"),
    }
}
