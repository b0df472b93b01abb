//! Counts instructions per playout with valgrind and compares them with pinned values. This
//! measures speed independently of other programs on the machine.
//!
//! Counts depend on the compiler and the architecture, so the pinned values are valid only for
//! those with which they were counted. With others, the counts are only shown.

use crate::{Failure, executables, root};
use serde_json::{Value, json};
use std::env::consts::ARCH;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The counted runs, as arguments of `benches/instructions`.
const RUNS: [&str; 5] =
    ["connect-four", "connect-four plain", "connect-four bare", "othello", "othello bare"];
/// The numbers of playouts of two runs. The difference of their counts excludes the start and the
/// end of the program.
const PLAYOUTS: [u64; 2] = [1000, 6000];
/// The allowed excess of a count over the pinned one, as a fraction of it.
const MARGIN: f64 = 0.03;

/// Counts the instructions and compares the counts with the pinned ones; with `pin`, stores them
/// instead.
pub(crate) fn run(pin: bool) -> Result<(), Failure> {
    println!("==> instructions per playout");
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: valgrind is not installed");
        return Ok(());
    }
    let file = root().join("benches").join("instructions.json");
    let program = build()?;
    let compiler = compiler()?;
    let mut counted = serde_json::Map::new();
    for run in RUNS {
        let [few, many] = PLAYOUTS.map(|playouts| count(&program, run, playouts));
        let each = (many? - few?) / (PLAYOUTS[1] - PLAYOUTS[0]) as f64;
        counted.insert(run.to_string(), json!(each.round()));
    }
    if pin {
        let pinned = json!({ "rustc": compiler, "arch": ARCH, "instructions": counted });
        let text = serde_json::to_string_pretty(&pinned).map_err(|error| error.to_string())?;
        fs::write(&file, text + "\n")
            .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    }
    let text = fs::read(&file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let pinned: Value =
        serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let comparable = pinned["rustc"] == compiler.as_str() && pinned["arch"] == ARCH;
    let mut over = Vec::new();
    for (run, each) in &counted {
        let each = each.as_f64().unwrap_or(f64::NAN);
        let before = pinned["instructions"][run].as_f64().unwrap_or(f64::NAN);
        let change = each / before - 1.0;
        println!("{run:<18} {each:>8}  pinned {before:>8}  {:+.1} %", change * 100.0);
        // A count without a pinned value fails, too.
        if change.is_nan() || change > MARGIN {
            over.push(run.as_str());
        }
    }
    match (comparable, over.is_empty()) {
        (_, true) => Ok(()),
        (false, false) => {
            println!("not compared: pinned with {} on {}", pinned["rustc"], pinned["arch"]);
            Ok(())
        }
        (true, false) => Err(format!(
            "more instructions than pinned for {}; if that is meant: cargo xtask instructions --pin",
            over.join(", ")
        )),
    }
}

fn build() -> Result<PathBuf, Failure> {
    let what = ["--profile", "dist", "--package", "proofwood-instructions"];
    let program = executables(&what)?.pop();
    program.map(|(_, place)| place).ok_or_else(|| "cargo does not say where the program is".into())
}

fn compiler() -> Result<String, Failure> {
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("--version")
        .output()
        .map_err(|error| format!("cannot run rustc: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn count(program: &PathBuf, run: &str, playouts: u64) -> Result<f64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(run.split(' '))
        .arg(playouts.to_string())
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let told = String::from_utf8_lossy(&output.stderr);
    // Valgrind prints: ==123== I   refs:      1,234,567
    let total = told
        .lines()
        .filter(|line| line.contains("refs:"))
        .find_map(|line| line.rsplit(':').next()?.trim().replace(',', "").parse::<f64>().ok());
    match total {
        Some(total) if output.status.success() => Ok(total),
        _ => Err(format!("valgrind with {run}: {}\n{told}", output.status)),
    }
}
