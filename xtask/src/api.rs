//! Compares the public interfaces of the published libraries with their snapshots in `docs/api/`.
//!
//! Any change to an interface thus shows up in a commit and cannot go unnoticed. The items are printed
//! by `cargo public-api`, from JSON that rustdoc writes only on nightly.

use crate::{Failure, nightly, root};
use std::fs;

const LIBRARIES: [&str; 3] = ["proofwood", "proofwood-game", "proofwood-certificate"];

/// Writes the snapshots, or fails if one differs from the interface.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    for library in LIBRARIES {
        let mut list = nightly::cargo(&["public-api", "-sss", "--package", library]);
        let output = list.output().map_err(|error| format!("cannot run rustup: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "cannot list the interface of {library}: {message}\nthis needs\n\n    \
                 rustup toolchain install nightly && cargo install cargo-public-api\n"
            ));
        }
        let file = root().join("docs/api").join(format!("{library}.txt"));
        let failed = |error| format!("{}: {error}", file.display());
        match check {
            false => fs::write(&file, &output.stdout).map_err(failed)?,
            true if fs::read(&file).map_err(failed)? != output.stdout => {
                return Err(format!(
                    "the public interface of {library} has changed; `cargo xtask api` updates \
                     docs/api/{library}.txt"
                ));
            }
            true => (),
        }
    }
    Ok(())
}
