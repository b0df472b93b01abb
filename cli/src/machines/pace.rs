//! How large the jobs of a proof are.

/// Nodes of the first jobs, which are over at once, so that what is easy is done at once.
pub(super) const FIRST_NODES: u64 = 20_000;

/// A job takes this part of the time that the search has taken so far.
const PART: f64 = 1.0 / 10.0;

/// Seconds that a job takes, at least and at most. After each a worker may be sent elsewhere,
/// which costs nodes and talk; so jobs are long, and one that is lost is to cost little.
const SECONDS: (f64, f64) = (0.5, 10.0);

/// Nodes of a job that begins after so many seconds, where a worker makes so many a second.
pub(super) fn nodes_of_a_job(seconds: f64, nodes_per_second: f64) -> u64 {
    let wanted = (seconds * PART).clamp(SECONDS.0, SECONDS.1);
    ((nodes_per_second * wanted) as u64).max(FIRST_NODES)
}
