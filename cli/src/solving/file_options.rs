//! The options of `search` and `solve` that name files of trees and checkpoints.

use super::live::Shown;
use proofwood_session::Trouble;
use proofwood_session::files::Force;
use proofwood_session::input::limits::{read, read_time};
use proofwood_session::solving::checkpoint::Checkpoints;
use proofwood_session::solving::tree_file::{SaveTo, TreeFiles};
use std::path::PathBuf;
use std::time::Duration;

/// The default interval between checkpoints.
const USUAL: Duration = Duration::from_secs(60);

/// The options for writing checkpoints.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub(crate) struct CheckpointOptions {
    /// Write the prover's state to a file at regular intervals, for --resume (auto, ab, dfpn, pds
    /// and df-ppns)
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    checkpoint: Option<PathBuf>,
    /// Time between checkpoints [default: 60s]
    #[arg(long, value_name = "TIME", requires = "checkpoint", allow_negative_numbers = true)]
    every: Option<String>,
}

impl CheckpointOptions {
    pub(crate) fn are_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Opens the checkpoints of a proof in this game. If `resumes` is true, the proof continues
    /// from the last checkpoint.
    pub(crate) fn of(
        &self,
        game: &str,
        resumes: bool,
        force: Force,
    ) -> Result<Option<Checkpoints>, Trouble> {
        let every = read("--every", self.every.as_deref(), read_time)?.unwrap_or(USUAL);
        let Some(path) = self.checkpoint.clone() else { return Ok(None) };
        Checkpoints::open(path, every, game, resumes, force).map(Some)
    }
}

/// The options for loading and saving trees.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Trees")]
pub(crate) struct TreeOptions {
    /// Continue with a tree that --save-tree wrote for the same game and position
    #[arg(long, value_name = "FILE")]
    load_tree: Option<PathBuf>,
    /// Write the tree to a file when the search ends, for --load-tree
    #[arg(long, value_name = "FILE")]
    save_tree: Option<PathBuf>,
}

impl TreeOptions {
    /// Opens the files, so that an error is reported before the search starts. Both options may
    /// name the same file, which is then replaced.
    pub(crate) fn open(&self, game: &str, force: Force) -> Result<TreeFiles, Trouble> {
        let option = "--save-tree";
        let save = self.save_tree.as_deref().map(|path| SaveTo { option, path, force });
        let files = TreeFiles::open(game, self.load_tree.as_deref(), save)?;
        Ok(files.shown_by(Box::new(Shown::default())))
    }
}
