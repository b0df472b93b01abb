//! The settings of a contest, its players, and the record of a game.

use super::contender::Contender;
use super::opening::Openings;
use super::seat::Guests;
use serde::{Deserialize, Serialize};

/// The settings that determine the games of a contest. The number of games and how many run at once
/// are not among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The game's description.
    pub game: String,
    /// The options of contender A.
    pub a: String,
    /// The options of contender B, or the command of another program.
    pub b: String,
    /// The openings: `random` with a number of random moves, or `listed` with a list of positions
    /// or moves.
    pub openings: Openings,
    /// The seed from which the seeds of all games are derived.
    pub seed: u64,
    /// The number of moves after which a game is a draw.
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

/// The resources that a player has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// The number of moves that the player has searched.
    pub moves: u64,
    /// The number of playouts of these searches.
    pub playouts: u64,
    /// The wall-clock time of these searches.
    pub seconds: f64,
}

impl Spent {
    /// Adds another player's moves, playouts and time.
    pub fn add(&mut self, other: &Spent) {
        self.moves += other.moves;
        self.playouts += other.playouts;
        self.seconds += other.seconds;
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game, counted from 1.
    pub number: u64,
    /// The seat of contender A, counted from 0; B has all other seats.
    pub a_seat: usize,
    /// The text form of the position before the first move; null for the game's start.
    pub start: Option<String>,
    /// All moves, those of the opening first.
    pub moves: String,
    /// The number of moves that belong to the opening.
    pub opening_plies: usize,
    /// The total number of moves.
    pub plies: usize,
    /// Each player's payoff; null if the rules did not end the game.
    pub payoffs: Option<Vec<i32>>,
    /// A's share of the game's one point, from 0 to 1.
    pub points: f64,
    /// The reason why B, another program, forfeited the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    /// The resources spent by A.
    pub a: Spent,
    /// The resources spent by B in all of its seats.
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
