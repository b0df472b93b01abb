//! Fuzzes the parsers of positions with arbitrary text, for every game.
#![no_main]

use libfuzzer_sys::{arbitrary, fuzz_mutator, fuzz_target, fuzzer_mutate};
use proofwood_games_fuzz::{position, rearrange};

/// The input: a byte that chooses the game, and the text.
#[derive(Debug, arbitrary::Arbitrary)]
struct Input<'t> {
    game: u8,
    text: &'t str,
}

fuzz_target!(|input: Input| position(input.game, input.text));

const HEADER: usize = 1;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if size <= HEADER || seed.is_multiple_of(3) {
        return fuzzer_mutate(data, size, max_size);
    }
    rearrange(&mut data[HEADER..size], seed);
    size
});
