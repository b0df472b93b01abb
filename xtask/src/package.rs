//! Checks the packages to be published by building a crate that depends on them.
//!
//! Each package must contain all its sources, and name a version of each other package that it
//! needs. So the files are packed as for publishing, and unpacked next to a crate that finds them
//! by name and version. That crate contains the README's program, which is run.

use crate::{Failure, cargo, root, step};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The published packages, each after those that it needs.
const PUBLISHED: [&str; 13] = [
    "proofwood-game",
    "proofwood-certificate",
    "proofwood",
    "proofwood-measure",
    "proofwood-games",
    "proofwood-nets",
    "proofwood-any-game",
    "proofwood-session",
    "proofwood-notation",
    "proofwood-protocols",
    "proofwood-cluster",
    "proofwood-explorer",
    "proofwood-cli",
];
/// The maximum number of third-party crates that the library needs without default features.
const MOST_CRATES: usize = 13;

pub(crate) fn run() -> Result<(), Failure> {
    let mut pack = cargo(&["package", "--no-verify", "--allow-dirty", "--quiet"]);
    // Cargo's own check is skipped, since the packed files are built below.
    pack.args(PUBLISHED.iter().flat_map(|name| ["--package", name]));
    pack.env("CARGO_TARGET_DIR", root().join("target"));
    step("packing", pack)?;
    count_crates()?;
    let (packed, stranger) = (root().join("target/package"), root().join("target/stranger"));
    write_stranger(&packed, &stranger)
        .map_err(|error| format!("cannot write {}: {error}", stranger.display()))?;
    let mut play = cargo(&["run", "--quiet", "--package", "stranger"]);
    step("the README's program in a crate of its own", in_folder(&mut play, &stranger))?;
    let mut lean = cargo(&["check", "--quiet", "--package", "proofwood", "--no-default-features"]);
    step("the search alone", in_folder(&mut lean, &stranger))?;
    // The program is checked with its default features.
    let lint = ["clippy", "--quiet", "--package", "proofwood-cli", "--", "-D", "warnings"];
    step("the packed program", in_folder(&mut cargo(&lint), &stranger))
}

/// Publishes the packages in order. Cargo waits until the registry has each one. A version that has
/// already been published is an error.
pub(crate) fn publish() -> Result<(), Failure> {
    for name in PUBLISHED {
        let publish = cargo(&["publish", "--locked", "--package", name]);
        step(&format!("publishing {name}"), publish)?;
    }
    Ok(())
}

/// Returns this command, changed to run in `folder` with the target folder of the workspace.
fn in_folder(command: &mut Command, folder: &Path) -> Command {
    let mut moved = Command::new(command.get_program());
    moved.args(command.get_args()).current_dir(folder);
    // Incremental compilation can fail on files that are unpacked again.
    moved.env("CARGO_TARGET_DIR", root().join("target")).env("CARGO_INCREMENTAL", "0");
    moved
}

/// Checks that the library by itself depends on few other crates.
fn count_crates() -> Result<(), Failure> {
    let tree = ["tree", "--package", "proofwood", "--no-default-features"];
    let lines = ["--edges", "normal", "--prefix", "none", "--format", "{p}"];
    let output = cargo(&[&tree[..], &lines[..]].concat()).output();
    let output = output.map_err(|error| format!("cannot run cargo tree: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_string();
    let mut crates: Vec<String> = text.lines().map(name).collect();
    crates.sort();
    crates.dedup();
    crates.retain(|name| !name.is_empty() && !name.starts_with("proofwood"));
    println!("==> {} crates come with the search alone", crates.len());
    match crates.len() {
        1..=MOST_CRATES => Ok(()),
        count => Err(format!(
            "{count} crates come with the search alone, {MOST_CRATES} should: {}",
            crates.join(" ")
        )),
    }
}

fn write_stranger(packed: &Path, stranger: &Path) -> std::io::Result<()> {
    if stranger.exists() {
        fs::remove_dir_all(stranger)?;
    }
    fs::create_dir_all(stranger.join("src"))?;
    let version = env!("CARGO_PKG_VERSION");
    let (mut members, mut patches) = (String::new(), String::new());
    for name in PUBLISHED {
        let folder = format!("{name}-{version}");
        let file = packed.join(format!("{folder}.crate"));
        // Gives the files new dates. Packed files all have the same date, so cargo would reuse
        // outdated build results.
        let unpacked =
            Command::new("tar").arg("-xzmf").arg(&file).arg("-C").arg(stranger).status()?;
        if !unpacked.success() {
            return Err(std::io::Error::other(format!("tar: {unpacked}")));
        }
        members += &format!("{folder:?}, ");
        patches += &format!("{name} = {{ path = {folder:?} }}\n");
    }
    // Uses the workspace's profiles, so that common dependencies are compiled once.
    let own = fs::read_to_string(root().join("Cargo.toml"))?;
    let profiles = own.split("\n[").filter(|part| part.starts_with("profile."));
    let profiles: String = profiles.map(|part| format!("[{part}\n")).collect();
    // Without optimisation the README's program is built faster and still runs quickly.
    let packages = "[profile.dev.package]\n";
    let as_it_stands = ["proofwood", "stranger"].map(|name| format!("{name}.opt-level = 0\n"));
    let profiles = profiles.replace(packages, &format!("{packages}{}", as_it_stands.concat()));
    let manifest = format!(
        "[workspace]\nmembers = [{members}]\nresolver = \"3\"\n\n[package]\nname = \
         \"stranger\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nproofwood = \
         {version:?}\n\n[patch.crates-io]\n{patches}\n{profiles}"
    );
    fs::write(stranger.join("Cargo.toml"), manifest)?;
    fs::copy(root().join("Cargo.lock"), stranger.join("Cargo.lock"))?;
    let readme = fs::read_to_string(root().join("README.md"))?;
    let program = readme
        .split("```rust\n")
        .filter_map(|rest| rest.split_once("```"))
        .map(|(code, _)| code)
        .find(|code| code.contains("fn main()"))
        .ok_or_else(|| std::io::Error::other("the README has no program"))?;
    fs::write(stranger.join("src/main.rs"), program)
}
