//! Checkpoints of long proofs.

use crate::exit::complain;
use proofwood::SavedError;
use proofwood_any_game::Proving;
use proofwood_session::Trouble;
use proofwood_session::files::{Asked, Existing, Force, Whole};
use proofwood_session::input::limits::{read, read_time};
use std::io::{BufReader, Seek};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a checkpoint is written where nothing is said.
const USUAL: Duration = Duration::from_secs(60);

/// The options of checkpoints.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub(crate) struct CheckpointOptions {
    /// Write what auto, ab, dfpn, pds or df-ppns has found to a file now and then, so that --resume
    /// goes on from there, whatever ended the program
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    checkpoint: Option<PathBuf>,
    /// Time between two checkpoints [default: 60s]
    #[arg(long, value_name = "TIME", requires = "checkpoint", allow_negative_numbers = true)]
    every: Option<String>,
}

/// Writes checkpoints.
#[derive(Debug)]
pub struct Checkpoints {
    /// The proof goes on from the last one.
    resumes: bool,
    path: PathBuf,
    file: Whole,
    /// Why the last one could not be written.
    failure: Option<Trouble>,
    every: Duration,
    next: Instant,
    game: String,
}

impl CheckpointOptions {
    /// Whether there are to be any.
    pub(crate) fn are_given(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The checkpoints of a proof in this game, which goes on from the last one
    /// when it `resumes`.
    pub(crate) fn of(
        &self,
        game: &str,
        resumes: bool,
        force: Force,
    ) -> Result<Option<Checkpoints>, Trouble> {
        let every = read("--every", self.every.as_deref(), read_time)?.unwrap_or(USUAL);
        let Some(path) = self.checkpoint.clone() else { return Ok(None) };
        let existing = if resumes { Existing::Continued } else { force.existing() };
        let (option, resumable) = ("--checkpoint", Some("proof"));
        // Whether it can be written is told at once, not after a minute.
        let file = Whole::claim_file(Asked { option, path: &path, existing, resumable })?;
        let (next, game) = (Instant::now() + every, game.into());
        Ok(Some(Checkpoints { resumes, path, file, failure: None, every, next, game }))
    }
}

/// There can be no checkpoints of this proof.
fn refused(error: &SavedError) -> Trouble {
    Trouble::Input(format!("--checkpoint: {error}"))
}

impl Checkpoints {
    /// Whether there can be checkpoints of this search: told at once, not after a
    /// minute.
    pub(crate) fn check(&self, search: &dyn Proving) -> Result<(), Trouble> {
        search.can_be_saved().map_err(|error| refused(&error))
    }

    /// Has a search go on from the last checkpoint, if that is asked for and there is one; answers
    /// with the file's name.
    pub(crate) fn resume(&self, search: &mut dyn Proving) -> Result<Option<String>, Trouble> {
        if !self.resumes {
            return Ok(None);
        }
        let name = self.path.display();
        let Some(file) = self.file.standing() else { return Ok(None) };
        let unreadable = |error| Trouble::reading(&name, &error);
        let mut file = file.try_clone().map_err(unreadable)?;
        file.rewind().map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.len() == 0 {
            return Ok(None);
        }
        let mut file = BufReader::with_capacity(1 << 16, file);
        search.load(&self.game, &mut file).map_err(|error| match error {
            SavedError::Search(error) => Trouble::from(error),
            error => Trouble::Input(format!(
                "cannot go on from the checkpoint {name}: {error}; give another file or leave \
                 --resume out"
            )),
        })?;
        Ok(Some(name.to_string()))
    }

    /// Writes one when it is time to.
    pub(crate) fn save_when_due(&mut self, search: &dyn Proving) {
        if Instant::now() >= self.next {
            self.save(search);
            self.next = Instant::now() + self.every;
        }
    }

    /// Writes one. A proof does not end because its checkpoint failed.
    pub(crate) fn save(&mut self, search: &dyn Proving) {
        let saved = self.file.begin().and_then(|file| {
            search.save(&self.game, file).map_err(|error| match error {
                SavedError::Write(error) => Trouble::writing(self.path.display(), &error),
                error => refused(&error),
            })
        });
        self.failure = saved.and_then(|()| self.file.finish()).err();
        if let Some(failure) = &self.failure {
            complain(&format!("no checkpoint: {failure}"));
        }
    }

    /// Whether the file has what was found last. Where it has not, says so.
    pub(crate) fn are_complete(&self) -> bool {
        if self.failure.is_some() {
            let name = self.path.display();
            let held = match self.file.standing() {
                Some(_) => "an earlier checkpoint, from which --resume goes on",
                None => "nothing",
            };
            complain(&format!("what was found last is in no checkpoint; {name} holds {held}"));
        }
        self.failure.is_none()
    }
}
