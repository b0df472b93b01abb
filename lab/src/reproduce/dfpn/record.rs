//! Finds recorded runs, which are not repeated.

use super::methods::{Done, RunLimits, Task};
use crate::reproduce::record::{RunFile, RunRecord};

impl RunRecord for Done {
    type Task = Task;

    fn task(&self) -> &Task {
        &self.task
    }
}

impl RunFile<Done> {
    /// A recorded run of `task` that solved the position, or whose limits were at least as high as
    /// `limits`.
    pub(super) fn within(&self, task: &Task, limits: &RunLimits) -> Option<&Done> {
        self.of(task).filter(|done| {
            let as_much =
                done.node_limit >= limits.nodes && done.time_limit >= limits.time.as_secs_f64();
            done.solved || as_much
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::Duration;

    fn done(position: &str, solved: bool, node_limit: u64) -> Done {
        let task = Task {
            experiment: "loa-hard".into(),
            position: position.into(),
            method: "pds".into(),
            entries: 64,
            mobility: false,
        };
        let value = if solved { "win" } else { "unknown" }.to_string();
        Done { task, solved, value, nodes: 7, seconds: 0.5, node_limit, time_limit: 9.0 }
    }

    #[test]
    fn runs_are_found_again_after_a_kill() {
        let name = format!("proofwood-record-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut record = RunFile::<Done>::open(&path).unwrap();
        record.add(done("a", true, 100)).unwrap();
        record.add(done("b", false, 100)).unwrap();
        drop(record);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{{\"experiment\":\"loa")).unwrap();
        let mut record = RunFile::<Done>::open(&path).unwrap();
        let limits = |nodes| RunLimits { nodes, time: Duration::from_secs(5) };
        let [a, b] = ["a", "b"].map(|position| done(position, true, 0).task);
        assert!(record.within(&a, &limits(1000)).is_some(), "it is solved");
        assert!(record.within(&b, &limits(100)).is_some());
        assert!(record.within(&b, &limits(101)).is_none(), "it had less");
        record.add(done("b", true, 1000)).unwrap();
        drop(record);
        let record = RunFile::<Done>::open(&path).unwrap();
        assert!(record.of(&b).unwrap().solved, "the newest counts");
        drop(record);
        fs::write(&path, "nonsense\n").unwrap();
        assert!(RunFile::<Done>::open(&path).err().unwrap().to_string().contains("line 1"));
        fs::remove_file(&path).unwrap();
    }
}
