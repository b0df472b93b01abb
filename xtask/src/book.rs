//! The book: its figures, its links, its pages.

use crate::{Failure, cargo, figures, links, listings, root, step};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version that is fetched where mdbook is not installed.
const VERSION: &str = "0.5.4";

/// What the book's pages are built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// To see that they can be built.
    Check,
    /// To be read online: with a search.
    Readers,
}

/// Checks the book and builds its pages into `target/book`. The explorer's page comes with
/// them where it was built before.
pub(crate) fn run(what_for: For) -> Result<(), Failure> {
    println!("==> figures, code and links of the book");
    figures::check()?;
    listings::check()?;
    links::check()?;
    let pages = root().join("target").join("book");
    let mut build = Command::new(mdbook(what_for)?);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(&pages);
    step("pages of the book", build)?;
    match pages.join("index.html").exists() {
        true => Ok(()),
        false => Err(format!("mdbook has left no pages in {}", pages.display())),
    }
}

/// The mdbook that is installed, or one of our own: without its server, which nobody needs
/// here, and not optimised: it runs for a moment. To check the book it has no search either:
/// both take longest to build.
fn mdbook(what_for: For) -> Result<PathBuf, Failure> {
    if runs(Path::new("mdbook")) {
        return Ok("mdbook".into());
    }
    let (tools, features) = match what_for {
        For::Check => ("tools", ""),
        For::Readers => ("tools-with-search", "search"),
    };
    let tools = root().join("target").join(tools);
    let own = tools.join("bin").join("mdbook");
    if !runs(&own) {
        let mut install =
            cargo(&["install", "--quiet", "--debug", "--locked", "--no-default-features"]);
        install.args(["--features", features]);
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
