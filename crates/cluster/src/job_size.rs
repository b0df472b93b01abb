//! How large the jobs of a proof are.

use std::time::Duration;

/// The first jobs, which are over at once, so that what is easy is done at once.
const FIRST: Size = Size { nodes: 20_000, time: Some(Duration::from_millis(100)) };

/// The least nodes of a later job, and of a part that is split: a prover goes down from the root
/// of each job again.
const LEAST_NODES: u64 = 100;

/// Jobs have to take so many seconds before they show how fast workers are.
const LEAST_TO_KNOW: f64 = 0.05;

/// A job takes this part of the time that the search has taken so far.
const PART: f64 = 1.0 / 10.0;

/// Seconds that a job takes, at least and at most. After each a worker may be sent elsewhere,
/// which costs nodes and talk; so jobs are long, and one that is lost is to cost little.
const SECONDS: (f64, f64) = (0.5, 10.0);

/// Seconds that a part must have taken before it is split for workers that have nothing to do.
const LEAST_TO_SHARE: f64 = 0.1;

/// How large a job is at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Nodes.
    pub nodes: u64,
    /// There is no limit where the speed is known.
    pub time: Option<Duration>,
}

/// Nodes that jobs make in a second by what all together have made and taken so far; none as long
/// as that is too little to know.
pub fn speed(nodes: u64, seconds: f64) -> Option<f64> {
    (seconds >= LEAST_TO_KNOW).then(|| nodes as f64 / seconds)
}

/// Nodes that a part must have taken before it is split for others.
pub fn nodes_to_share(speed: Option<f64>) -> u64 {
    let wanted = |speed: f64| ((speed * LEAST_TO_SHARE) as u64).max(LEAST_NODES);
    speed.map_or(FIRST.nodes, wanted)
}

/// How many jobs may be about to end at a time so that their parts are shared with so many workers
/// that have nothing to do. A part that is split has work for several.
pub fn shares_at_a_time(waiting: usize) -> usize {
    waiting.div_ceil(8)
}

/// The size of a job that begins after so many seconds.
pub fn size_of_a_job(seconds: f64, speed: Option<f64>) -> Size {
    let wanted = (seconds * PART).clamp(SECONDS.0, SECONDS.1);
    let nodes = |speed: f64| ((speed * wanted) as u64).max(LEAST_NODES);
    speed.map_or(FIRST, |speed| Size { nodes: nodes(speed), time: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prover that makes some thousand nodes a second is not at its first job for seconds while
    /// others wait.
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
