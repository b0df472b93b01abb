//! Copies code from the examples into the book's pages, so that the pages are complete and their
//! code is compiled and run.
//!
//! The line before a listing names its source:
//!
//! ````markdown
//! <!-- examples/new_game.rs:game -->
//! ```rust,ignore
//! struct Chomp;
//! ```
//! ````
//!
//! The part `game` of the example is between the lines `// ANCHOR: game` and `// ANCHOR_END: game`.

use crate::{Failure, root};
use std::fs;
use std::path::PathBuf;

/// Updates all listings in the pages.
pub(crate) fn copy() -> Result<(), Failure> {
    for (path, text, right) in pages()? {
        if text != right {
            fs::write(&path, right).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
            println!("{} has the examples' code again", path.display());
        }
    }
    Ok(())
}

/// Checks that the listings in the pages match the examples.
///
/// # Errors
/// If some do not match; the error names the pages.
pub(crate) fn check() -> Result<(), Failure> {
    let pages = pages()?.into_iter();
    let old: Vec<String> = pages
        .filter(|(_, text, right)| text != right)
        .map(|(path, ..)| path.strip_prefix(root()).unwrap_or(&path).display().to_string())
        .collect();
    match old.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "code that is not the examples' any more: {}; `cargo xtask listings` copies it again",
            old.join(", ")
        )),
    }
}

/// Returns all pages: path, current text, and text with fresh listings.
fn pages() -> Result<Vec<(PathBuf, String, String)>, Failure> {
    let folder = root().join("docs/src");
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let read = |file: &str| fs::read_to_string(root().join(file)).ok();
        let right = refreshed(&text, read).map_err(|what| format!("{}: {what}", path.display()))?;
        pages.push((path, text, right));
    }
    Ok(pages)
}

/// Parses the line before a listing; returns the file and the part.
fn source(line: &str) -> Option<(&str, &str)> {
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let (file, part) = inside.split_once(':')?;
    file.ends_with(".rs").then_some((file, part))
}

fn refreshed(page: &str, read: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut right = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        right += line;
        right.push('\n');
        let Some((file, part)) = source(line) else { continue };
        let text = read(file).ok_or_else(|| format!("there is no {file}"))?;
        let code = part_of(&text, part).ok_or_else(|| format!("{file} has no part '{part}'"))?;
        let fence = lines.next().filter(|line| line.starts_with("```"));
        let fence = fence.ok_or_else(|| format!("no code follows the line with {file}:{part}"))?;
        right += &format!("{fence}\n{code}```\n");
        if !lines.any(|line| line == "```") {
            return Err(format!("the code of {file}:{part} does not end"));
        }
    }
    Ok(right)
}

/// Returns the lines between two anchors, without their common indentation.
fn part_of(text: &str, part: &str) -> Option<String> {
    let is = |line: &str, what: &str| line.trim() == format!("// {what}: {part}");
    let mut lines = text.lines().skip_while(|line| !is(line, "ANCHOR"));
    lines.next()?;
    let code: Vec<&str> = lines
        .take_while(|line| !is(line, "ANCHOR_END"))
        .filter(|line| !line.trim().starts_with("// ANCHOR"))
        .collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = code.iter().filter(|line| !line.is_empty()).map(indent).min()?;
    Some(code.iter().map(|line| line.get(least..).unwrap_or("").to_string() + "\n").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "fn main() {\n    // ANCHOR: a\n    one();\n\n    // ANCHOR: b\n    \
                        if two {\n        three();\n    }\n    // ANCHOR_END: b\n    \
                        // ANCHOR_END: a\n}\n";

    fn page(code: &str) -> String {
        format!("# Page\n\n<!-- code.rs:a -->\n```rust,ignore\n{code}```\n\n```sh\nls\n```\n")
    }

    #[test]
    fn the_pages_have_the_code_of_the_examples() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn old_code_is_replaced_and_right_code_kept() {
        let read = |file: &str| (file == "code.rs").then(|| CODE.to_string());
        let right = page("one();\n\nif two {\n    three();\n}\n");
        assert_eq!(refreshed(&page("old();\n"), read).as_deref(), Ok(&*right));
        assert_eq!(refreshed(&right, read).as_deref(), Ok(&*right));
    }

    #[test]
    fn what_is_not_there_is_named() {
        let wrong = |page: &str| refreshed(page, |_| Some(CODE.into())).unwrap_err();
        assert_eq!(wrong("<!-- code.rs:c -->\n```rust\n```\n"), "code.rs has no part 'c'");
        assert!(wrong("<!-- code.rs:a -->\ntext\n").starts_with("no code follows"));
        assert!(wrong("<!-- code.rs:a -->\n```rust\ntext\n").ends_with("does not end"));
        assert_eq!(refreshed("<!-- code.rs:a -->\n", |_| None).unwrap_err(), "there is no code.rs");
    }
}
