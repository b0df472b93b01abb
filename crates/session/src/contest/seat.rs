//! Players other than the engine.

use proofwood::CancelToken;
use proofwood_any_game::Position;

/// A player that takes the engine's place in a game.
pub trait Seat {
    /// Notifies the player of a move; `own` is true if the player made it.
    fn hear(&mut self, mv: &str, own: bool) -> Result<(), Silent>;

    /// Returns the player's move; `seat` is the seat to move.
    fn think(&mut self, seat: usize) -> Result<String, Silent>;

    /// Returns the number of nodes that the player has reported since the last call.
    fn take_nodes(&mut self) -> u64;
}

/// A source of external players, one for each game.
pub trait Guests: Sync {
    /// Creates a player for a game that starts from `begin`; `is_start` is true if this is the
    /// game's usual start.
    fn sit(
        &self,
        begin: Box<dyn Position>,
        is_start: bool,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Seat>, Silent>;
}

/// The reason why a player did not move.
#[derive(Debug)]
pub enum Silent {
    /// The player forfeits the game, for this reason.
    Forfeit(String),
    /// The player does not have an option, or rejects its value.
    WrongOption(String),
    /// The match was cancelled.
    Cancelled,
}

impl From<String> for Silent {
    fn from(reason: String) -> Silent {
        Silent::Forfeit(reason)
    }
}
