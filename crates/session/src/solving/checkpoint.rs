//! Checkpoints of long proofs.

use super::observer::Observer;
use crate::Trouble;
use crate::files::{Asked, Existing, Force, Whole};
use proofwood::inspect::SavedError;
use proofwood_any_game::Proving;
use std::io::{BufReader, Seek};
use std::path::PathBuf;
use std::time::{Duration, Instant};

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

/// There can be no checkpoints of this proof.
fn refused(error: &SavedError) -> Trouble {
    Trouble::Input(format!("--checkpoint: {error}"))
}

impl Checkpoints {
    /// The checkpoints of a proof in this game, which goes on from the last one when it
    /// `resumes`.
    pub fn open(
        path: PathBuf,
        every: Duration,
        game: &str,
        resumes: bool,
        force: Force,
    ) -> Result<Checkpoints, Trouble> {
        let existing = if resumes { Existing::Continued } else { force.existing() };
        let (option, resumable) = ("--checkpoint", Some("proof"));
        // Whether it can be written is told at once, not after a minute.
        let file = Whole::claim_file(Asked { option, path: &path, existing, resumable })?;
        let (next, game) = (Instant::now() + every, game.into());
        Ok(Checkpoints { resumes, path, file, failure: None, every, next, game })
    }

    /// Whether there can be checkpoints of this search: told at once, not after a
    /// minute.
    pub fn check(&self, search: &dyn Proving) -> Result<(), Trouble> {
        search.can_be_saved().map_err(|error| refused(&error))
    }

    /// Has a search go on from the last checkpoint, if that is asked for and there is one; answers
    /// with the file's name.
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
                "cannot go on from the checkpoint {name}: {error}; give another file or leave \
                 --resume out"
            )),
        })?;
        Ok(Some(name.to_string()))
    }

    /// Writes one when it is time to.
    pub fn save_when_due(&mut self, search: &dyn Proving, observer: &dyn Observer) {
        if Instant::now() >= self.next {
            self.save(search, observer);
            self.next = Instant::now() + self.every;
        }
    }

    /// Writes one. A proof does not end because its checkpoint failed.
    pub fn save(&mut self, search: &dyn Proving, observer: &dyn Observer) {
        let saved = self.file.begin().and_then(|file| {
            search.save(&self.game, file).map_err(|error| match error {
                SavedError::Write(error) => Trouble::writing(self.path.display(), &error),
                error => refused(&error),
            })
        });
        self.failure = saved.and_then(|()| self.file.finish()).err();
        if let Some(failure) = &self.failure {
            observer.complain(&format!("no checkpoint: {failure}"));
        }
    }

    /// Whether the file has what was found last. Where it has not, says so.
    pub fn are_complete(&self, observer: &dyn Observer) -> bool {
        if self.failure.is_some() {
            let name = self.path.display();
            let held = match self.file.standing() {
                Some(_) => "an earlier checkpoint, from which --resume goes on",
                None => "nothing",
            };
            observer
                .complain(&format!("what was found last is in no checkpoint; {name} holds {held}"));
        }
        self.failure.is_none()
    }
}
