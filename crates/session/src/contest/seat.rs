//! Players other than the engine.

use proofwood::CancelToken;
use proofwood_any_game::Position;

/// A player at the board in the engine's place.
pub trait Seat {
    /// Hears of a move, its own or another's.
    fn hear(&mut self, mv: &str, own: bool) -> Result<(), Silent>;

    /// Chooses a move on its seat.
    fn think(&mut self, seat: usize) -> Result<String, Silent>;

    /// The nodes that it has told of since the last call.
    fn take_nodes(&mut self) -> u64;
}

/// A maker of such players, one for each game.
pub trait Guests: Sync {
    /// Seats a player for a game that begins here.
    fn sit(
        &self,
        begin: Box<dyn Position>,
        is_start: bool,
        cancel: &CancelToken,
    ) -> Result<Box<dyn Seat>, Silent>;
}

/// Why a player makes no move.
#[derive(Debug)]
pub enum Silent {
    /// It has lost, for this reason.
    Forfeit(String),
    /// It has no such option, or not with such a value.
    WrongOption(String),
    /// The match was cancelled.
    Cancelled,
}

impl From<String> for Silent {
    fn from(reason: String) -> Silent {
        Silent::Forfeit(reason)
    }
}
