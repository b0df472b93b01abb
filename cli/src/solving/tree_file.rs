//! Trees of searches as files: `--load-tree` and `--save-tree`.

use crate::display::screen::Line;
use crate::terminal::progress::Progress;
use proofwood::SavedError;
use proofwood_any_game::Searching;
use proofwood_session::Trouble;
use proofwood_session::files::{Asked, Force, Whole};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The options of trees that are kept.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Trees")]
pub(crate) struct TreeOptions {
    /// Go on with the tree that --save-tree has written, of the same game and position
    #[arg(long, value_name = "FILE")]
    load_tree: Option<PathBuf>,
    /// Write the tree to a file when the search has ended, for --load-tree
    #[arg(long, value_name = "FILE")]
    save_tree: Option<PathBuf>,
}

/// The files of one search, opened.
#[derive(Debug)]
pub(crate) struct TreeFiles {
    game: String,
    load: Option<(String, File)>,
    /// The option that asks for it, the file's name, and the file.
    save: Option<(&'static str, String, Whole)>,
    /// Nobody looks on.
    quiet: bool,
}

/// The file that a tree is to be saved in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SaveTo<'a> {
    /// The option that asks for it.
    pub(crate) option: &'static str,
    pub(crate) path: &'a Path,
    pub(crate) force: Force,
}

impl TreeOptions {
    /// Opens the files: what is wrong with them is told before the search starts. The
    /// same file may be both, and is then replaced.
    pub(crate) fn open(&self, game: &str, force: Force) -> Result<TreeFiles, Trouble> {
        let option = "--save-tree";
        let save = self.save_tree.as_deref().map(|path| SaveTo { option, path, force });
        TreeFiles::open(game, self.load_tree.as_deref(), save)
    }
}

impl TreeFiles {
    /// Opens the files. The same file may be both.
    pub(crate) fn open(
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
        Ok(TreeFiles { game: game.into(), load, save, quiet: false })
    }

    /// The same, which shows nothing on the terminal.
    pub(crate) fn quiet(self) -> TreeFiles {
        TreeFiles { quiet: true, ..self }
    }

    /// Shows what is done with a file, where somebody looks on.
    fn show(&self, doing: &str, name: &str) -> Option<Progress> {
        if self.quiet {
            return None;
        }
        let progress = Progress::new();
        progress.show(&Line::new().item(0, doing).item(1, name));
        Some(progress)
    }

    /// Has a search go on with the tree that was asked for. Whether its own can be saved
    /// is told now, too.
    pub(crate) fn load(&mut self, search: &mut dyn Searching) -> Result<(), Trouble> {
        if let Some((option, ..)) = &self.save {
            let refused = |error| Trouble::Input(format!("{option}: {error}"));
            search.can_be_saved().map_err(refused)?;
        }
        let Some((name, mut file)) = self.load.take() else { return Ok(()) };
        let _progress = self.show("loading", &name);
        search.load_tree(&self.game, &mut file).map_err(|error| match error {
            SavedError::Search(error) => Trouble::from(error),
            error => Trouble::Input(format!("cannot load the tree in {name}: {error}")),
        })
    }

    /// Writes the tree of a search that has ended, if that was asked for.
    pub(crate) fn save(&mut self, search: &dyn Searching) -> Result<(), Trouble> {
        let Some((_, name, mut file)) = self.save.take() else { return Ok(()) };
        let _progress = self.show("saving", &name);
        search.save_tree(&self.game, file.begin()?).map_err(|error| match error {
            SavedError::Write(error) => Trouble::writing(&name, &error),
            error => Trouble::Failed(format!("the tree is not saved: {error}")),
        })?;
        file.finish()
    }
}
