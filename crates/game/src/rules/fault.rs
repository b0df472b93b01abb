//! What can be wrong with rules, in words.

use crate::{Difference, GameError};
use crate::{Outcome, TextError};
use std::error::Error;
use std::fmt::{self, Display};

/// A promise of [`Game`](crate::Game) that rules do not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesFault {
    /// What a search would notice, too, once it comes to such a position.
    Contract(GameError),
    /// A greater payoff is a worse outcome.
    OutcomeFalls {
        /// Whose outcomes they are.
        player: usize,
        /// A payoff,
        less: i32,
        /// what it is,
        of_less: Outcome,
        /// a greater one,
        more: i32,
        /// and what that is.
        of_more: Outcome,
    },
    /// In a zero-sum game one player's win is not the other's loss.
    OutcomesDoNotMirror {
        /// Player 0's payoff,
        payoff: i32,
        /// what it is,
        of_first: Outcome,
        /// its opposite,
        opposite: i32,
        /// and what that is for player 1.
        of_second: Outcome,
    },
    /// The game starts from another position each time.
    Start(Difference),
    /// The same question got another answer.
    Changes {
        /// The method that was asked.
        what: &'static str,
    },
    /// The same moves from the start led elsewhere.
    PlayChanges(Difference),
    /// A move of a copy changed the original.
    CloneShares {
        /// The move.
        mv: String,
    },
    /// A move is listed twice.
    RepeatedMove {
        /// The move.
        mv: String,
    },
    /// The number of moves is not that of the moves.
    Mobility {
        /// What [`mobility`](crate::Game::mobility) says.
        counted: usize,
        /// How many [`legal_moves`](crate::Game::legal_moves) there are.
        listed: usize,
    },
    /// A random move, or one for a playout, that is none, or not legal.
    RandomMove {
        /// The method that drew it.
        method: &'static str,
        /// What it drew.
        drawn: Option<String>,
    },
    /// A playout that the game plays at once is not the one that is played move by move
    /// ([`play_out`](crate::Insight::play_out),
    /// [`play_out_randomly`](crate::Insight::play_out_randomly)).
    PlayOut {
        /// Which of the two plays it.
        method: &'static str,
        /// How many moves it said it had played, of at most 8.
        played: u32,
        /// How the position that it came to differs from that after so many single moves; nothing
        /// where the number of moves is what is wrong.
        difference: Option<Difference>,
    },
    /// What a position looks worth is no number from −1 to 1.
    Worth {
        /// What [`worth`](crate::Insight::worth) says.
        said: String,
    },
    /// `after` is not what `play` makes.
    After {
        /// The move.
        mv: String,
        /// How the positions differ.
        difference: Difference,
    },
    /// A text over several lines.
    ControlCharacters {
        /// The method that was asked.
        what: &'static str,
        /// What it answered.
        text: String,
    },
    /// Two players cannot be told apart.
    SameName {
        /// Their name.
        name: String,
    },
    /// Two moves of a position cannot be told apart.
    SameText {
        /// Their text.
        text: String,
    },
    /// A move's text is read as something else.
    MoveText {
        /// What [`move_text`](crate::Game::move_text) writes,
        text: String,
        /// and what [`parse_move`](crate::Game::parse_move) makes of it.
        read: Result<String, TextError>,
    },
    /// A position's text cannot be read.
    StateText {
        /// What [`state_text`](crate::Game::state_text) writes,
        text: String,
        /// and what [`parse_state`](crate::Game::parse_state) says.
        error: TextError,
    },
    /// A position's text is read as another position.
    ReadAsAnother {
        /// What [`state_text`](crate::Game::state_text) writes.
        text: String,
        /// How the two positions differ.
        difference: Difference,
    },
    /// Two positions that are not the same have one key.
    OneKey {
        /// Their key.
        key: u64,
        /// The text of the other position; empty where the game has no texts.
        position: String,
        /// The moves that lead there from the start.
        moves: Vec<String>,
        /// How their futures differ: this position's first.
        difference: Box<Difference>,
    },
    /// Two positions that are not the same have one text, and keys.
    OneText {
        /// Their text.
        text: String,
        /// The moves that lead to the other position from the start.
        moves: Vec<String>,
        /// How their futures differ: this position's first.
        difference: Box<Difference>,
    },
    /// A foreseen payoff that cannot be.
    ForeseenOutside {
        /// The payoff,
        payoff: i32,
        /// the least
        least: i32,
        /// and the most that is possible.
        most: i32,
    },
    /// A foreseen payoff, or a bound on it, that best play does not lead to.
    Foreseen {
        /// What [`foreseen`](crate::Insight::foreseen) or its closer forms say,
        payoff: i32,
        /// and what is right.
        right: i32,
    },
    /// `foreseen` pushes a move that is not legal.
    ForeseenMove {
        /// The move.
        mv: String,
    },
    /// `foreseen` pushes moves in another order than `legal_moves`, or one of them twice.
    ForeseenOrder,
    /// `foreseen` pushes moves in a game without a key.
    ForeseenWithoutKey,
    /// No move that `foreseen` pushes is a best one.
    ForeseenLoses {
        /// What all moves lead to,
        right: i32,
        /// and what those lead to.
        foreseen: i32,
    },
    /// An image of a position that is none.
    Image {
        /// Its text; empty where the game has none.
        image: String,
        /// How it differs: the position comes first.
        difference: Box<Difference>,
    },
    /// No random game ended, so that no payoff was seen.
    Endless {
        /// Where they were cut.
        moves: usize,
    },
    /// The game's code panicked.
    Panic {
        /// The panic's message.
        message: String,
    },
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesFault::Contract(error) => error.fmt(f),
            RulesFault::OutcomeFalls { player, less, of_less, more, of_more } => write!(
                f,
                "for player {player} the payoff {less} is a {} and the greater payoff \
                     {more} a {}; outcomes must not fall when payoffs rise",
                word(*of_less),
                word(*of_more)
            ),
            RulesFault::OutcomesDoNotMirror { payoff, of_first, opposite, of_second } => write!(
                f,
                "it declares zero sum, but the payoff {payoff} is a {} for player 0, \
                     and {opposite} a {} for player 1",
                word(*of_first),
                word(*of_second)
            ),
            RulesFault::Start(what) => {
                write!(f, "the game does not start from the same position each time: {what}")
            }
            RulesFault::Changes { what } => {
                write!(f, "asked twice about the same position, {what} answers differently")
            }
            RulesFault::PlayChanges(what) => {
                write!(f, "the same moves from the start lead to another position: {what}")
            }
            RulesFault::CloneShares { mv } => write!(
                f,
                "after the move {mv} on a copy of the position, the position itself is \
                     another; a clone must share nothing that moves change"
            ),
            RulesFault::RepeatedMove { mv } => write!(f, "the move {mv} is listed twice"),
            RulesFault::Mobility { counted, listed } => {
                write!(f, "mobility counts {counted} moves, and legal_moves lists {listed}")
            }
            RulesFault::RandomMove { method, drawn } => write!(
                f,
                "{method} draws {}, which is not legal",
                drawn.as_deref().unwrap_or("no move")
            ),
            RulesFault::PlayOut { method, played, difference: None } => write!(
                f,
                "{method} says it has played {played} moves of at most 8, and the game does not end \
                     there"
            ),
            RulesFault::PlayOut { method, played, difference: Some(difference) } => write!(
                f,
                "{method} comes to another position than {played} moves one by one: {difference}"
            ),
            RulesFault::Worth { said } => {
                write!(f, "worth says {said}; it should be from -1 to 1")
            }
            RulesFault::After { mv, difference } => write!(
                f,
                "after and play lead to different positions by the move {mv}: \
                     {difference}"
            ),
            RulesFault::ControlCharacters { what, text } => {
                write!(f, "{what} has a line break or another control character: {text:?}")
            }
            RulesFault::SameName { name } => write!(f, "two players have the name '{name}'"),
            RulesFault::SameText { text } => write!(f, "two moves have the text '{text}'"),
            RulesFault::MoveText { text, read } => {
                write!(f, "the text '{text}' of a move is read as {}", read_as(read))
            }
            RulesFault::StateText { text, error } => {
                write!(f, "the text '{text}' of the position is refused: {error}")
            }
            RulesFault::ReadAsAnother { text, difference } => write!(
                f,
                "the text '{text}' of the position is read as another position: \
                     {difference}"
            ),
            RulesFault::OneKey { key, position, moves, difference } => write!(
                f,
                "one key, two futures: {key:#018x} is also the key of {}: \
                     {difference}",
                place(position, moves)
            ),
            RulesFault::OneText { text, moves, difference } => write!(
                f,
                "one text, two futures: '{text}' is also the text of the position {}: \
                     {difference}",
                place("", moves)
            ),
            RulesFault::ForeseenOutside { payoff, least, most } => write!(
                f,
                "foreseen says that player 0 gets {payoff}, outside of the range \
                     {least} to {most}"
            ),
            RulesFault::Foreseen { payoff, right } => write!(
                f,
                "foreseen says that player 0 gets {payoff}; best play to the end pays \
                     {right}"
            ),
            RulesFault::ForeseenMove { mv } => {
                write!(f, "foreseen pushes {mv}, which is not legal")
            }
            RulesFault::ForeseenOrder => f.write_str(
                "foreseen pushes moves in another order than legal_moves, or one of them twice",
            ),
            RulesFault::ForeseenWithoutKey => {
                f.write_str("foreseen pushes moves, which needs a key; there is none")
            }
            RulesFault::ForeseenLoses { right, foreseen } => write!(
                f,
                "foreseen leaves the best move out: player 0 gets {right} by best play, \
                     and {foreseen} by the moves that it pushes"
            ),
            RulesFault::Image { image, difference } if image.is_empty() => {
                write!(f, "an image that images pushes is not one of this position: {difference}")
            }
            RulesFault::Image { image, difference } => {
                write!(f, "images says that '{image}' is an image of this position: {difference}")
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

/// Rules that break a promise of [`Game`](crate::Game): what, where, and how to see it
/// again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesError {
    /// What is wrong.
    pub fault: Box<RulesFault>,
    /// The moves from the start to the position where it is, as the game writes them.
    pub moves: Vec<String>,
    /// The text of that position; empty where the game has no texts.
    pub position: String,
    /// The seed of the check.
    pub seed: u64,
    /// The random game it was found in, from 0: a check of one game more than that finds it.
    pub game: u64,
}

impl Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RulesError { fault, moves, position, seed, game } = self;
        let within = if position.is_empty() { "" } else { "in " };
        let place = place(position, moves);
        let text = format!("{fault} ({within}{place}; seed {seed}, game {game})");
        // One line, whatever the game's texts have in them.
        f.write_str(&TextError::new(text).to_string())
    }
}

impl std::error::Error for RulesError {}

/// A position and the way there; of a long way the last moves.
fn place(position: &str, moves: &[String]) -> String {
    const SHOWN: usize = 40;
    let left_out = moves.len().saturating_sub(SHOWN);
    let way = match moves.len() {
        0 => "at the start".to_string(),
        1..=SHOWN => format!("after {}", moves.join(" ")),
        _ => format!("after {left_out} moves and then {}", moves[left_out..].join(" ")),
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
        Ok(other) => format!("the move {other}"),
        Err(error) => format!("no move: {error}"),
    }
}
