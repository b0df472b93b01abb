//! Checks the titles of commits: `area: verb object`, at most 72 characters.

use crate::{Failure, root};
use std::process::Command;

/// The commit after which titles must follow the rule.
const SINCE: &str = "70d0862a";
const LONGEST: usize = 72;

/// Checks the titles of all commits after [`SINCE`] in this clone.
pub(crate) fn check() -> Result<(), Failure> {
    let known = |commit: &str| {
        let name = format!("{commit}^{{commit}}");
        let output = git(&["rev-parse", "--quiet", "--verify", &name]);
        output.is_some_and(|name| !name.is_empty())
    };
    // A shallow clone may lack the commit `SINCE`; then only the newest commit is checked.
    let range = if known(SINCE) { format!("{SINCE}..HEAD") } else { "HEAD~1..HEAD".into() };
    let titles = git(&["log", "--no-merges", "--format=%s", &range]).unwrap_or_default();
    match titles.lines().find_map(|title| Some((title, fault(title)?))) {
        None => Ok(()),
        Some((title, fault)) => Err(format!("the title of a commit {fault}: {title}")),
    }
}

/// Returns the fault of a title, if it has one.
fn fault(title: &str) -> Option<String> {
    let area = |area: &str| {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_/., ".contains(c);
        !area.is_empty() && area.chars().all(plain)
    };
    let length = title.chars().count();
    match title.split_once(": ") {
        _ if title.starts_with("Revert ") => None,
        _ if length > LONGEST => Some(format!("has {length} characters, more than {LONGEST}")),
        Some((before, after)) if area(before) => {
            let first = after.chars().next();
            let lower = first.is_some_and(|c| c.is_ascii_lowercase());
            (!lower || after.ends_with('.'))
                .then(|| "is not `area: verb object` without a full stop".to_string())
        }
        _ => Some("does not begin with an area and a colon".into()),
    }
}

/// Runs git in the workspace and returns its output; `None` if it fails.
pub(crate) fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_an_area_and_say_what_is_done() {
        assert_eq!(fault("search: flush cached visits on stop"), None);
        assert_eq!(fault("crates: move games, any-game and nets"), None);
        for wrong in ["Said in two sentences", "search: Flush it", "docs: split it.", ": a"] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
        assert!(fault(&format!("docs: {}", "a".repeat(67))).is_some());
        assert_eq!(fault(&format!("docs: {}", "a".repeat(66))), None);
    }
}
