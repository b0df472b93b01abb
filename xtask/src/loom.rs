//! Runs the loom models with a patched loom.
//!
//! Loom 0.7.2 omits interleavings. For each atomic it remembers only the last access of all
//! threads. A thread that loads and then writes, as every compare-and-swap loop does, hides the
//! earlier loads of other threads, and its write is never tried before theirs (loom's issues 166
//! and 392). A model then "completes" without these interleavings. At the limit of preemptions it
//! tries no other thread even if the current one cannot continue, although a switch would then be
//! free. `loom-tests/loom.patch` fixes both. The models' own `explorer` tests fail without it.
//!
//! The source comes from cargo's download and is patched in `target/`. The models are built from a
//! copy of the workspace next to it, so that no file of the project changes. When a later loom
//! passes `explorer`, this file can be removed.

use crate::{Failure, cargo, root, step};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The parts of the workspace that are not copied.
const LEFT_OUT: [&str; 4] = ["target", ".git", "docs", ".ci"];

/// Builds the models, and runs the named ones or all.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let build = arguments.iter().any(|argument| argument == "--build");
    let place = root().join("target").join("loom");
    let (source, workspace) = (place.join("source"), place.join("workspace"));
    copy(&downloaded()?, &source, &["Cargo.toml.orig", "Cargo.lock"])?;
    mend(&source)?;
    copy(&root(), &workspace, &LEFT_OUT)?;
    let manifest = workspace.join("Cargo.toml");
    let patched =
        format!("{}\n[patch.crates-io]\nloom = {{ path = \"../source\" }}\n", read(&manifest)?);
    write_if_new(&manifest, patched.as_bytes())?;

    let mut flags = env::var_os("RUSTFLAGS").unwrap_or_default();
    // Lints of a path dependency are not capped by default.
    flags.push(" --cfg loom --cap-lints warn");
    // Under loom the library has no other tests.
    let mut models = cargo(&["test", "--package", "proofwood", "--lib", "--release"]);
    models.args(["--no-default-features", "--features", "ppns"]);
    match build {
        true => models.arg("--no-run"),
        // The arguments are the names of models; none means all.
        false => models.args(["--", "--nocapture", "--test-threads=2"]).args(arguments),
    };
    models.current_dir(&workspace).env("RUSTFLAGS", flags);
    models.env("CARGO_TARGET_DIR", place.join("target"));
    step("loom models", models)
}

fn downloaded() -> Result<PathBuf, Failure> {
    let output = cargo(&["metadata", "--format-version", "1"])
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)))?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages
        .filter(|package| package["name"] == "loom")
        .find_map(|package| package["manifest_path"].as_str())
        .ok_or("cargo metadata does not list loom")?;
    Ok(Path::new(manifest).parent().unwrap_or(Path::new("")).to_path_buf())
}

fn mend(source: &Path) -> Result<(), Failure> {
    let patches = read(&root().join("loom-tests").join("loom.patch"))?;
    for text in patches.split("\n--- ").skip(1) {
        let text = format!("--- {}\n", text.trim_end_matches('\n'));
        let name = text.lines().next().and_then(|line| line.strip_prefix("--- a/"));
        let file = source.join(name.ok_or("loom.patch: a file without a name")?);
        let patch = diffy::Patch::from_str(&text).map_err(|e| format!("loom.patch: {e}"))?;
        let mended = diffy::apply(&read(&file)?, &patch)
            .map_err(|error| format!("loom.patch does not fit {}: {error}", file.display()))?;
        write_if_new(&file, mended.as_bytes())?;
    }
    Ok(())
}

/// Makes `to` a copy of `from` without the names in `left_out`. Equal files are not touched, so
/// that cargo does not rebuild them.
fn copy(from: &Path, to: &Path, left_out: &[&str]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| format!("cannot copy {}: {error}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if left_out.iter().any(|&out| OsStr::new(out) == name) {
            continue;
        }
        let (source, target) = (entry.path(), to.join(&name));
        if entry.file_type().map_err(failed)?.is_dir() {
            copy(&source, &target, left_out)?;
        } else {
            write_if_new(&target, &fs::read(&source).map_err(failed)?)?;
        }
    }
    forget(from, to).map_err(failed)
}

/// Removes from a copy the files that the original no longer has; otherwise a moved module would
/// exist twice.
fn forget(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(to)? {
        let old = entry?.path();
        let stays = old.file_name().is_some_and(|name| from.join(name).exists());
        match stays {
            true => {}
            false if old.is_dir() => fs::remove_dir_all(old)?,
            false => fs::remove_file(old)?,
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn write_if_new(file: &Path, content: &[u8]) -> Result<(), Failure> {
    if fs::read(file).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(file, content).map_err(|error| format!("cannot write {}: {error}", file.display()))
}
