//! Runs every example of the library and the README's commands, so that all of them stay valid.

use crate::{Failure, WORKSPACE, executables, root, step};
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Arguments that shorten examples meant for longer runs.
const ARGUMENTS: [(&str, &[&str]); 1] = [("advance", &["1"])];

/// Builds the examples in parallel, in the profile of the tests, with which they share their
/// dependencies. Then runs them one after another.
pub(crate) fn run() -> Result<(), Failure> {
    println!("==> examples");
    let what = ["--profile", "test", "--examples", "--bin", "proofwood"];
    let what = [&what[..], WORKSPACE].concat();
    let built = executables(&what)?;
    for name in names()? {
        let place = built.iter().find(|(built, _)| *built == name).map(|(_, place)| place);
        let mut example = Command::new(place.ok_or_else(|| format!("{name} is not built"))?);
        let own = ARGUMENTS.iter().find(|(other, _)| *other == name);
        example.args(own.map_or(&[][..], |(_, arguments)| arguments)).current_dir(root());
        step(&format!("example {name}"), example)?;
    }
    let program = built.iter().find(|(name, _)| name == "proofwood");
    let (_, program) = program.ok_or("the program is not built")?;
    run_commands(program).map_err(|error| format!("the README's commands: {error}"))
}

/// Runs the commands of the README and of the page on certificates, each in an empty folder, as a
/// reader would, but with less time.
fn run_commands(program: &Path) -> Result<(), Box<dyn Error>> {
    println!("==> the README's commands");
    let own = program.parent().ok_or("the program lies in no folder")?.to_path_buf();
    let folders = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([own].into_iter().chain(env::split_paths(&folders)))?;
    for page in ["README.md", "docs/src/certificates.md"] {
        let folder = root().join("target/first-hour");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        // The README assumes that its reader has a game to review.
        let game = r#"proofwood replay othello --moves "f5 d6 c3" --sgf game.sgf"#.to_string();
        let page = commands(&fs::read_to_string(root().join(page))?);
        for line in [game].into_iter().chain(page) {
            let mut shell = Command::new("sh");
            shell.args(["-c", &line]).current_dir(&folder).env("PATH", &path);
            let output = shell.stdin(Stdio::null()).output()?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!("`{line}`: {}: {said}", output.status).into());
            }
        }
    }
    Ok(())
}

/// Returns the lines in a page's shell blocks that call the program.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let calls = |line: &&str| line.starts_with("proofwood ") || line.contains("| proofwood ");
    let shorter =
        |line: &str| line.replace("--time 2s", "--time 100ms").replace("--games 20", "--games 2");
    blocks.flat_map(str::lines).filter(calls).map(shorter).collect()
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
    fn commands_are_lines_of_shell_that_call_the_program() {
        let page = "proofwood a\n```sh\ncargo b\nproofwood c --time 2s\necho | proofwood d\n```\n\
                    ```text\nproofwood e\n```\n";
        assert_eq!(commands(page), ["proofwood c --time 100ms", "echo | proofwood d"]);
    }

    #[test]
    fn arguments_are_those_of_examples_that_are_there() {
        let names = names().unwrap();
        assert!(names.len() > ARGUMENTS.len());
        for (name, _) in ARGUMENTS {
            assert!(names.iter().any(|other| other == name), "{name}");
        }
    }
}
