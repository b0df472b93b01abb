//! Runs searches under ThreadSanitizer, which detects data races.
//!
//! The standard library is built with ThreadSanitizer, too. Otherwise its synchronisation would be
//! invisible, and false races would be reported.

use crate::{Failure, nightly, step};
use std::env;
use std::process::Command;

/// The duration of the stress test, and the time limit of each of its rounds.
const STRESS: [&str; 4] = ["--time", "2m", "--patience", "10m"];

pub(crate) fn run() -> Result<(), Failure> {
    nightly::needs(&["rust-src"])?;
    let host = nightly::host()?;
    let watched = |arguments: &[&str]| -> Command {
        let (command, rest) = arguments.split_at(1);
        let mut cargo = nightly::cargo(command);
        cargo.args(["-Zbuild-std", "--target", &host]).args(rest);
        let mut flags = env::var_os("RUSTFLAGS").unwrap_or_default();
        flags.push(" -Zsanitizer=thread");
        cargo.env("RUSTFLAGS", flags).env("TSAN_OPTIONS", "halt_on_error=1");
        // Reports need line numbers.
        cargo.env("CARGO_PROFILE_TEST_DEBUG", "line-tables-only");
        cargo
    };
    let suite = ["test", "--package", "proofwood", "--test", "suite", "--"];
    let subjects =
        ["small::", "small_proofs::", "central::", "robust::", "faulty_games::", "odd_games::"];
    let tests = watched(&[&suite[..], &subjects].concat());
    step("tests under ThreadSanitizer", tests)?;
    // The standard library is already built in the profile of the tests.
    let stress = [
        "run",
        "--profile",
        "test",
        "--manifest-path",
        "lab/Cargo.toml",
        "--package",
        "proofwood-stress",
        "--",
    ];
    step("stress test under ThreadSanitizer", watched(&[&stress[..], &STRESS].concat()))
}
