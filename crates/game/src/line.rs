//! Lines of moves as people write them.

use crate::Game;

/// A line of moves as people write them, such as the `pv` of a report: each as it is written
/// in the position that the moves before it lead to. The moves must be legal one after the
/// other from `state`.
pub fn line_text<G: Game>(game: &G, state: &G::State, line: &[G::Move]) -> Vec<String> {
    let mut state = state.clone();
    let texts = line.iter().map(|&mv| {
        let text = game.move_text(&state, mv);
        game.play(&mut state, mv);
        text
    });
    texts.collect()
}
