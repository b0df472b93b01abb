//! Finished runs, in memory and in a file from which a later run of the program can continue.

use proofwood_session::Trouble;
use proofwood_session::files::{Asked, Existing, Folder, Growing};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// A finished run that can be found by its input.
pub(super) trait RunRecord: Serialize + DeserializeOwned {
    /// The type of the run's input, by which it is found.
    type Task: PartialEq;

    fn task(&self) -> &Self::Task;
}

pub(super) struct RunFile<R> {
    done: Vec<R>,
    file: Option<Growing>,
}

impl<R: RunRecord> RunFile<R> {
    /// Opens the runs of a folder; without a folder nothing is saved.
    pub(super) fn of_folder(folder: Option<&Folder>) -> Result<RunFile<R>, Trouble> {
        match folder {
            None => Ok(RunFile { done: Vec::new(), file: None }),
            Some(folder) => RunFile::open(&folder.path().join("runs.jsonl")),
        }
    }

    /// Reads the runs in a file and appends new ones to it; creates the file if there is none.
    /// Removes an incomplete last line.
    pub(super) fn open(path: &Path) -> Result<RunFile<R>, Trouble> {
        let existing = Existing::Continued;
        let mut file = Growing::open(Asked { option: "--out", path, existing, resumable: None })?;
        let bytes = file.read()?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut done = Vec::new();
        let lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(lines) {
            done.push(serde_json::from_slice(line).map_err(|error| {
                let path = path.display();
                Trouble::Input(format!("{path}, line {number}: this is no run: {error}"))
            })?);
        }
        if whole < bytes.len() {
            file.keep(bytes[..whole].to_vec());
        }
        Ok(RunFile { done, file: Some(file) })
    }

    pub(super) fn add(&mut self, done: R) -> Result<(), Trouble> {
        if let Some(file) = &mut self.file {
            file.json(&done)?;
        }
        self.done.push(done);
        Ok(())
    }

    pub(super) fn of(&self, task: &R::Task) -> Option<&R> {
        self.done.iter().rfind(|done| done.task() == task)
    }
}
