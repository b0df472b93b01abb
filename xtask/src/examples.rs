//! Runs every example of the library, so that each keeps working.

use crate::{Failure, WORKSPACE, executables, root, step};
use std::fs;
use std::process::Command;

/// Arguments that shorten examples meant for longer runs.
const ARGUMENTS: [(&str, &[&str]); 1] = [("advance", &["1"])];

/// Builds the examples in parallel, in the profile of the tests, with which they share their
/// dependencies. Then runs them one after another.
pub(crate) fn run() -> Result<(), Failure> {
    println!("==> examples");
    let what = [&["--profile", "test", "--examples"], WORKSPACE].concat();
    let built = executables(&what)?;
    for name in names()? {
        let place = built.iter().find(|(built, _)| *built == name).map(|(_, place)| place);
        let mut example = Command::new(place.ok_or_else(|| format!("{name} is not built"))?);
        let own = ARGUMENTS.iter().find(|(other, _)| *other == name);
        example.args(own.map_or(&[][..], |(_, arguments)| arguments)).current_dir(root());
        step(&format!("example {name}"), example)?;
    }
    Ok(())
}

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
