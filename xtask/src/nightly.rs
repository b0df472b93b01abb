//! Chores that require a nightly toolchain.

use crate::{Failure, root};
use std::process::Command;

/// Returns a command of the nightly toolchain's cargo. `cargo +nightly` does not work: the cargo
/// that runs this chore is not a proxy and has only one toolchain.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(arguments).current_dir(root());
    command
}

/// Returns an error with the command to run if nightly lacks one of these components.
pub(crate) fn needs(components: &[&str]) -> Result<(), Failure> {
    let list = Command::new("rustup")
        .args(["component", "list", "--toolchain", "nightly", "--installed"])
        .output();
    let installed = match list {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into(),
        _ => String::new(),
    };
    let missing = |name: &&str| !installed.lines().any(|line| line.starts_with(name));
    match components.iter().find(|name| missing(name)) {
        None => Ok(()),
        Some(missing) => Err(format!(
            "this needs a nightly toolchain with {missing}, which is not there; install it with\n\n    \
             rustup toolchain install nightly --component {}\n",
            components.join(",")
        )),
    }
}

pub(crate) fn host() -> Result<String, Failure> {
    let output = Command::new("rustup").args(["run", "nightly", "rustc", "-vV"]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.map_err(|error| format!("cannot run rustc: {error}"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not say what its host is")?.to_string())
}
