//! Fuzzes the parsers of moves with arbitrary text, in positions of random games.
#![no_main]

use libfuzzer_sys::{arbitrary, fuzz_target};
use proofwood_games_fuzz::Reached;

/// The input: a byte that chooses the game; the plies and the seed of the random game that leads to
/// the position; and the text.
#[derive(Debug, arbitrary::Arbitrary)]
struct Input<'t> {
    game: u8,
    plies: u8,
    seed: u8,
    text: &'t str,
}

fuzz_target!(|input: Input| {
    let reached = Reached { plies: input.plies, seed: input.seed };
    proofwood_games_fuzz::moves(input.game, reached, input.text);
});
