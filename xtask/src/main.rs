//! The project's chores: `cargo xtask test` runs every test of the product.

#![forbid(unsafe_code)]

mod book;
mod ci;
mod dist;
mod examples;
mod fuzz;
mod instructions;
mod lab;
mod listings;
mod loom;
mod measure;
mod miri;
mod nightly;
mod package;
mod page;
mod prose;
mod python;
mod results;
mod titles;
mod tsan;

use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const HELP: &str = "\
Usage: cargo xtask <CHORE>

  test           every test: unit, integration and doc tests, workers that take turns,
                 the examples and the loom models
  examples       the examples and the README's commands alone
  book           the book: code up to date, links that lead somewhere, pages built with mdbook
                 (fetched into target/ where it is not installed), with a search and the
                 explorer; --check: without both, and without pages where no mdbook is
  listings       copy the examples' code into the book's pages again
  measure        measure the figures of the page on performance and write them into it:
                 all, or those named after it (speed deadline peers solve proofs)
  loom           the loom models alone, all of them or those named after it; --build: only
                 build them
  instructions   count instructions per playout and compare with the pinned values;
                 --pin keeps what was counted; does nothing without valgrind
  package        the published packages, and a crate that is built from the packed files;
                 --publish: publish them, in their order
  dist           the program as an archive with its digest, in target/packed
  page           the explorer as one HTML file, in target/page/proofwood.html; with --test, in
                 headless Chromium, which does nothing where that or a compiler is missing
  wheel          the Python package as a wheel, in target/wheels
  python         the Python package's tests, in a virtual environment of their own; does nothing
                 without Python, or where pip reaches no registry; --fetch: only make that
                 environment, for the tests that come next
  prose          phrases to avoid in doc comments and pages, counted in xtask/prose.txt: fails if
                 the count rises, writes a lower one
  ci             titles, prose, spelling, formatting, lints, every test, the book, packages, the
                 page, Python, instructions; installs what the tests use, where it can
  lab            formatting, lints and tests of the laboratory in lab/, a workspace of its own;
                 --check: only compile it
  miri           the unsafe code under Miri (nightly)
  tsan           searches under ThreadSanitizer (nightly)
  fuzz           every parser of the games on mutated texts (nightly, cargo-fuzz);
                 all targets or the one named after it, each for --time 60s;
                 --game NAME for one game
  help           this text";

/// The reason why a chore failed, on one line.
type Failure = String;

fn main() -> ExitCode {
    let chore = env::args().nth(1).unwrap_or_default();
    let result = match chore.as_str() {
        "test" => test(),
        "examples" => examples::run(),
        "book" => book::run(match env::args().any(|argument| argument == "--check") {
            true => book::For::Check,
            false => book::For::Readers,
        }),
        "listings" => listings::copy(),
        "measure" => measure::run(&env::args().skip(2).collect::<Vec<_>>()),
        "loom" => loom::run(&env::args().skip(2).collect::<Vec<_>>()),
        "instructions" => instructions::run(env::args().any(|argument| argument == "--pin")),
        "package" => match env::args().any(|argument| argument == "--publish") {
            true => package::publish(),
            false => package::run(),
        },
        "dist" => dist::run(),
        "page" => page::run(&env::args().skip(2).collect::<Vec<_>>()),
        "wheel" => python::wheel(),
        "python" => match env::args().any(|argument| argument == "--fetch") {
            true => python::fetch(),
            false => python::test(),
        },
        "prose" => prose::run(true),
        "ci" => ci::run(),
        "lab" => lab::run(&env::args().skip(2).collect::<Vec<_>>()),
        "miri" => miri::run(),
        "tsan" => tsan::run(),
        "fuzz" => fuzz::run(&env::args().skip(2).collect::<Vec<_>>()),
        "help" | "-h" | "--help" => {
            println!("{HELP}");
            Ok(())
        }
        "" => Err(format!("which chore?\n\n{HELP}")),
        other => Err(format!("there is no chore '{other}'\n\n{HELP}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The packages to test. Benchmarks have no tests, instructions are counted in a separate step, and
/// lints keep both compiling. The program always has all its features, because with others the
/// libraries would be compiled again.
const WORKSPACE: &[&str] = &[
    "--workspace",
    "--exclude",
    "proofwood-benches",
    "--exclude",
    "proofwood-instructions",
    "--features",
    "proofwood-cli/full",
];
/// All tests except doc tests, and except targets with `test = false`; the program is built, too.
const TESTS: &[&str] = &["--tests"];

fn test() -> Result<(), Failure> {
    // Tests that need a missing program print a message. The library's examples are run below.
    let test = |what: &[&str]| cargo(&[&["test"], WORKSPACE, what].concat());
    step("unit and integration tests", test(TESTS))?;
    step("doc tests", test(&["--doc"]))?;
    // With the whole workspace, too: for a single package the dependencies would have other
    // features and be compiled again.
    let turns = ["--features", "proofwood-testkit/logical", "--test", "logical"];
    step("workers that take turns, and counts", test(&turns))?;
    examples::run()?;
    loom::run(&[])
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Builds with these arguments; returns the names and paths of the programs.
fn executables(arguments: &[&str]) -> Result<Vec<(String, PathBuf)>, Failure> {
    let build = [&["build", "--quiet", "--message-format=json-render-diagnostics"], arguments];
    let mut build = cargo(&build.concat());
    let output = build.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo build {}: {}", arguments.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = |message: Value| {
        let place = PathBuf::from(message["executable"].as_str()?);
        Some((message["target"]["name"].as_str()?.to_string(), place))
    };
    Ok(messages.filter_map(program).collect())
}

/// Prints a headline and runs a step to its end.
fn step(name: &str, mut command: Command) -> Result<(), Failure> {
    println!("==> {name}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: cannot run cargo: {error}")),
    }
}
