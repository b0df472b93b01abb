//! The unsafe code under Miri, which interprets it and checks every access.
//!
//! Both models of what a reference may be used for are tried, Stacked Borrows
//! and Tree Borrows, and for the searches several schedules of the threads.

use crate::{Failure, nightly, step};

/// The rules of references, by the flag that chooses them.
const MODELS: [(&str, &str); 2] =
    [("Stacked Borrows", ""), ("Tree Borrows", "-Zmiri-tree-borrows")];
/// The schedules that a search is run with.
const SCHEDULES: &str = "-Zmiri-many-seeds=0..4";
/// Unit tests of the modules with unsafe code, and of what lives in it.
const MODULES: [&str; 5] = ["pages::", "tree::", "settled::", "interval::", "proof_number::"];
/// Searches and proofs small enough to be interpreted.
const SMALL: [&str; 5] = ["--test", "suite", "--", "small::", "small_proofs::"];

pub(crate) fn run() -> Result<(), Failure> {
    nightly::needs(&["miri", "rust-src"])?;
    for (name, model) in MODELS {
        let mut units = nightly::cargo(&["miri", "test", "--package", "proofwood", "--lib", "--"]);
        units.args(MODULES);
        // Property tests look for the cases that failed before in a file.
        units.env("MIRIFLAGS", format!("{model} -Zmiri-disable-isolation"));
        units.env("PROPTEST_CASES", "8");
        step(&format!("unit tests under Miri, {name}"), units)?;

        let mut searches = nightly::cargo(&["miri", "test", "--package", "proofwood"]);
        searches.args(SMALL);
        // The mutex that the coordinator sleeps on turns integers into pointers.
        searches.env("MIRIFLAGS", format!("{model} {SCHEDULES} -Zmiri-permissive-provenance"));
        step(&format!("small searches and proofs under Miri, {name}"), searches)?;
    }
    Ok(())
}
