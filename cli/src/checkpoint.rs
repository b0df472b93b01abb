//! Checkpoints of long proofs.

use crate::exit::{Failure, complain};
use crate::limits::{read, read_time};
use crate::print::check_unused;
use crate::replacing::Replacing;
use proofwood::CheckpointError;
use proofwood_any_game::Proving;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a checkpoint is written where nothing is said.
const USUAL: Duration = Duration::from_secs(60);

/// The options of checkpoints.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checkpoints")]
pub(crate) struct CheckpointOptions {
    /// Write what dfpn or pds has found to a file now and then, so that --resume
    /// goes on from there, whatever ended the program
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    checkpoint: Option<PathBuf>,
    /// Time between two checkpoints [default 60s]
    #[arg(long, value_name = "TIME", requires = "checkpoint", allow_negative_numbers = true)]
    every: Option<String>,
}

/// Writes checkpoints.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    path: PathBuf,
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
    pub(crate) fn of(&self, game: &str, resumes: bool) -> Result<Option<Checkpoints>, Failure> {
        let every = read("--every", self.every.as_deref(), read_time)?.unwrap_or(USUAL);
        let Some(path) = self.checkpoint.clone() else { return Ok(None) };
        if !resumes {
            check_unused("--checkpoint", &path, "proof")?;
        }
        // Whether it can be written is told at once, not after a minute.
        Replacing::create(&path)?;
        Ok(Some(Checkpoints { path, every, next: Instant::now() + every, game: game.into() }))
    }
}

impl Checkpoints {
    /// Has a search go on from the checkpoint, if there is one.
    pub(crate) fn load(&self, search: &mut dyn Proving) -> Result<(), Failure> {
        let name = self.path.display();
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Failure::reading(name, &error)),
        };
        search.load(&self.game, &mut BufReader::with_capacity(1 << 16, file)).map_err(|error| {
            match error {
                CheckpointError::Search(error) => Failure::from(error),
                error => Failure::Input(format!(
                    "cannot go on from the checkpoint {name}: {error}; give another file or leave \
                     --resume out"
                )),
            }
        })
    }

    /// Writes one when it is time to.
    pub(crate) fn save_when_due(&mut self, search: &dyn Proving) {
        if Instant::now() >= self.next {
            self.save(search);
            self.next = Instant::now() + self.every;
        }
    }

    /// Writes one. A proof does not end because its checkpoint failed.
    pub(crate) fn save(&self, search: &dyn Proving) {
        let saved = Replacing::create(&self.path).and_then(|mut file| {
            let written = search.save(&self.game, file.file());
            written.map_err(|error| Failure::writing(self.path.display(), &error))?;
            file.finish()
        });
        if let Err(failure) = saved {
            complain(&format!("no checkpoint: {failure}"));
        }
    }
}
