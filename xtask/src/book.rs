//! Checks and builds the book: its listings, its links and its pages.

use crate::{
    Failure, WORKSPACE, cargo, executables, listings, measure, python, results, root, step,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version to install if mdbook is missing.
const VERSION: &str = "0.5.4";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// For a check, which builds the pages only if mdbook is installed.
    Check,
    /// For readers online, with the search index.
    Readers,
}

/// Checks the book and builds its pages into `target/book`, with the explorer's page if that was
/// built before.
pub(crate) fn run(what_for: For) -> Result<(), Failure> {
    println!("==> code of the book");
    listings::check()?;
    list_options(what_for)?;
    check_links()?;
    let Some(mdbook) = mdbook(what_for)? else {
        println!("==> no mdbook is there, and no page is built: `cargo xtask book` fetches one");
        return Ok(());
    };
    let pages = root().join("target").join("book");
    let mut build = Command::new(mdbook);
    build.arg("build").arg(root().join("docs")).arg("--dest-dir").arg(&pages);
    step("pages of the book", build)?;
    if !pages.join("index.html").exists() {
        return Err(format!("mdbook has left no pages in {}", pages.display()));
    }
    if what_for == For::Readers {
        let page = crate::page::file();
        match page.exists() {
            true => put_in_the_explorer(&pages, &page)?,
            false => println!("==> without the explorer: `cargo xtask page` builds it"),
        }
    }
    Ok(())
}

/// Writes the tables of options, which an example prints, into their page. A check only compares
/// them.
fn list_options(what_for: For) -> Result<(), Failure> {
    println!("==> options in the book");
    let built = executables(&[&["--profile", "test", "--example", "options"], WORKSPACE].concat())?;
    let (_, example) = built.first().ok_or("the example options is not built")?;
    let printed = Command::new(example).output().map_err(|error| format!("options: {error}"))?;
    let page = root().join("docs/src/options.md");
    let failed = |error: std::io::Error| format!("{}: {error}", page.display());
    let text = fs::read_to_string(&page).map_err(failed)?;
    let right = measure::replaced(&text, "options", &String::from_utf8_lossy(&printed.stdout));
    let right = right.ok_or("options.md has no place for the options")?;
    match what_for {
        _ if text == right => Ok(()),
        For::Readers => fs::write(&page, right).map_err(failed),
        For::Check => Err("options.md lacks the options of today: `cargo xtask book`".into()),
    }
}

/// Checks that links in all Markdown files lead to existing files and headings; web links are not
/// followed. Skips this with a message if pip cannot fetch the checker.
fn check_links() -> Result<(), Failure> {
    let checker = python::tool("md-dead-link-check", "md-dead-link-check==1.3.0")?;
    // The checker uses git to list the files.
    let (Some(mut checker), true) = (checker, root().join(".git").exists()) else {
        println!("==> links of the pages are not checked: pip reaches no registry, or no git");
        return Ok(());
    };
    checker.arg("--config").arg(root().join("docs/links.toml")).current_dir(root());
    step("links of the pages", checker)
}

const HEADLINE_ENDS: &str = "</h1>";

/// Adds the explorer to the book, both as a file and embedded in its own page, and adds links that
/// open the results' certificates in the explorer.
fn put_in_the_explorer(pages: &Path, page: &Path) -> Result<(), Failure> {
    let name = "proofwood.html";
    let failed = |error: std::io::Error| format!("the explorer in the book: {error}");
    fs::copy(page, pages.join(name)).map_err(failed)?;
    let about = pages.join("explorer.html");
    let text = fs::read_to_string(&about).map_err(failed)?;
    fs::write(&about, with_the_explorer(&text, name)?).map_err(failed)?;
    results::carry(pages)?;
    let table = pages.join("results.html");
    let text = fs::read_to_string(&table).map_err(failed)?;
    fs::write(&table, results::linked(&text, name)).map_err(failed)?;
    println!("==> the explorer is in {}", about.display());
    Ok(())
}

/// Inserts the explorer below the headline of its page. The book's menu has a headline, too, before
/// the main text.
fn with_the_explorer(text: &str, name: &str) -> Result<String, Failure> {
    let main = text.find("<main").ok_or("the book's page on the explorer has no <main>")?;
    let end = text[main..].find(HEADLINE_ENDS).ok_or("it has no headline")?;
    let (before, after) = text.split_at(main + end + HEADLINE_ENDS.len());
    Ok(format!(
        "{before}\n<p><a href=\"{name}\">Open the explorer on a page of its own</a></p>\n\
         <iframe src=\"{name}\" title=\"The explorer\" loading=\"lazy\" \
         style=\"width:100%;height:80vh;border:1px solid #888\"></iframe>{after}"
    ))
}

/// Returns the installed mdbook, or installs one, without its server and unoptimised, since it runs
/// only briefly. A check does not install mdbook, which would take two minutes: only the links and
/// SUMMARY.md can be faulty, and those are checked separately.
fn mdbook(what_for: For) -> Result<Option<PathBuf>, Failure> {
    if runs(Path::new("mdbook")) {
        return Ok(Some("mdbook".into()));
    }
    let tools = root().join("target").join("tools-with-search");
    let own = tools.join("bin").join("mdbook");
    if runs(&own) {
        return Ok(Some(own));
    }
    if what_for == For::Check {
        return Ok(None);
    }
    let mut install = cargo(&["install", "--quiet", "--debug", "--locked"]);
    install.args(["--no-default-features", "--features", "search"]);
    install.args(["--version", VERSION, "mdbook", "--root"]).arg(&tools);
    install.env("CARGO_TARGET_DIR", tools.join("build"));
    step("fetching mdbook", install)?;
    Ok(Some(own))
}

fn runs(program: &Path) -> bool {
    let silent = Command::new(program).arg("--version").stdout(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_explorer_stands_below_its_headline() {
        let page = "<h1>Proofwood</h1><main><h1>The explorer</h1><p>text</p></main>";
        let with = with_the_explorer(page, "a.html").expect("it has a headline");
        assert!(with.starts_with("<h1>Proofwood</h1><main><h1>The explorer</h1>\n<p><a href"));
        assert!(with.ends_with("</iframe><p>text</p></main>"));
        assert!(with_the_explorer("<main></main>", "a.html").is_err());
    }
}
