//! Differences between two positions that should be equal.

use crate::Turn;
use std::fmt::{self, Display};

/// The first difference between the futures of two positions. In each pair of values, the first
/// belongs to the first position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// The positions have different sides to move.
    Turns(Turn, Turn),
    /// The positions have different numbers of moves.
    NumMoves(usize, usize),
    /// The positions have different moves, or the same moves in another order. The fields are the
    /// first two moves that differ, as text.
    Moves(String, String),
    /// An outcome of chance has different weights in the two positions.
    Weights {
        /// The outcome, as text.
        outcome: String,
        /// The outcome's weights in the two positions.
        weights: (u32, u32),
    },
    /// A player has different payoffs at the end of the game.
    Payoffs {
        /// The player's number, from 0.
        player: usize,
        /// The payoffs in the two positions.
        payoffs: (i32, i32),
    },
    /// The positions have different keys.
    Keys(Option<u64>, Option<u64>),
    /// The positions have different texts.
    Texts(String, String),
    /// Symmetric positions, which should share a canonical key, have different ones.
    CanonicalKeys(Option<u64>, Option<u64>),
    /// The canonical key is not the key of the position or of any position symmetric to it.
    KeyOfNoImage(Option<u64>),
    /// This move leads to a position that has no counterpart among the children of the symmetric
    /// position.
    NoImageOfMove(String),
    /// The positions agree at first, but differ after these moves.
    Later {
        /// The moves, which are legal one after the other from both positions.
        moves: Vec<String>,
        /// The difference after these moves.
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
                write!(f, "{one} moves here, {other} there")
            }
            Difference::Moves(one, other) => {
                write!(f, "the move {one} here, {other} there")
            }
            Difference::Weights { outcome, weights: (one, other) } => {
                write!(f, "the outcome {outcome} has weight {one} here, {other} there")
            }
            Difference::Payoffs { player, payoffs: (one, other) } => {
                write!(f, "player {player} is paid {one} here, {other} there")
            }
            Difference::Keys(one, other) => {
                write!(f, "the key is {} here, {} there", key_text(*one), key_text(*other))
            }
            Difference::CanonicalKeys(one, other) => {
                write!(
                    f,
                    "the canonical key is {} here, {} there",
                    key_text(*one),
                    key_text(*other)
                )
            }
            Difference::KeyOfNoImage(least) => {
                write!(
                    f,
                    "the canonical key is {}, which is not the key of any symmetric position",
                    key_text(*least)
                )
            }
            Difference::NoImageOfMove(mv) => {
                write!(f, "no move there leads to a position symmetric to the one after {mv} here")
            }
            Difference::Texts(one, other) => {
                write!(f, "the text is '{one}' here, '{other}' there")
            }
            Difference::Later { moves, difference } => {
                write!(f, "after {}, {difference}", moves.join(" "))
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
