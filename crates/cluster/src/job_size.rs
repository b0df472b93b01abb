//! Chooses the sizes of a proof's jobs.

use std::time::Duration;

/// The size of the first jobs. They are short, so that an easy proof ends at once.
const FIRST: Size = Size { nodes: 20_000, time: Some(Duration::from_millis(100)) };

/// The least size of later jobs and of split subproblems, in nodes. There is a minimum because each
/// job restarts at its root.
const LEAST_NODES: u64 = 100;

/// The total time of jobs after which the workers' speed can be estimated, in seconds.
const LEAST_TO_KNOW: f64 = 0.05;

/// The time of a job as a share of the time since the start of the proof.
const PART: f64 = 1.0 / 10.0;

/// The least and the greatest time of a job, in seconds. Jobs are long, because switching to
/// another subproblem costs nodes and messages; but a lost job must cost little.
const SECONDS: (f64, f64) = (0.5, 10.0);

/// The time that a subproblem must have taken before it is split for idle workers, in seconds.
const LEAST_TO_SHARE: f64 = 0.1;

/// The limits of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The limit on nodes.
    pub nodes: u64,
    /// The time limit; `None` if the speed is known, so that the limit on nodes suffices.
    pub time: Option<Duration>,
}

/// Returns the speed of a job in nodes per second, given the totals of all jobs; `None` if
/// `seconds` is too short for an estimate.
pub fn speed(nodes: u64, seconds: f64) -> Option<f64> {
    (seconds >= LEAST_TO_KNOW).then(|| nodes as f64 / seconds)
}

/// Returns the number of nodes that a subproblem must take before it is split for idle workers.
pub fn nodes_to_share(speed: Option<f64>) -> u64 {
    let wanted = |speed: f64| ((speed * LEAST_TO_SHARE) as u64).max(LEAST_NODES);
    speed.map_or(FIRST.nodes, wanted)
}

/// Returns the number of jobs to preempt at a time for `waiting` idle workers. A few are enough,
/// because a split subproblem has work for several workers.
pub fn shares_at_a_time(waiting: usize) -> usize {
    waiting.div_ceil(8)
}

/// Returns the size of a job that begins `seconds` after the start of the proof.
pub fn size_of_a_job(seconds: f64, speed: Option<f64>) -> Size {
    let wanted = (seconds * PART).clamp(SECONDS.0, SECONDS.1);
    let nodes = |speed: f64| ((speed * wanted) as u64).max(LEAST_NODES);
    speed.map_or(FIRST, |speed| Size { nodes: nodes(speed), time: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs take equally long at any speed: a prover with a few thousand nodes per second does not
    /// spend seconds on its first job while others wait.
    #[test]
    fn jobs_are_as_long_where_nodes_are_slow() {
        assert_eq!(speed(600, 0.01), None, "it is too soon to know");
        assert_eq!((size_of_a_job(0.0, None), nodes_to_share(None)), (FIRST, FIRST.nodes));
        for known in [speed(600, 0.1), speed(600_000, 1.0), Some(3e6)] {
            let nodes = known.unwrap();
            let size = |share: f64| Size { nodes: (nodes * share) as u64, time: None };
            let sizes = [0.0, 20.0, 1000.0].map(|seconds| size_of_a_job(seconds, known));
            assert_eq!(sizes, [0.5, 2.0, 10.0].map(size));
            assert_eq!(nodes_to_share(known), (nodes * 0.1) as u64);
        }
        assert_eq!(nodes_to_share(Some(3.0)), LEAST_NODES);
    }
}
