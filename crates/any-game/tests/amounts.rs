//! Tests of reading times and counts in the notations that people use.

use proofwood_any_game::query::{read_count, read_time};
use std::time::Duration;

#[test]
fn times_have_units() {
    for (text, milliseconds) in
        [("2.5", 2500), ("500ms", 500), ("10s", 10_000), ("2m", 120_000), ("1 h", 3_600_000)]
    {
        assert_eq!(read_time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
    }
    for text in ["0", "-1", "nan", "inf", "1e300", "1e10", "1e-20", "", "s", "5 parsecs"] {
        assert!(read_time(text).is_err(), "{text}");
    }
}

#[test]
fn counts_are_whole_and_positive() {
    for (text, count) in
        [("1", 1), ("10_000", 10_000), ("1e6", 1_000_000), ("10k", 10_000), ("4.35 M", 4_350_000)]
    {
        assert_eq!(read_count(text), Ok(count));
    }
    for text in ["0", "-1", "1.5", "nan", "inf", "1e300", "", "many", "k", "1.2345k", "2m"] {
        assert!(read_count(text).is_err(), "{text}");
    }
}
