//! The project's chores: `cargo xtask test` runs every test of the product.

#![forbid(unsafe_code)]

mod api;
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
  examples       only the examples and the README's commands
  book           checks listings and links, and builds the book with a search and the explorer
                 (fetches mdbook into target/ if it is not installed); --check: without a search
                 and the explorer, and without pages if mdbook is missing
  listings       copies the examples' code into the book's pages
  measure        measures the figures of the page on performance and writes them into it: all,
                 or those named (speed deadline peers solve proofs)
  loom           only the loom models: all, or those named; --build: only builds them
  instructions   count instructions per playout and compare with the pinned values;
                 --pin stores the new counts; does nothing without valgrind
  package        the published packages, and a crate that is built from the packed files;
                 --publish: publishes them, in order of dependency
  dist           the program as an archive with its digest, in target/packed
  page           the explorer as one HTML file, in target/page/proofwood.html; with --test, in
                 headless Chromium; does nothing if that or a compiler is missing
  wheel          the Python package as a wheel, in target/wheels
  python         the Python package's tests, in their own virtual environment; does nothing
                 without Python, or if pip reaches no registry; --fetch: only creates the
                 environment
  prose          phrases to avoid in doc comments and pages, counted in xtask/prose.txt: fails if
                 the count rises, writes a lower one
  ci             titles, prose, spelling, formatting, lints, every test, the book, packages, the
                 page, Python, instructions; installs the programs that tests use, if it can
  lab            formatting, lints and tests of the laboratory in lab/, a workspace of its own;
                 --check: only compiles it
  api            the public interfaces of the libraries, as docs/api/ has them; --check: fails if
                 one has changed (nightly, cargo-public-api)
  miri           the unsafe code under Miri (nightly)
  tsan           searches under ThreadSanitizer (nightly)
  fuzz           every parser of the games on mutated texts (nightly, cargo-fuzz);
                 all targets or the one named, each for --time 60s;
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
        "api" => api::run(env::args().any(|argument| argument == "--check")),
        "miri" => miri::run(),
        "tsan" => tsan::run(),
        "fuzz" => fuzz::run(&env::args().skip(2).collect::<Vec<_>>()),
        "help" | "-h" | "--help" => {
            println!("{HELP}");
            Ok(())
        }
        "" => Err(format!("the chore is missing\n\n{HELP}")),
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

/// Runs cargo with these arguments to build programs; returns their names and paths.
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
