//! The settings of a contest, its players, and the record of a game.

use super::contender::Contender;
use super::opening::Openings;
use super::seat::Guests;
use serde::{Deserialize, Serialize};

/// What decides which games a contest has; not how many of them are played,
/// nor how many at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The description of the game.
    pub game: String,
    /// The contenders' options.
    pub a: String,
    /// The options of the second contender.
    pub b: String,
    /// The openings.
    pub openings: Openings,
    /// The seed from which all others follow.
    pub seed: u64,
    /// After so many plies a game is a draw.
    pub max_plies: u32,
}

/// A side in a contest.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// The engine with this configuration.
    Engine(&'a Contender),
    /// Another program, started for each game.
    Program(&'a dyn Guests),
}

/// A player's expenses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Moves that were searched.
    pub moves: u64,
    /// Playouts of all of them.
    pub playouts: u64,
    /// Time on the wall.
    pub seconds: f64,
}

impl Spent {
    /// Adds the expenses of another player.
    pub fn add(&mut self, other: &Spent) {
        self.moves += other.moves;
        self.playouts += other.playouts;
        self.seconds += other.seconds;
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number, counted from 1.
    pub number: u64,
    /// The seat of contender A; B has all others.
    pub a_seat: usize,
    /// The position before the moves; null for the game's start.
    pub start: Option<String>,
    /// All moves, the first `opening_plies` of which nobody chose.
    pub moves: String,
    /// Moves of the opening.
    pub opening_plies: usize,
    /// All moves, counted.
    pub plies: usize,
    /// What each player received; null for a draw by length.
    pub payoffs: Option<Vec<i32>>,
    /// A's share of the one point that there is.
    pub points: f64,
    /// Why B has lost, where it is another program and did what no player may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// A's expenses.
    pub a: Spent,
    /// What all players of B spent together.
    pub b: Spent,
}

/// Returns the index of a game's opening, counted from 0, and the seat of A.
pub(super) fn seating(number: u64, players: usize) -> (u64, usize) {
    let index = number - 1;
    (index / players as u64, (index % players as u64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_is_played_from_every_seat() {
        let games: Vec<_> = (1..=6).map(|number| seating(number, 3)).collect();
        assert_eq!(games, [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
        assert_eq!(seating(4, 2), (1, 1));
    }
}
