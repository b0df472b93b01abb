//! Fuzzes the parser of game specifications with arbitrary text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| proofwood_games_fuzz::spec(text));
