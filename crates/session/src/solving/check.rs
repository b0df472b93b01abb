//! Checks certificates in files against the rules.

use crate::Trouble;
use crate::input::spec::find_game;
use proofwood::certificate::{Certificate, Checked, Refusal};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The reason why a file was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum NotAccepted {
    /// The file is not a valid certificate.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The file could not be read.
    #[error(transparent)]
    Unreadable(#[from] Trouble),
}

/// Checks a file written by this program, without a limit on memory.
pub fn check(path: &Path) -> Result<Checked, NotAccepted> {
    check_within(path, u64::MAX).map(|(checked, _)| checked)
}

/// Checks a file within `memory` bytes. Also returns the names of the game's players.
pub fn check_within(path: &Path, memory: u64) -> Result<(Checked, Vec<String>), NotAccepted> {
    let file = File::open(path).map_err(|error| Trouble::reading("the file", &error))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(Trouble::Input("this is a directory".into()).into());
    }
    let certificate =
        Certificate::open(Box::new(BufReader::new(file)) as Box<dyn BufRead>)?.memory(memory);
    let (_, rules) = find_game(certificate.game())?;
    Ok((rules.check(certificate)?, rules.player_names()))
}
