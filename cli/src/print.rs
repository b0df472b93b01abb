//! Where answers are written: standard output, and a file with `--out`.
//!
//! Every write can fail, and says so: a closed pipe ends the program without
//! a word, a full disk with an error.

use crate::exit::Failure;
use crate::replacing::Replacing;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const STDOUT: &str = "the standard output";

/// Standard output.
pub(crate) struct Printer {
    stream: anstream::AutoStream<io::Stdout>,
}

impl Printer {
    /// Colours are written only where they can be seen.
    pub(crate) fn new() -> Printer {
        Printer { stream: anstream::stdout() }
    }

    /// Writes text as it is and shows it at once.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.stream.write_all(text.as_bytes()).and_then(|()| self.stream.flush());
        written.map_err(|error| Failure::writing(STDOUT, &error))
    }

    /// Writes one JSON document on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.text(&json_line(value)?)
    }
}

/// A file that takes the results of a search as JSON, one line each.
pub(crate) struct ResultFile {
    path: PathBuf,
    file: File,
    /// What the first result must find in the file in place of what is there.
    kept: Option<Vec<u8>>,
}

impl ResultFile {
    /// Makes the file, or empties it, before there is anything to lose.
    pub(crate) fn create(path: &Path) -> Result<ResultFile, Failure> {
        let file = File::create(path).map_err(|error| Failure::writing(path.display(), &error))?;
        Ok(ResultFile { path: path.to_path_buf(), file, kept: None })
    }

    /// Opens the file to add results to those that it has, or makes it.
    pub(crate) fn append(path: &Path) -> Result<ResultFile, Failure> {
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(|error| Failure::writing(path.display(), &error))?;
        Ok(ResultFile { path: path.to_path_buf(), file, kept: None })
    }

    /// Opens the file to add results to `kept`, a part of what it has. What else
    /// it has is gone with the first of them, and not before: until then the file
    /// may turn out to be another run's.
    pub(crate) fn append_to(path: &Path, kept: Vec<u8>) -> Result<ResultFile, Failure> {
        let file = ResultFile::append(path)?;
        Ok(ResultFile { kept: Some(kept), ..file })
    }

    /// Writes one JSON document on one line, in one piece; it is on the disk
    /// when this returns.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line = json_line(value)?;
        if let Some(kept) = self.kept.take() {
            let mut file = Replacing::create(&self.path)?;
            let written = file.file().write_all(&kept);
            written.map_err(|error| Failure::writing(self.path.display(), &error))?;
            file.finish()?;
            *self = ResultFile::append(&self.path)?;
        }
        let written = self.file.write_all(line.as_bytes());
        // Pipes and the like cannot be told to write through.
        let _ = self.file.sync_data();
        written.map_err(|error| Failure::writing(self.path.display(), &error))
    }
}

/// Refuses to write with this option where the input is read from.
pub(crate) fn check_distinct(option: &str, out: &Path, input: &Path) -> Result<(), Failure> {
    let same = match (out.canonicalize(), input.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        // Not there yet: the one would be written over the other.
        _ => out == input,
    };
    match same {
        true => Err(Failure::Input(format!(
            "{option} {}: that is the file to read from; give another name",
            out.display()
        ))),
        false => Ok(()),
    }
}

/// Refuses a file whose contents would be lost. `what` says what it takes, and
/// `option` names it.
pub(crate) fn check_unused(option: &str, out: &Path, what: &str) -> Result<(), Failure> {
    match fs::metadata(out).is_ok_and(|data| data.is_file() && data.len() > 0) {
        false => Ok(()),
        true => Err(Failure::Input(format!(
            "{} is not empty: --resume goes on with the {what} in it, {option} FILE takes another \
             file",
            out.display()
        ))),
    }
}

/// Fails now where a file could not be written after hours of work. Nothing is
/// changed.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        // A pipe that is opened and closed again tells its reader that this is all.
        Ok(data) if !data.is_file() && !data.is_dir() => Ok(()),
        Ok(_) => match File::options().append(true).open(path) {
            Ok(_) => Ok(()),
            Err(error) => Err(Failure::writing(path.display(), &error)),
        },
        Err(_) => match Replacing::create(path) {
            Ok(_) => Ok(()),
            Err(failure) => Err(failure),
        },
    }
}

fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value)
        .map(|text| text + "\n")
        .map_err(|error| Failure::Failed(format!("cannot write JSON: {error}")))
}

/// Writes a file of rows whose fields are its columns.
pub(crate) fn csv_file<R: Serialize>(
    path: &Path,
    rows: impl IntoIterator<Item = R>,
) -> Result<(), Failure> {
    let failed =
        |error: csv::Error| Failure::Failed(format!("cannot write to {}: {error}", path.display()));
    let mut writer = csv::Writer::from_path(path).map_err(failed)?;
    for row in rows {
        writer.serialize(row).map_err(failed)?;
    }
    writer.flush().map_err(|error| Failure::writing(path.display(), &error))
}
