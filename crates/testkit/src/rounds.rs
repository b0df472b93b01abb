//! The number of random cases in a test.

use std::env;
use std::ops::Div;

const ALL: &str = "PROOFWOOD_ALL_ROUNDS";

/// Returns a third of `most`, which finds most faults and ends soon; all of it if the environment
/// has `PROOFWOOD_ALL_ROUNDS`.
pub fn rounds<N: Div<Output = N> + From<u8>>(most: N) -> N {
    match env::var_os(ALL) {
        Some(_) => most,
        None => most / N::from(3),
    }
}
