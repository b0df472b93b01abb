//! Lines of moves as text.

use crate::Game;

/// Converts a line of moves, such as the `pv` of a report, to texts. The moves must be legal one
/// after the other, starting from `state`.
pub fn line_text<G: Game>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let texts = line.iter().map(|&mv| {
        let text = game.move_text(&state, mv);
        game.play(&mut state, mv);
        text
    });
    texts.collect()
}
