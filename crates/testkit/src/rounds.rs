//! The number of random cases in a test.

use std::env;
use std::ops::Div;

const ALL: &str = "PROOFWOOD_ALL_ROUNDS";

/// Returns a third of `most`, which is enough to find most faults quickly, or all of `most` if the
/// environment variable `PROOFWOOD_ALL_ROUNDS` is set.
pub fn rounds<N: Div<Output = N> + From<u8>>(most: N) -> N {
    match env::var_os(ALL) {
        Some(_) => most,
        None => most / N::from(3),
    }
}
