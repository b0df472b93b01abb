//! Runs the unsafe code under Miri, which interprets it and checks every access.
//!
//! Both aliasing models are tried, Stacked Borrows and Tree Borrows, and for the searches several
//! schedules of the threads.

use crate::{Failure, nightly, step};

/// The aliasing models, each with the flag that selects it.
const MODELS: [(&str, &str); 2] =
    [("Stacked Borrows", ""), ("Tree Borrows", "-Zmiri-tree-borrows")];
/// The seeds of the schedules with which each search is run.
const SCHEDULES: &str = "-Zmiri-many-seeds=0..4";
/// The modules with unsafe code, or with code that depends on it, whose unit tests run.
const MODULES: [&str; 5] = ["pages::", "tree::", "solved::", "interval::", "proof_number::"];
/// Searches and proofs that are small enough to be interpreted.
const SMALL: [&str; 5] = ["--test", "suite", "--", "small::", "small_proofs::"];

pub(crate) fn run() -> Result<(), Failure> {
    nightly::needs(&["miri", "rust-src"])?;
    for (name, model) in MODELS {
        let mut units = nightly::cargo(&["miri", "test", "--package", "proofwood", "--lib", "--"]);
        units.args(MODULES);
        // Property tests need file access to read the cases that failed before.
        units.env("MIRIFLAGS", format!("{model} -Zmiri-disable-isolation"));
        units.env("PROPTEST_CASES", "8");
        step(&format!("unit tests under Miri, {name}"), units)?;

        let mut searches = nightly::cargo(&["miri", "test", "--package", "proofwood"]);
        searches.args(SMALL);
        // The mutex on which the coordinator sleeps converts integers to pointers.
        searches.env("MIRIFLAGS", format!("{model} {SCHEDULES} -Zmiri-permissive-provenance"));
        step(&format!("small searches and proofs under Miri, {name}"), searches)?;
    }
    Ok(())
}
