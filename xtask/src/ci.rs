//! All checks that a change has to pass, on a machine that may have nothing but Cargo.
//!
//! In some tests, third-party programs use ours. Programs that cannot be installed in a few minutes
//! are skipped. The whole must take less than half an hour on two cores, so a step that waits or
//! uses a single core runs in parallel with another.

use crate::{Failure, book, cargo, lab, package, page, prose, python, root, step, titles};
use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;

/// Debian's packages of the programs that tests use, each with the name of its program.
const PROGRAMS: [(&str, &str); 5] = [
    ("valgrind", "valgrind"),
    ("fairy-stockfish", "fairy-stockfish"),
    ("nats-server", "nats-server"),
    ("graphviz", "dot"),
    ("chromium", "chromium"),
];
/// Debian's compiler for WebAssembly and the source of the standard library, for machines on which
/// rustup cannot fetch a target.
const WASM: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// The Python clients of our protocols, and the modules to import.
const CLIENTS: [&str; 4] = ["open_spiel==2.0.2", "chess==1.11.2", "sgfmill==1.1.1", "jsonschema"];
const MODULES: &str = "import pyspiel, chess, sgfmill, jsonschema";

pub(crate) fn run() -> Result<(), Failure> {
    let installing = thread::spawn(install);
    let fetching = thread::spawn(clients);
    titles::check()?;
    prose::run(false)?;
    spelling()?;
    step("formatting", cargo(&["fmt", "--all", "--check"]))?;
    let lints = ["clippy", "--workspace", "--all-targets", "--features", "proofwood-cli/full"];
    step("lints", cargo(&[&lints[..], &["--", "-D", "warnings"]].concat()))?;
    installing.join().map_err(|_| "installing programs panicked")?;
    // The page's engine, Python's packages and the loom models share nothing with the tests. They
    // are built in the processor time that the tests leave unused.
    let built = [&["page"][..], &["python", "--fetch"], &["loom", "--build"]]
        .into_iter()
        .map(Beside::start)
        .collect::<Result<Vec<_>, _>>()?;
    let mut test = chore(&["test"])?;
    match fetching.join().map_err(|_| "fetching Python's clients panicked")? {
        Some(python) => _ = test.env("PROOFWOOD_PYTHON", python),
        None => println!("==> without Python's clients: pip cannot install them"),
    }
    step("tests", test)?;
    for chore in built {
        // A failed build is reported here; the chores below report it again.
        chore.end().unwrap_or_else(|failure| println!("{failure}"));
    }
    // The browser and Python's tests mostly wait, so compilation runs beside them. Beside the tests
    // above, they would delay every thread that waits for another.
    let page = Beside::start(&["page", "--test"])?;
    let python = Beside::start(&["python"])?;
    let counting = Beside::start(&["instructions"])?;
    book::run(book::For::Check)?;
    package::run()?;
    // The laboratory's tests are run by `cargo xtask lab`.
    lab::run(&["--check".into()])?;
    semver()?;
    page.end()?;
    python.end()?;
    counting.end()
}

/// A chore that runs in parallel with others. Its output is printed when it ends.
struct Beside {
    name: String,
    log: PathBuf,
    process: Child,
}

impl Beside {
    fn start(arguments: &[&str]) -> Result<Beside, Failure> {
        let name = arguments.join(" ");
        let log = root().join("target").join(format!("{}.log", arguments.join("-")));
        let failed = |error: std::io::Error| format!("{}: {error}", log.display());
        let output = File::create(&log).map_err(failed)?;
        let errors = output.try_clone().map_err(failed)?;
        let mut chore = chore(arguments)?;
        let process = chore.stdout(output).stderr(errors).spawn();
        Ok(Beside { process: process.map_err(|error| format!("{name}: {error}"))?, name, log })
    }

    fn end(mut self) -> Result<(), Failure> {
        let status = self.process.wait().map_err(|error| format!("{}: {error}", self.name))?;
        print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        match status.success() {
            true => Ok(()),
            false => Err(format!("cargo xtask {}: {status}", self.name)),
        }
    }
}

/// Returns the command that runs a chore in its own process.
fn chore(arguments: &[&str]) -> Result<Command, Failure> {
    let program = env::current_exe().map_err(|error| format!("where this program is: {error}"))?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    Ok(command)
}

fn install() {
    let missing = |program: &str| {
        let folders = env::var_os("PATH").unwrap_or_default();
        let games = PathBuf::from("/usr/games");
        !env::split_paths(&folders).chain([games]).any(|folder| folder.join(program).exists())
    };
    let mut wanted: Vec<&str> =
        PROGRAMS.iter().filter(|(_, program)| missing(program)).map(|&(name, _)| name).collect();
    if !page::makes_wasm() && !quiet("timeout 120 rustup target add wasm32-unknown-unknown") {
        wanted.extend(WASM.iter().filter(|&&package| missing(package)));
    }
    let apt = format!(
        "test $(id -u) = 0 && timeout 120 apt-get update -qq && \
         timeout 300 apt-get install -y -qq --no-install-recommends {}",
        wanted.join(" ")
    );
    if !wanted.is_empty() && !quiet(&apt) {
        println!("==> without {}: they cannot be installed", wanted.join(", "));
    }
}

/// Returns a Python with clients of our protocols: the one that `PROOFWOOD_PYTHON` names, or a
/// virtual environment if pip can fetch them.
fn clients() -> Option<PathBuf> {
    if let Some(given) = env::var_os("PROOFWOOD_PYTHON") {
        return Some(given.into());
    }
    let folder = root().join("target/clients");
    let python = folder.join("bin/python");
    let (place, program) = (folder.display(), python.display());
    let there = format!("{program} -c '{MODULES}'");
    let fetch = format!(
        "rm -rf {place} && python3 -m venv {place} && timeout 180 {program} -m pip install -q \
         --disable-pip-version-check --no-compile {} && {there}",
        CLIENTS.join(" ")
    );
    (quiet(&there) || quiet(&fetch)).then_some(python)
}

/// Checks the spelling in all files; skips it with a message if pip cannot fetch the checker.
fn spelling() -> Result<(), Failure> {
    let Some(mut typos) = python::tool("typos", "typos==1.52.0")? else {
        println!("==> spelling is not checked: pip reaches no registry");
        return Ok(());
    };
    typos.current_dir(root());
    step("spelling", typos)
}

/// Compares the public interface with the last release, if there is one and the tool is installed.
fn semver() -> Result<(), Failure> {
    let tag = ["describe", "--tags", "--abbrev=0", "--match", "v*"];
    let tag = Command::new("git").args(tag).current_dir(root()).output();
    let release = tag.ok().filter(|output| output.status.success());
    let checks = cargo(&["semver-checks", "--version"]).output();
    let (Some(release), true) = (release, checks.is_ok_and(|output| output.status.success()))
    else {
        println!("==> semantic versions are not checked: no release, or no cargo-semver-checks");
        return Ok(());
    };
    let release = String::from_utf8_lossy(&release.stdout).trim().to_string();
    step("semantic versions", cargo(&["semver-checks", "--baseline-rev", &release]))
}

/// Returns whether a shell command succeeds; hides its output.
fn quiet(line: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}
