//! Checkpoints of long proofs.

use super::observer::Observer;
use crate::Trouble;
use crate::files::{Asked, Existing, Force, Whole};
use proofwood::inspect::SavedError;
use proofwood_any_game::Proving;
use std::io::{BufReader, Seek};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Writes the checkpoints of a proof.
#[derive(Debug)]
pub struct Checkpoints {
    /// Whether the proof continues from the last checkpoint.
    resumes: bool,
    path: PathBuf,
    file: Whole,
    failure: Option<Trouble>,
    every: Duration,
    next: Instant,
    game: String,
}

fn refused(error: &SavedError) -> Trouble {
    Trouble::Input(format!("--checkpoint: {error}"))
}

impl Checkpoints {
    /// Opens the checkpoint file of a proof in this game. If `resumes` is true, the proof continues
    /// from the last checkpoint.
    pub fn open(
        path: PathBuf,
        every: Duration,
        game: &str,
        resumes: bool,
        force: Force,
    ) -> Result<Checkpoints, Trouble> {
        let existing = if resumes { Existing::Continued } else { force.existing() };
        let (option, resumable) = ("--checkpoint", Some("proof"));
        // Claiming the file now reveals an error before the first interval has passed.
        let file = Whole::claim_file(Asked { option, path: &path, existing, resumable })?;
        let (next, game) = (Instant::now() + every, game.into());
        Ok(Checkpoints { resumes, path, file, failure: None, every, next, game })
    }

    /// Refuses a search that cannot be saved, before the first checkpoint is due.
    pub fn check(&self, search: &dyn Proving) -> Result<(), Trouble> {
        search.can_be_saved().map_err(|error| refused(&error))
    }

    /// Continues a search from the last checkpoint, if the user has requested this and a checkpoint
    /// exists. Returns the name of the file.
    pub fn resume(&self, search: &mut dyn Proving) -> Result<Option<String>, Trouble> {
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
                "cannot resume from the checkpoint {name}: {error}; give another file or leave \
                 out --resume"
            )),
        })?;
        Ok(Some(name.to_string()))
    }

    /// Writes a checkpoint if one is due.
    pub fn save_when_due(&mut self, search: &dyn Proving, observer: &dyn Observer) {
        if Instant::now() >= self.next {
            self.save(search, observer);
            self.next = Instant::now() + self.every;
        }
    }

    /// Writes a checkpoint. A failure does not end the proof.
    pub fn save(&mut self, search: &dyn Proving, observer: &dyn Observer) {
        let saved = self.file.begin().and_then(|file| {
            search.save(&self.game, file).map_err(|error| match error {
                SavedError::Write(error) => Trouble::writing(self.path.display(), &error),
                error => refused(&error),
            })
        });
        self.failure = saved.and_then(|()| self.file.finish()).err();
        if let Some(failure) = &self.failure {
            observer.complain(&format!("cannot write a checkpoint: {failure}"));
        }
    }

    /// Returns whether the file contains the latest state of the proof; if not, reports this.
    pub fn are_complete(&self, observer: &dyn Observer) -> bool {
        if self.failure.is_some() {
            let name = self.path.display();
            let held = match self.file.standing() {
                Some(_) => "an earlier checkpoint, from which --resume continues",
                None => "nothing",
            };
            observer
                .complain(&format!("the latest results were not saved; {name} contains {held}"));
        }
        self.failure.is_none()
    }
}
