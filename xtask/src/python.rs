//! Builds the Python package as a wheel, and tests it in a fresh virtual environment.

use crate::{Failure, root, step};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// The packages that the tests need besides the wheel, and the packages that they use only if
/// installed.
const NEEDED: &[&str] = &["pytest", "mypy", "pyright", "typing_extensions", "numpy"];
const USED: &[&str] = &["pandas", "polars", "open_spiel", "pettingzoo", "ray", "matplotlib"];

/// The time after which pip gives up on the registry, in seconds.
const PATIENCE: &str = "10";

/// Builds a wheel into target/wheels, for Python 3.10 and newer.
pub(crate) fn wheel() -> Result<(), Failure> {
    let python = python().ok_or("there is no python3 (3.10 or newer) on this machine")?;
    let maturin = maturin(&python)?.ok_or(
        "there is no maturin, and pip cannot fetch it; `pip install maturin` where it can",
    )?;
    build(&maturin, &["--release"]).map(|wheel| println!("{}", wheel.display()))
}

/// Creates the environment of the tests in advance, because code can be compiled while pip waits
/// for the network. The tests use it once.
pub(crate) fn fetch() -> Result<(), Failure> {
    let Some(python) = python() else { return Ok(()) };
    maturin(&python)?;
    let place = folder().join("venv");
    match equipped(&python, &place)? {
        Some(_) => fs::write(stamp(&place), "").map_err(|e| format!("{}: {e}", place.display())),
        None => Ok(()),
    }
}

/// Returns the path of a file that marks a fetched environment as unused.
fn stamp(place: &Path) -> PathBuf {
    place.join("fetched")
}

/// Tests the package in a fresh virtual environment; skips the tests with a message if there is no
/// Python, or pip reaches no registry.
pub(crate) fn test() -> Result<(), Failure> {
    let Some(python) = python() else {
        println!("==> the Python package is not tested: no python3 (3.10 or newer)");
        return Ok(());
    };
    let Some(maturin) = maturin(&python)? else {
        println!("==> the Python package is not tested: pip reaches no registry");
        return Ok(());
    };
    let place = folder().join("venv");
    // Packages are downloaded while the wheel is compiled.
    let (wheel, environment) = thread::scope(|scope| {
        let environment = scope.spawn(|| equipped(&python, &place));
        // In the profile of the other tests, so that common dependencies are compiled once.
        (build(&maturin, &[]), environment.join().unwrap_or_else(|_| Err("pip panicked".into())))
    });
    let (wheel, environment) = (wheel?, environment?);
    let Some(python) = environment.filter(|python| install(python, &[&wheel.to_string_lossy()]))
    else {
        println!("==> the Python package is not tested: pip cannot install what the tests need");
        return Ok(());
    };
    let here = root().join("python");
    // The tools run as programs, because as modules they would find the sources before the wheel.
    let run = |program: &str| {
        let mut command = Command::new(bin(&place, program));
        command.current_dir(&here).env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    let mut mypy = run("mypy");
    mypy.args(["--cache-dir", "/dev/null", "--python-executable"]).arg(&python);
    step("types of the Python package (mypy)", mypy)?;
    let mut pyright = run("pyright");
    pyright.arg("--pythonpath").arg(&python);
    step("types of the Python package (pyright)", pyright)?;
    let mut tests = run("pytest");
    tests.args(["-p", "no:cacheprovider"]);
    step("tests of the Python package", tests)
}

/// Uses the environment fetched in advance, or creates one, with everything except the wheel.
/// Returns its Python, or `None` if pip cannot install what the tests need.
fn equipped(python: &Path, place: &Path) -> Result<Option<PathBuf>, Failure> {
    if fs::remove_file(stamp(place)).is_ok() {
        return Ok(Some(bin(place, "python")));
    }
    let started = Instant::now();
    if place.exists() {
        fs::remove_dir_all(place).map_err(|e| format!("cannot remove {}: {e}", place.display()))?;
    }
    let python = environment(python, place)?;
    if !install(&python, NEEDED) {
        return Ok(None);
    }
    for package in USED {
        if !install(&python, &[package]) {
            println!("    without {package}, which pip cannot install: its tests are skipped");
        }
    }
    println!("    environment made in {:.0} s", started.elapsed().as_secs_f64());
    Ok(Some(python))
}

fn folder() -> PathBuf {
    root().join("target").join("python")
}

/// Returns the first Python that is new enough.
fn python() -> Option<PathBuf> {
    let new = |name: &&str| {
        let check = "import sys, venv; sys.exit(sys.version_info < (3, 10))";
        silent(Command::new(name).args(["-c", check]))
    };
    ["python3", "python"].into_iter().find(new).map(PathBuf::from)
}

/// Returns an installed or fetched maturin; `None` if pip cannot fetch it.
fn maturin(python: &Path) -> Result<Option<PathBuf>, Failure> {
    program(python, "maturin", "maturin>=1.7,<2")
}

/// Returns the command of a tool written in Python; `None` if there is no Python, or pip cannot
/// fetch it.
pub(crate) fn tool(name: &str, package: &str) -> Result<Option<Command>, Failure> {
    let Some(python) = python() else { return Ok(None) };
    Ok(program(&python, name, package)?.map(Command::new))
}

/// Returns an installed or fetched program; `None` if pip cannot fetch it.
fn program(python: &Path, name: &str, package: &str) -> Result<Option<PathBuf>, Failure> {
    if silent(Command::new(name).arg("--help")) {
        return Ok(Some(name.into()));
    }
    let tools = folder().join("tools");
    let own = bin(&tools, name);
    if !silent(Command::new(&own).arg("--help")) {
        // Some systems have a Python without support for virtual environments.
        let made = environment(python, &tools).is_ok_and(|python| install(&python, &[package]));
        if !made {
            return Ok(None);
        }
    }
    Ok(Some(own))
}

/// Creates a virtual environment; returns its Python.
fn environment(python: &Path, place: &Path) -> Result<PathBuf, Failure> {
    let mut make = Command::new(python);
    make.args(["-m", "venv"]).arg(place).stdout(Stdio::null());
    step("a virtual environment", make)?;
    Ok(bin(place, "python"))
}

fn bin(place: &Path, program: &str) -> PathBuf {
    match cfg!(windows) {
        true => place.join("Scripts").join(format!("{program}.exe")),
        false => place.join("bin").join(program),
    }
}

/// Installs packages; returns whether pip succeeded.
fn install(python: &Path, packages: &[&str]) -> bool {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]);
    pip.args(["--retries", "1", "--timeout", PATIENCE, "--prefer-binary"]).args(packages);
    pip.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Builds the wheel with these arguments; returns its path.
fn build(maturin: &Path, arguments: &[&str]) -> Result<PathBuf, Failure> {
    let wheels = root().join("target").join("wheels");
    let mut build = Command::new(maturin);
    build.arg("build").args(arguments).arg("--manifest-path");
    build.arg(root().join("python").join("Cargo.toml")).arg("--out").arg(&wheels);
    step("the Python wheel", build)?;
    let listed = fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let made = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "whl");
    let newest = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    let wheel = listed.filter_map(|entry| Some(entry.ok()?.path())).filter(made).max_by_key(newest);
    wheel.ok_or_else(|| format!("maturin has left no wheel in {}", wheels.display()))
}

fn silent(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
