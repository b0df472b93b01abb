//! Packs the program for distribution: an archive for this machine's target, and its digest.

use crate::{Failure, cargo, root, step};
use hmac_sha256::Hash as Sha256;
use std::fs;
use std::process::Command;

const BESIDE: [&str; 5] =
    ["README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE-MIT", "LICENSE-APACHE"];

/// Builds the program with all its features in the profile `dist`, and packs it into
/// `target/packed`, with a line for `sha256sum --check` next to it.
pub(crate) fn run() -> Result<(), Failure> {
    let build = ["build", "--profile", "dist", "--locked", "--package", "proofwood-cli"];
    let mut build = cargo(&[&build[..], &["--features", "full"]].concat());
    build.env("CARGO_TARGET_DIR", root().join("target"));
    step("the program", build)?;
    let name = format!("proofwood-{}-{}", env!("CARGO_PKG_VERSION"), target()?);
    let folder = root().join("target/packed");
    let place = folder.join(&name);
    let failed = |error: std::io::Error| format!("{}: {error}", place.display());
    fs::create_dir_all(&place).map_err(failed)?;
    let program = format!("proofwood{}", std::env::consts::EXE_SUFFIX);
    fs::copy(root().join("target/dist").join(&program), place.join(&program)).map_err(failed)?;
    for file in BESIDE {
        fs::copy(root().join(file), place.join(file)).map_err(failed)?;
    }
    // Windows' tar chooses the format from the file's extension.
    let archive = format!("{name}.{}", if cfg!(windows) { "zip" } else { "tar.gz" });
    let mut pack = Command::new("tar");
    pack.args(["-a", "-c", "-f", &archive, &name]).current_dir(&folder);
    step("the archive", pack)?;
    fs::remove_dir_all(&place).map_err(failed)?;
    let digest = Sha256::hash(&fs::read(folder.join(&archive)).map_err(failed)?);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(folder.join(format!("{archive}.sha256")), format!("{digest}  {archive}\n"))
        .map_err(failed)?;
    println!("{}", folder.join(archive).display());
    Ok(())
}

fn target() -> Result<String, Failure> {
    let output = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not say what its host is")?.to_string())
}
