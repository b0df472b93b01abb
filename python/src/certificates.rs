//! Writes certificates to files, and checks them against the rules.

use crate::answers::json;
use crate::errors;
use crate::options::bytes;
use crate::wait::{aside, given_up};
use proofwood::certificate::{Certificate, Checked, DEFAULT_MEMORY, Refusal};
use proofwood_any_game::CheckedAnswer;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

enum Failed {
    Io(std::io::Error),
    Refused(Refusal),
    Spec(proofwood_games::SpecError),
}

type Rules = Arc<dyn proofwood_any_game::Rules>;

/// Checks a certificate against the rules of the game that it names.
#[pyfunction]
pub(crate) fn check_file(
    py: Python<'_>,
    path: PathBuf,
    memory: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    check(py, path, memory, None)
}

/// Checks a certificate against `rules` or, if there are none, against the rules of the game that
/// it names.
pub(crate) fn check(
    py: Python<'_>,
    path: PathBuf,
    memory: Option<Bound<'_, PyAny>>,
    rules: Option<Rules>,
) -> PyResult<String> {
    let memory = memory.map(|memory| bytes("memory", &memory)).transpose()?;
    let memory = memory.unwrap_or(DEFAULT_MEMORY);
    match aside(py, move || run(path, memory, rules), || ())? {
        Ok((checked, players)) => json(&CheckedAnswer::new(&checked, &players)),
        Err(Failed::Io(error)) => Err(error.into()),
        Err(Failed::Refused(error)) => Err(errors::refused(&error)),
        Err(Failed::Spec(error)) => Err(errors::spec(&error)),
    }
}

fn run(path: PathBuf, memory: u64, rules: Option<Rules>) -> Result<(Checked, Vec<String>), Failed> {
    let file = File::open(path).map_err(Failed::Io)?;
    let file: Box<dyn BufRead> = Box::new(BufReader::new(WhileAwaited(file)));
    let certificate = Certificate::open(file).map_err(Failed::Refused)?;
    let certificate = certificate.memory(memory);
    let rules = match rules {
        Some(rules) => rules,
        None => proofwood_any_game::find(certificate.game()).map_err(Failed::Spec)?.into(),
    };
    let checked = rules.check(certificate).map_err(Failed::Refused)?;
    Ok((checked, rules.player_names()))
}

/// A file whose reads fail once the caller has stopped waiting.
struct WhileAwaited(File);

impl Read for WhileAwaited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match given_up() {
            true => Err(io::Error::other("the check was abandoned")),
            false => self.0.read(buffer),
        }
    }
}
