//! Players other than the engine.

use proofwood::CancelToken;
use proofwood_any_game::Position;

/// A player that takes the engine's place in a game.
pub trait Seat {
    /// Tells the player of a move; `own` is true for the player's own.
    fn hear(&mut self, mv: &str, own: bool) -> Result<(), Silent>;

    /// Returns the player's move; `seat` is the seat to move.
    fn think(&mut self, seat: usize) -> Result<String, Silent>;

    /// Returns the nodes that the player has reported since the last call.
    fn take_nodes(&mut self) -> u64;
}

/// Creates such players, one for each game.
pub trait Guests: Sync {
    /// Creates a player for a game that begins at `begin`; `is_start` if that is the usual start.
    fn sit(
        &self,
        begin: Box<dyn Position>,
        is_start: bool,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Seat>, Silent>;
}

/// The reason why a player makes no move.
#[derive(Debug)]
pub enum Silent {
    /// The player forfeits the game, for this reason.
    Forfeit(String),
    /// The player lacks an option, or refuses its value.
    WrongOption(String),
    /// The match was cancelled.
    Cancelled,
}

impl From<String> for Silent {
    fn from(reason: String) -> Silent {
        Silent::Forfeit(reason)
    }
}
