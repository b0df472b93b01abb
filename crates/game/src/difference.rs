//! How two positions differ that should be the same.

use crate::Turn;
use std::fmt::{self, Display};

/// How the futures of two positions differ; the first position's side comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// In whose turn it is.
    Turns(Turn, Turn),
    /// In how many moves there are.
    NumMoves(usize, usize),
    /// In what can be played, or in which order it is listed.
    Moves(String, String),
    /// In the weight of this outcome of chance.
    Weights {
        /// The outcome.
        outcome: String,
        /// Its weights.
        weights: (u32, u32),
    },
    /// In what this player is paid.
    Payoffs {
        /// The player.
        player: usize,
        /// The payoffs.
        payoffs: (i32, i32),
    },
    /// In the key.
    Keys(Option<u64>, Option<u64>),
    /// In the text.
    Texts(String, String),
    /// In the least hash, which a position and its images share.
    LeastHashes(Option<u64>, Option<u64>),
    /// The least hash is that of neither the position nor an image of it.
    HashOfNoImage(Option<u64>),
    /// No move leads to an image of where this move leads.
    NoImageOfMove(String),
    /// Nothing differs here, but something does after these moves.
    Later {
        /// The moves that both can play.
        moves: Vec<String>,
        /// What differs then.
        difference: Box<Difference>,
    },
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Turns(one, other) => {
                write!(f, "{} here, {} there", turn_text(*one), turn_text(*other))
            }
            Difference::NumMoves(one, other) => {
                write!(f, "here there are {one} moves, there {other}")
            }
            Difference::Moves(one, other) => {
                write!(f, "here the moves have {one} where there they have {other}")
            }
            Difference::Weights { outcome, weights: (one, other) } => {
                write!(f, "the outcome {outcome} has the weight {one} here, {other} there")
            }
            Difference::Payoffs { player, payoffs: (one, other) } => {
                write!(f, "player {player} is paid {one} here, {other} there")
            }
            Difference::Keys(one, other) => {
                write!(f, "the key is {} here, {} there", key_text(*one), key_text(*other))
            }
            Difference::LeastHashes(one, other) => {
                write!(f, "the least hash is {} here, {} there", key_text(*one), key_text(*other))
            }
            Difference::HashOfNoImage(least) => {
                write!(f, "the least hash is {}, which is the key of no image", key_text(*least))
            }
            Difference::NoImageOfMove(mv) => {
                write!(f, "no move there leads to an image of where {mv} leads here")
            }
            Difference::Texts(one, other) => {
                write!(f, "the text is '{one}' here, '{other}' there")
            }
            Difference::Later { moves, difference } => {
                write!(f, "after {} {difference}", moves.join(" "))
            }
        }
    }
}

fn turn_text(turn: Turn) -> String {
    match turn {
        Turn::Player(player) => format!("player {player} is to move"),
        Turn::Chance => "chance decides".into(),
        Turn::Over => "the game is over".into(),
    }
}

fn key_text(key: Option<u64>) -> String {
    key.map_or("none".into(), |key| format!("{key:#018x}"))
}
