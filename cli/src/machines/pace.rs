//! How large the jobs of a proof are.

/// Nodes of the first jobs, which are over at once, so that what is easy is done at once.
pub(super) const FIRST_NODES: u64 = 20_000;

/// A job takes this part of the time that the search has taken so far.
const PART: f64 = 1.0 / 10.0;

/// Seconds that a job takes, at least and at most. After each a worker may be sent elsewhere,
/// which costs nodes and talk; so jobs are long, and one that is lost is to cost little.
const SECONDS: (f64, f64) = (0.5, 10.0);

/// Seconds that a part must have taken before it is split for workers that have nothing to do.
const LEAST_TO_SHARE: f64 = 0.1;

/// Nodes that a part must have taken before it is split for others.
pub(super) fn nodes_to_share(nodes_per_second: f64) -> u64 {
    ((nodes_per_second * LEAST_TO_SHARE) as u64).max(FIRST_NODES)
}

/// How many jobs may be about to end at a time so that their parts are shared with so many workers
/// that have nothing to do. A part that is split has work for several.
pub(super) fn shares_at_a_time(waiting: usize) -> usize {
    waiting.div_ceil(8)
}

/// Nodes of a job that begins after so many seconds, where a worker makes so many a second.
pub(super) fn nodes_of_a_job(seconds: f64, nodes_per_second: f64) -> u64 {
    let wanted = (seconds * PART).clamp(SECONDS.0, SECONDS.1);
    ((nodes_per_second * wanted) as u64).max(FIRST_NODES)
}
