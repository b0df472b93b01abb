//! The laboratory in `lab/`: a separate workspace with its own lock file.

use crate::{Failure, cargo, root, step};
use std::process::Command;

/// All packages, with the feature that makes workers take turns.
const ALL: [&str; 4] = ["--workspace", "--locked", "--features", "proofwood-lab/logical"];

/// Checks formatting, lints and tests; with `--check` only compiles everything.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => {}
        [only] if only == "--check" => {
            return step(
                "the laboratory compiles",
                lab(&[&["check", "--all-targets"], &ALL[..]].concat()),
            );
        }
        _ => return Err("lab takes nothing or --check".into()),
    }
    step("formatting of the laboratory", lab(&["fmt", "--all", "--check"]))?;
    let lints = [&["clippy", "--all-targets"], &ALL[..], &["--", "-D", "warnings"]].concat();
    step("lints of the laboratory", lab(&lints))?;
    step("tests of the laboratory", lab(&[&["test"], &ALL[..]].concat()))
}

/// Returns cargo in the laboratory's folder, with the same target folder, so that dependencies are
/// compiled once for both workspaces.
fn lab(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    command.current_dir(root().join("lab"));
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        command.env("CARGO_TARGET_DIR", root().join("target"));
    }
    command
}
