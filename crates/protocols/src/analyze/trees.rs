//! Trees that queries load and save, in a folder named on the command line.
//!
//! A query names a tree by a bare file name, so a client cannot reach files outside the folder.

use proofwood_session::Trouble;
use proofwood_session::files::Force;
use proofwood_session::solving::tree_file::{SaveTo, TreeFiles};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum length of a tree's name.
const LONGEST: usize = 100;

#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    pub(super) load: Option<PathBuf>,
    pub(super) save: Option<PathBuf>,
    pub(super) force: bool,
}

/// Returns the path of the tree with this name, or the reason why the name is invalid.
pub(super) fn file(folder: Option<&Path>, name: &str) -> Result<PathBuf, String> {
    let folder = folder.ok_or("no folder for trees is set; start the program with --trees DIR")?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let is_name = name.chars().all(fits)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !name.ends_with(".partial")
        && name.len() <= LONGEST;
    match is_name {
        true => Ok(folder.join(name)),
        false => Err(format!(
            "'{}' should be a file name: up to {LONGEST} letters, digits, '.', '-' and '_', \
             beginning with a letter or a digit",
            name.chars().take(LONGEST).collect::<String>()
        )),
    }
}

impl Trees {
    /// Opens the files, so that an error is reported before the search starts.
    pub(super) fn open(&self, game: &str) -> Result<TreeFiles, Trouble> {
        const OPTION: &str = "save_tree";
        if let Some(path) = self.save.as_deref().filter(|_| !self.force) {
            let holds_something = fs::metadata(path).is_ok_and(|data| data.len() > 0);
            if holds_something {
                let name = path.file_name().unwrap_or_default().display();
                return Err(Trouble::Input(format!(
                    "{OPTION}: {name} already exists; \"force\": true replaces it"
                )));
            }
        }
        let force = Force { force: self.force };
        let save = self.save.as_deref().map(|path| SaveTo { option: OPTION, path, force });
        TreeFiles::open(game, self.load.as_deref(), save)
    }

    pub(super) fn are_none(&self) -> bool {
        self.load.is_none() && self.save.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_no_other_folder() {
        let folder = Some(Path::new("trees"));
        assert_eq!(file(folder, "a-1_B.tree"), Ok(PathBuf::from("trees/a-1_B.tree")));
        let long = "a".repeat(LONGEST + 1);
        for name in ["", ".", "..", "../a", "a/b", "/a", "a\\b", "C:a", ".a", "-", "é", &long] {
            assert!(file(folder, name).is_err_and(|why| why.contains("a file name")), "{name}");
        }
        assert!(file(folder, "a.tree.partial").is_err());
        assert!(file(None, "a").is_err_and(|why| why.contains("--trees DIR")));
    }
}
