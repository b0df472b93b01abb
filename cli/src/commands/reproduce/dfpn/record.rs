//! The runs that there are: in memory, and in a file that a later run of the
//! program goes on from.

use super::methods::{Done, Limits, Task};
use crate::exit::Failure;
use crate::print::ResultFile;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

/// All runs, the newest last.
#[derive(Default)]
pub(super) struct Record {
    done: Vec<Done>,
    file: Option<ResultFile>,
}

impl Record {
    /// The runs in a file, which takes those that are added; it is made if it is
    /// not there. A last line that was not finished is cut off.
    pub(super) fn open(path: &Path) -> Result<Record, Failure> {
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

    pub(super) fn add(&mut self, done: Done) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.json(&done)?;
        }
        self.done.push(done);
        Ok(())
    }

    /// What came of a task, whatever its limits were.
    pub(super) fn of(&self, task: &Task) -> Option<&Done> {
        self.done.iter().rfind(|done| done.task == *task)
    }

    /// What came of a task when it was given as much as these limits, or needed
    /// less than it was given.
    pub(super) fn within(&self, task: &Task, limits: &Limits) -> Option<&Done> {
        self.of(task).filter(|done| {
            let as_much =
                done.node_limit >= limits.nodes && done.time_limit >= limits.time.as_secs_f64();
            done.settled || as_much
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn done(position: &str, settled: bool, node_limit: u64) -> Done {
        let task = Task {
            experiment: "loa-hard".into(),
            position: position.into(),
            method: "pds".into(),
            entries: 64,
        };
        let value = if settled { "win" } else { "unknown" }.to_string();
        Done { task, settled, value, nodes: 7, seconds: 0.5, node_limit, time_limit: 9.0 }
    }

    #[test]
    fn runs_are_found_again_after_a_kill() {
        let name = format!("proofwood-record-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut record = Record::open(&path).unwrap();
        record.add(done("a", true, 100)).unwrap();
        record.add(done("b", false, 100)).unwrap();
        drop(record);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{{\"experiment\":\"loa")).unwrap();
        let mut record = Record::open(&path).unwrap();
        let limits = |nodes| Limits { nodes, time: Duration::from_secs(5) };
        let [a, b] = ["a", "b"].map(|position| done(position, true, 0).task);
        assert!(record.within(&a, &limits(1000)).is_some(), "it is settled");
        assert!(record.within(&b, &limits(100)).is_some());
        assert!(record.within(&b, &limits(101)).is_none(), "it had less");
        record.add(done("b", true, 1000)).unwrap();
        drop(record);
        let record = Record::open(&path).unwrap();
        assert!(record.of(&b).unwrap().settled, "the newest counts");
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Record::open(&path).err().unwrap().to_string().contains("line 1"));
        fs::remove_file(&path).unwrap();
    }
}
