//! Links between the pages of the book, the laboratory's notes, the README and
//! CONTRIBUTING: each leads to a file and, behind a `#`, to a heading in it.

use crate::{Failure, listings, root};
use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A page: what can be linked to, and where it links to itself.
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
    /// Files and folders of the repository that it names as code.
    paths: Vec<String>,
    /// Whether it leaves code out that only mdbook would put in.
    includes: bool,
    /// Whether it has code blocks in Rust of its own.
    rust: bool,
}

/// Checks the book in `docs/src`, the notes in `lab/notes`, the README and CONTRIBUTING.
///
/// # Errors
/// Everything that is wrong, a line each.
pub(crate) fn check() -> Result<(), Failure> {
    let source = root().join("docs").join("src");
    let mut pages = BTreeMap::new();
    for path in all_pages()? {
        pages.insert(path.clone(), read(&path)?);
    }
    let summary = source.join("SUMMARY.md");
    let listed = listed(&source, &pages[&summary]);
    let mut wrong = Vec::new();
    if listed.len() < pages[&summary].links.len() {
        wrong.push("SUMMARY.md lists a page twice".to_string());
    }
    let tested = fs::read_to_string(root().join("src").join("lib.rs"))
        .map_err(|error| format!("cannot read src/lib.rs: {error}"))?;
    for (path, page) in &pages {
        let name = path.strip_prefix(root()).unwrap_or(path).display();
        wrong.extend(page.problems(path, &pages).into_iter().map(|what| format!("{name}: {what}")));
        if path.starts_with(&source) && *path != summary && !listed.contains(path) {
            wrong.push(format!("{name}: the page is not in SUMMARY.md"));
        }
        if page.rust && !tested.contains(&format!("../{name}")) {
            wrong.push(format!("{name}: its code is no doc test in src/lib.rs"));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("links and code of the pages:\n  {}", wrong.join("\n  "))),
    }
}

/// The pages of the book in `docs/src`, the notes in `lab/notes`, the README and CONTRIBUTING.
pub(crate) fn all_pages() -> Result<Vec<PathBuf>, Failure> {
    let mut pages = pages_in(&root().join("docs").join("src"))?;
    pages.extend(pages_in(&root().join("lab").join("notes"))?);
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    Ok(pages)
}

/// The Markdown files of a folder.
fn pages_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(pages)
}

/// The pages that the summary lists; each once.
fn listed(source: &Path, summary: &Page) -> BTreeSet<PathBuf> {
    summary.links.iter().map(|link| resolved(&source.join(link))).collect()
}

fn read(path: &Path) -> Result<Page, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(Page::new(&text))
}

