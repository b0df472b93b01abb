//! Runs every example of the library, so that none of them rots.

use crate::{Failure, cargo, root, step};
use std::fs;

/// The arguments of those that are meant for longer runs.
const ARGUMENTS: [(&str, &[&str]); 1] = [("advance", &["1"])];

/// Builds them side by side and runs them one after the other, in the profile of the tests,
/// which have built the library.
pub(crate) fn run() -> Result<(), Failure> {
    let build = ["build", "--quiet", "--profile", "test", "--package", "proofwood", "--examples"];
    step("examples", cargo(&build))?;
    for name in names()? {
        let own = ARGUMENTS.iter().find(|(other, _)| *other == name);
        let arguments = own.map_or(&[][..], |(_, arguments)| arguments);
        let mut example =
            cargo(&["run", "--quiet", "--profile", "test", "--package", "proofwood", "--example"]);
        example.arg(&name).arg("--").args(arguments);
        step(&format!("example {name}"), example)?;
    }
    Ok(())
}

/// The names of all examples, in order.
pub(crate) fn names() -> Result<Vec<String>, Failure> {
    let folder = root().join("examples");
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_those_of_examples_that_are_there() {
        let names = names().unwrap();
        assert!(names.len() > ARGUMENTS.len());
        for (name, _) in ARGUMENTS {
            assert!(names.iter().any(|other| other == name), "{name}");
        }
    }
}
