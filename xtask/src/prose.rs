//! Checks doc comments, the book's pages and the README for phrases to avoid.
//!
//! The count of all remaining phrases is in `prose.txt`; it may only fall.

use crate::{Failure, root, titles::git};
use std::fs;

const COUNT: &str = "xtask/prose.txt";

/// Checks that there are no more phrases to avoid than the stored count; with `keep`, stores the
/// new count.
pub(crate) fn run(keep: bool) -> Result<(), Failure> {
    let read =
        |path: &str| fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let git = |arguments: &[&str]| git(arguments).unwrap_or_default();
    let mut found = Vec::new();
    let list = git(&["ls-files", "--", "*.rs", "docs/src/*.md", "README.md"]);
    for path in list.lines().filter(|path| root().join(path).exists()) {
        let phrases = phrases(path.ends_with(".rs"), &read(path)?);
        found.extend(phrases.into_iter().map(|(line, phrase)| (path, line, phrase)));
    }
    let most = read(COUNT)?.trim().parse().map_err(|error| format!("{COUNT}: {error}"))?;
    if found.len() > most {
        // Lists only files that changed after the count, since the new phrases are in these.
        let since = git(&["log", "-1", "--format=%H", "--", COUNT]);
        let changed = git(&["diff", "--name-only", since.trim()]);
        for (path, line, phrase) in found.iter().filter(|(path, ..)| changed.contains(path)) {
            println!("{path}:{line}: {phrase}");
        }
        return Err(format!("{} phrases to avoid, not {most} at most", found.len()));
    }
    if keep {
        fs::write(root().join(COUNT), format!("{}\n", found.len())).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Returns the phrases to avoid in a file, each with the line where its paragraph starts. In Rust
/// only doc comments are read. Code blocks are skipped.
fn phrases(is_rust: bool, text: &str) -> Vec<(usize, String)> {
    let (mut all, mut paragraph, mut start) = (Vec::new(), String::new(), 0);
    let (mut is_code, mut opens) = (false, true);
    for (number, line) in text.lines().chain([""]).enumerate() {
        let line = line.trim();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"));
        let words = if is_rust { comment.unwrap_or("") } else { line }.trim();
        is_code ^= words.starts_with("```");
        if !words.is_empty() && !words.starts_with("```") && !is_code {
            start = if paragraph.is_empty() { number + 1 } else { start };
            paragraph += words;
            paragraph.push(' ');
            continue;
        }
        all.extend(faults(&paragraph, is_rust && opens).into_iter().map(|fault| (start, fault)));
        opens = comment.is_none() || opens && paragraph.is_empty();
        paragraph.clear();
    }
    all
}

/// Returns the phrases to avoid in a paragraph; `opens` marks a doc comment's first paragraph.
fn faults(paragraph: &str, opens: bool) -> Vec<String> {
    let raw: Vec<&str> = paragraph.split_whitespace().collect();
    let plain = |word: &&str| word.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let words: Vec<String> = raw.iter().map(plain).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let is_opening = match (raw.first(), word(1), word(2)) {
        (Some(&("What" | "Who" | "Whose" | "How" | "Why")), ..) => !paragraph.contains('?'),
        (Some(&"The"), "same", "of" | "for" | "with" | "where" | "as") => true,
        _ => false,
    };
    let opening = (opens && is_opening).then(|| format!("`{} {}` for a noun", raw[0], word(1)));
    let fault = |at: usize| {
        let is_fault = match (word(at), word(at + 1)) {
            ("whoever" | "nobody" | "anew", _) => true,
            ("so", "many" | "few" | "often") => !words[at + 2..].iter().any(|w| w == "that"),
            ("is" | "are" | "was" | "were" | "be", "told" | "believed") => true,
            ("is" | "are" | "was" | "were", "no") => {
                let compares =
                    ["longer", "more", "less", "worse", "better"].contains(&word(at + 2));
                !compares && at > 0 && word(at - 1) != "there"
            }
            _ => false,
        };
        is_fault.then(|| format!("`{} {}`", word(at), word(at + 1)))
    };
    opening.into_iter().chain((0..words.len()).filter_map(fault)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_doc_comments_alone() {
        let text = "/// What is kept.\n///\n/// How so: it is no port, and is told anew.\nfn f() {}\n\
                    // nobody\n/// So many moves that it waits. There is no end.\n/// ```\n\
                    /// so many\n/// ```\nfn g() {}\n//! The same for two.\n";
        let lines = |is_rust| phrases(is_rust, text).iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(lines(true), [1, 3, 3, 3, 11]);
        assert_eq!(phrases(true, text)[0].1, "`What is` for a noun");
        assert_eq!(phrases(false, "Some is told.\n\n```\nanew\n```\nWhat is it\n").len(), 1);
    }
}
