//! Trees in files: `--load-tree` and `--save-tree`.

use super::observer::{Observer, Step, Unobserved};
use crate::Trouble;
use crate::files::{Asked, Force, Whole};
use proofwood::inspect::SavedError;
use proofwood_any_game::Searching;
use std::fs::File;
use std::path::Path;

/// The open files from which a search loads its tree and to which it saves the tree.
pub struct TreeFiles {
    game: String,
    load: Option<(String, File)>,
    /// The option that names the file, the file's name, and the file.
    save: Option<(&'static str, String, Whole)>,
    observer: Box<dyn Observer>,
}

/// The file in which the tree will be saved.
#[derive(Clone, Copy, Debug)]
pub struct SaveTo<'a> {
    /// The option that names the file, for errors.
    pub option: &'static str,
    /// The path of the file.
    pub path: &'a Path,
    /// Whether an existing file may be replaced.
    pub force: Force,
}

impl TreeFiles {
    /// Opens the files. `load` and `save` may be the same file.
    pub fn open(
        game: &str,
        load: Option<&Path>,
        save: Option<SaveTo<'_>>,
    ) -> Result<TreeFiles, Trouble> {
        let load = match load {
            None => None,
            Some(path) => {
                let name = path.display().to_string();
                let unreadable = |error| Trouble::reading(&name, &error);
                let file = File::open(path).map_err(unreadable)?;
                if file.metadata().map_err(unreadable)?.is_dir() {
                    return Err(unreadable(std::io::ErrorKind::IsADirectory.into()));
                }
                Some((name, file))
            }
        };
        let save = match save {
            None => None,
            Some(SaveTo { option, path, force }) => {
                let file = Whole::claim_file(Asked::new(option, path, force))?;
                Some((option, path.display().to_string(), file))
            }
        };
        Ok(TreeFiles { game: game.into(), load, save, observer: Box::new(Unobserved) })
    }

    /// Sets the observer that shows the work on the files.
    pub fn shown_by(self, observer: Box<dyn Observer>) -> TreeFiles {
        TreeFiles { observer, ..self }
    }

    /// Loads the tree, if one was given, into `search`. Also refuses a search whose tree cannot be
    /// saved, if saving was requested.
    pub fn load(&mut self, search: &mut dyn Searching) -> Result<(), Trouble> {
        if let Some((option, ..)) = &self.save {
            let refused = |error| Trouble::Input(format!("{option}: {error}"));
            search.can_be_saved().map_err(refused)?;
        }
        let Some((name, mut file)) = self.load.take() else { return Ok(()) };
        let _step = Step::begin(&*self.observer, "loading", &name);
        search.load_tree(&self.game, &mut file).map_err(|error| match error {
            SavedError::Search(error) => Trouble::from(error),
            error => Trouble::Input(format!("cannot load the tree in {name}: {error}")),
        })
    }

    /// Saves the tree of a finished search, if a file for it was given.
    pub fn save(&mut self, search: &dyn Searching) -> Result<(), Trouble> {
        let Some((_, name, mut file)) = self.save.take() else { return Ok(()) };
        let _step = Step::begin(&*self.observer, "saving", &name);
        search.save_tree(&self.game, file.begin()?).map_err(|error| match error {
            SavedError::Write(error) => Trouble::writing(&name, &error),
            error => Trouble::Failed(format!("cannot save the tree: {error}")),
        })?;
        file.finish()
    }
}
