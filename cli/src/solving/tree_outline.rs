//! What an outline says of a position.

use crate::display::players;
use proofwood_any_game::Position;

/// Whose turn it is, or how the game ended.
pub(super) fn turn_text(position: &dyn Position) -> String {
    let view = position.view();
    match &view.payoffs {
        Some(payoffs) => format!("Game over: {}", players::result(&view.players, payoffs)),
        None => players::to_move(&view).trim_end().to_string(),
    }
}
