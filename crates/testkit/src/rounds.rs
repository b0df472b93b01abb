//! How often a test tries what it draws at random.

use std::env;
use std::ops::Div;

/// The variable that asks for all rounds.
const ALL: &str = "PROOFWOOD_ALL_ROUNDS";

/// A third of `most`, which finds what a change breaks and is soon done; all of them where the
/// environment has `PROOFWOOD_ALL_ROUNDS`.
pub fn rounds<N: Div<Output = N> + From<u8>>(most: N) -> N {
    match env::var_os(ALL) {
        Some(_) => most,
        None => most / N::from(3),
    }
}
