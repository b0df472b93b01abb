//! The book: its figures, its links, its pages.

use crate::{Failure, cargo, figures, links, listings, root, step};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version that is fetched where mdbook is not installed.
const VERSION: &str = "0.5.4";

/// Checks the book and builds its pages into `target/book`.
pub(crate) fn run() -> Result<(), Failure> {
    println!("==> figures, code and links of the book");
    figures::check()?;
    listings::check()?;
    links::check()?;
    let pages = root().join("target").join("book");
    let mut build = Command::new(mdbook()?);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(&pages);
    step("pages of the book", build)?;
    match pages.join("index.html").exists() {
        true => Ok(()),
        false => Err(format!("mdbook has left no pages in {}", pages.display())),
    }
}

/// The mdbook that is installed, or one of our own: without its search and its
/// server, which nobody needs here and which take longest to build, and not optimised:
/// it runs for a moment.
fn mdbook() -> Result<PathBuf, Failure> {
    if runs(Path::new("mdbook")) {
        return Ok("mdbook".into());
    }
    let tools = root().join("target").join("tools");
    let own = tools.join("bin").join("mdbook");
    if !runs(&own) {
        let mut install =
            cargo(&["install", "--quiet", "--debug", "--locked", "--no-default-features"]);
        install.args(["--version", VERSION, "mdbook", "--root"]).arg(&tools);
        install.env("CARGO_TARGET_DIR", tools.join("build"));
        step("fetching mdbook", install)?;
    }
    Ok(own)
}

fn runs(program: &Path) -> bool {
    let silent = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}
