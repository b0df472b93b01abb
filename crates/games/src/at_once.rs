//! A test helper that compares whole playouts with move-by-move playouts.

use proofwood_game::{Game, Rng, Turn};
use std::fmt::Debug;

/// Checks that the playout `at_once` ends like a playout move by move with the same random numbers.
/// Each single move is the one that `known` draws, or a random one if `known` returns `None`.
/// Returns the number of random moves.
pub(crate) fn plays_the_same<G: Game>(
    game: &G,
    (start, cap, rng): (&G::State, u32, &Rng),
    at_once: impl FnOnce(&mut G::State, u32, &mut Rng) -> u32,
    known: impl Fn(&G::State, &mut Vec<G::Move>, &mut Rng) -> Option<G::Move>,
) -> u32
where
    G::State: PartialEq + Debug,
{
    let (mut ended_at, mut same) = (start.clone(), rng.clone());
    let played = at_once(&mut ended_at, cap, &mut same);
    let (mut state, mut rng, mut left, mut random) = (start.clone(), rng.clone(), cap, 0);
    while left > 0 && game.turn(&state) != Turn::Over {
        let buffer = &mut Vec::new();
        let mv = known(&state, buffer, &mut rng).or_else(|| {
            random += 1;
            game.random_move(&state, buffer, &mut rng)
        });
        game.play(&mut state, mv.expect("the game is not over"));
        left -= 1;
    }
    assert_eq!((ended_at, played), (state, cap - left));
    assert_eq!(same.next_u64(), rng.next_u64());
    random
}
