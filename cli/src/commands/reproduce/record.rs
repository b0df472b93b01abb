//! The runs that there are: in memory, and in a file that a later run of the
//! program goes on from.

use crate::exit::Failure;
use crate::print::ResultFile;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

/// A run that is over, and can be found again by what was to be done.
pub(super) trait Run: Serialize + DeserializeOwned {
    /// What was to be done.
    type Task: PartialEq;

    fn task(&self) -> &Self::Task;
}

/// All runs, the newest last.
pub(super) struct Record<R> {
    done: Vec<R>,
    file: Option<ResultFile>,
}

impl<R: Run> Record<R> {
    /// The runs of a folder that is made if it is not there; without one nothing
    /// is kept.
    pub(super) fn of_folder(folder: Option<&Path>) -> Result<Record<R>, Failure> {
        let Some(folder) = folder else { return Ok(Record { done: Vec::new(), file: None }) };
        fs::create_dir_all(folder).map_err(|e| Failure::writing(folder.display(), &e))?;
        Record::open(&folder.join("runs.jsonl"))
    }

    /// The runs in a file, which takes those that are added; it is made if it is
    /// not there. A last line that was not finished is cut off.
    pub(super) fn open(path: &Path) -> Result<Record<R>, Failure> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::reading(path.display(), &error)),
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut done = Vec::new();
        for (number, line) in (1..).zip(text[..whole].lines()) {
            done.push(serde_json::from_str(line).map_err(|error| {
                let path = path.display();
                Failure::Input(format!("{path}, line {number}: this is no run: {error}"))
            })?);
        }
        if whole < text.len() {
            let cut = File::options().write(true).open(path);
            cut.and_then(|file| file.set_len(whole as u64))
                .map_err(|error| Failure::writing(path.display(), &error))?;
        }
        Ok(Record { done, file: Some(ResultFile::append(path)?) })
    }

    pub(super) fn add(&mut self, done: R) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.json(&done)?;
        }
        self.done.push(done);
        Ok(())
    }

    /// What came of a task, the newest run of it.
    pub(super) fn of(&self, task: &R::Task) -> Option<&R> {
        self.done.iter().rfind(|done| done.task() == task)
    }
}
