//! Counts move sequences, the classic check of a move generator.

use proofwood_game::{Game, Turn};

/// Counts the sequences of exactly `depth` moves from `state`. Games that end sooner are not
/// counted; outcomes of chance count as moves.
///
/// ```
/// use proofwood::Game;
/// use proofwood_games::{ConnectFour, perft};
///
/// let game = ConnectFour::default();
/// assert_eq!(perft(&game, &game.initial_state(), 6), 117_649);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    perft_until(game, state, depth, &|| false).unwrap_or(0)
}

/// Counts like [`perft`], but returns `None` if `stop` returned `true` before the end.
pub fn perft_until<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    stop: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if game.turn(state) == Turn::Over {
        return Some(0);
    }
    let mut moves = Vec::new();
    if depth == 1 {
        return Some(game.mobility(state, &mut moves) as u64);
    }
    if stop() {
        return None;
    }
    game.legal_moves(state, &mut moves);
    let counts = moves.into_iter();
    counts.map(|mv| perft_until(game, &game.after(state, mv), depth - 1, stop)).sum()
}
