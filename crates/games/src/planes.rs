//! Binary input planes of positions for networks.

use proofwood_game::Game;
use std::sync::Arc;

/// A game whose positions have binary inputs for a network.
///
/// A network has one output for each move and one for the value. The symmetries of the board
/// permute inputs and outputs.
pub trait Planes: Game {
    /// The name of the game with its board, as stored in the file of a network.
    fn board(&self) -> String;

    /// The number of inputs of a network for the game.
    fn inputs(&self) -> usize;

    /// The number of a network's outputs for moves, without the output for the value.
    fn outputs(&self) -> usize;

    /// Calls `on` once with each active input of a position that is not over.
    fn look(&self, state: &Self::State, on: impl FnMut(usize));

    /// The index of the output for a move.
    fn output(&self, mv: Self::Move) -> usize;

    /// The number of symmetries of the board, including the identity.
    fn images(&self) -> usize;

    /// The index of `input` under symmetry number `image`.
    fn input_of_image(&self, image: usize, input: usize) -> usize;

    /// The index of a move's `output` under symmetry number `image`.
    fn output_of_image(&self, image: usize, output: usize) -> usize;
}

impl<G: Planes> Planes for Arc<G> {
    fn board(&self) -> String {
        (**self).board()
    }

    fn inputs(&self) -> usize {
        (**self).inputs()
    }

    fn outputs(&self) -> usize {
        (**self).outputs()
    }

    #[inline]
    fn look(&self, state: &G::State, on: impl FnMut(usize)) {
        (**self).look(state, on);
    }

    #[inline]
    fn output(&self, mv: G::Move) -> usize {
        (**self).output(mv)
    }

    fn images(&self) -> usize {
        (**self).images()
    }

    fn input_of_image(&self, image: usize, input: usize) -> usize {
        (**self).input_of_image(image, input)
    }

    fn output_of_image(&self, image: usize, output: usize) -> usize {
        (**self).output_of_image(image, output)
    }
}

/// Calls `on` with the active inputs of consecutive planes of `cells` cells.
#[inline]
pub(crate) fn each(planes: impl IntoIterator<Item = u64>, cells: usize, mut on: impl FnMut(usize)) {
    for (number, mut plane) in planes.into_iter().enumerate() {
        while plane != 0 {
            on(number * cells + plane.trailing_zeros() as usize);
            plane &= plane - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConnectFour, Othello};
    use proofwood_game::{DomainKnowledge, Rng, Turn};
    use std::collections::BTreeSet;

    fn seen<G: Planes>(game: &G, state: &G::State) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        game.look(state, |input| assert!(seen.insert(input) && input < game.inputs(), "{input}"));
        seen
    }

    /// Checks that the inputs and the moves of symmetric positions are images of each other. Not
    /// every image belongs to such a position: the rules of Othello include only the symmetries
    /// that preserve the start.
    fn images_agree<G: Planes>(game: &G, games: u64) {
        let mut rng = Rng::new(3);
        for _ in 0..games {
            let mut state = game.initial_state();
            while let Turn::Player(_) = game.turn(&state) {
                let mut states = Vec::new();
                game.knowledge().symmetries(&state, &mut states);
                states.push(state.clone());
                let looks: BTreeSet<_> = states.iter().map(|state| seen(game, state)).collect();
                let images: BTreeSet<BTreeSet<usize>> = (0..game.images())
                    .map(|image| {
                        let places = seen(game, &state).into_iter();
                        places.map(|input| game.input_of_image(image, input)).collect()
                    })
                    .collect();
                assert!(looks.is_subset(&images), "{}", game.board_text(&state));
                let outputs = |state: &G::State| {
                    let mut moves = Vec::new();
                    game.legal_moves(state, &mut moves);
                    moves.into_iter().map(|mv| game.output(mv)).collect::<BTreeSet<usize>>()
                };
                let looks: BTreeSet<_> = states.iter().map(outputs).collect();
                let images: BTreeSet<BTreeSet<usize>> = (0..game.images())
                    .map(|image| {
                        let places = outputs(&state).into_iter();
                        places.map(|output| game.output_of_image(image, output)).collect()
                    })
                    .collect();
                assert!(looks.is_subset(&images), "{}", game.board_text(&state));
                assert!(outputs(&state).into_iter().all(|output| output < game.outputs()));
                let mut moves = Vec::new();
                game.legal_moves(&state, &mut moves);
                let mv = moves[rng.below(moves.len() as u32) as usize];
                game.play(&mut state, mv);
            }
        }
    }

    #[test]
    fn images_of_what_is_seen_are_what_is_seen_of_images() {
        images_agree(&ConnectFour::default(), 20);
        images_agree(&ConnectFour::new(5, 4, 3).unwrap(), 20);
        images_agree(&Othello::default(), 5);
        images_agree(&Othello::new(6, false).unwrap(), 5);
    }
}
