//! Counting move sequences, the classic check of a move generator.

use proofwood::{Game, Turn};

/// The number of sequences of exactly `depth` moves from `state`. A game that
/// ends sooner contributes none; outcomes of chance count as moves.
///
/// ```
/// use proofwood::Game;
/// use proofwood_games::{ConnectFour, perft};
///
/// let game = ConnectFour::default();
/// assert_eq!(perft(&game, &game.initial_state(), 6), 117_649);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if game.turn(state) == Turn::Over {
        return 0;
    }
    let mut moves = Vec::new();
    if depth == 1 {
        return game.mobility(state, &mut moves) as u64;
    }
    game.legal_moves(state, &mut moves);
    moves.into_iter().map(|mv| perft(game, &game.after(state, mv), depth - 1)).sum()
}
