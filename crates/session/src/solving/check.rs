//! Certificates in files, held against the rules.

use crate::Trouble;
use crate::input::spec::find_game;
use proofwood::certificate::{Certificate, Checked, Refusal};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Why a file was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum NotAccepted {
    /// It is no proof.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be looked at.
    #[error(transparent)]
    Unreadable(#[from] Trouble),
}

/// Checks a file that this program has written, with as much memory as it takes.
pub fn check(path: &Path) -> Result<Checked, NotAccepted> {
    check_within(path, u64::MAX).map(|(checked, _)| checked)
}

/// Checks a file in this much memory; returns what the game's players are called,
/// too.
pub fn check_within(path: &Path, memory: u64) -> Result<(Checked, Vec<String>), NotAccepted> {
    let file = File::open(path).map_err(|error| Trouble::reading("it", &error))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(Trouble::Input("it is a directory".into()).into());
    }
    let certificate =
        Certificate::open(Box::new(BufReader::new(file)) as Box<dyn BufRead>)?.memory(memory);
    let (_, rules) = find_game(certificate.game())?;
    Ok((rules.check(certificate)?, rules.player_names()))
}