impl Page {
    fn new(text: &str) -> Page {
        let mut page = Page {
            anchors: BTreeSet::new(),
            links: vec![],
            paths: vec![],
            includes: false,
            rust: false,
        };
        let (mut heading, mut code) = (None::<String>, false);
        // Whether what follows is a copy of an example, which is tested there.
        let mut copied = false;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let title = heading.take().unwrap_or_default();
                    page.add_anchor(&title);
                }
                Event::Html(line) => copied = listings::source(&line).is_some(),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => {
                    let language = kind.split([',', ' ']).next().unwrap_or_default();
                    page.rust |= language == "rust" && !copied;
                    copied = false;
                    code = true;
                }
                Event::End(TagEnd::CodeBlock) => code = false,
                Event::Text(text) if code => page.includes |= text.contains("{{#include"),
                Event::Text(text) => heading.iter_mut().for_each(|title| title.push_str(&text)),
                Event::Code(text) => {
                    heading.iter_mut().for_each(|title| title.push_str(&text));
                    page.paths.extend(names_a_file(&text).then(|| text.to_string()));
                }
                Event::Start(
                    Tag::Link { dest_url, link_type, .. } | Tag::Image { dest_url, link_type, .. },
                ) if link_type != LinkType::Email => page.links.push(dest_url.to_string()),
                _ => {}
            }
        }
        page
    }

    /// As mdBook names the anchors of headings.
    fn add_anchor(&mut self, title: &str) {
        let kept = title.trim().chars().filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_lowercase().to_string()),
            c if c.is_whitespace() => Some("-".into()),
            _ => None,
        });
        let anchor: String = kept.collect();
        let taken = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(taken);
        self.anchors.extend(free.into_iter().find(|name| !self.anchors.contains(name)));
    }

    fn problems(&self, path: &Path, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
        let folder = path.parent().unwrap_or(path);
        let links = self.links.iter().filter_map(|link| {
            let elsewhere = link.contains("://") || link.starts_with("mailto:");
            if elsewhere { None } else { self.problem(link, folder, pages) }
        });
        let includes =
            self.includes.then(|| "code that only mdbook puts in; see listings.rs".into());
        // Notes speak of what was there when they were written.
        let today = !path.starts_with(root().join("lab"));
        let gone = self.paths.iter().filter(|path| today && !root().join(path).exists());
        links.chain(includes).chain(gone.map(|path| format!("there is no {path}"))).collect()
    }

    fn problem(
        &self,
        link: &str,
        folder: &Path,
        pages: &BTreeMap<PathBuf, Page>,
    ) -> Option<String> {
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = resolved(&folder.join(file));
        let page = if file.is_empty() { Some(self) } else { pages.get(&target) };
        if page.is_none() && !target.exists() {
            return Some(format!("the link to {link} leads nowhere"));
        }
        match page {
            _ if anchor.is_empty() => None,
            Some(page) if page.anchors.contains(anchor) => None,
            _ => Some(format!("{file} has no heading for the link to #{anchor}")),
        }
    }
}

/// Whether code in a text is the path of a file or folder of the repository.
fn names_a_file(code: &str) -> bool {
    const FOLDERS: [&str; 11] = [
        "src",
        "tests",
        "cli",
        "crates",
        "lab",
        "docs",
        "examples",
        "benches",
        "xtask",
        "loom-tests",
        "stress",
    ];
    let plain = code.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    plain && code.split_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder))
}

/// A path without `.` and `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pages_are_as_they_should_be() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn headings_become_anchors_and_bad_links_are_found() {
        let text = "# Two words, `code`\n## Again\n## Again\n[a](#two-words-code) [b](#again-1) \
                    [c](#gone) [d](gone.md) [e](Cargo.toml) [f](https://example.org/gone)\n";
        let problems = Page::new(text).problems(&root().join("page.md"), &BTreeMap::new());
        let expected =
            [" has no heading for the link to #gone", "the link to gone.md leads nowhere"];
        assert_eq!(problems, expected);
    }

    #[test]
    fn files_that_are_gone_are_found() {
        let page = Page::new("`src/lib.rs` `lab/notes/` `src/gone.rs` `proofwood solve a/b` `a/b`");
        let problems = page.problems(&root().join("page.md"), &BTreeMap::new());
        assert_eq!(problems, ["there is no src/gone.rs"]);
        assert!(page.problems(&root().join("lab/note.md"), &BTreeMap::new()).is_empty());
    }

    #[test]
    fn code_is_copied_or_has_to_be_tested() {
        let copied = Page::new("<!-- examples/new_game.rs:game -->\n```rust,ignore\nlet a;\n```\n");
        assert!(!copied.rust);
        assert!(Page::new("<!-- a word -->\n```rust\nlet a = 1;\n```\n").rust);
        assert!(!Page::new("```sh\nls\n```\n").rust);
        let included = Page::new("```rust,ignore\n{{#include xtask/src/links.rs:gone}}\n```\n");
        let problems = included.problems(&root().join("page.md"), &BTreeMap::new());
        assert_eq!(problems, ["code that only mdbook puts in; see listings.rs"]);
    }
}
