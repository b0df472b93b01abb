//! Any text read as a description of a game.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| proofwood_games_fuzz::spec(text));
