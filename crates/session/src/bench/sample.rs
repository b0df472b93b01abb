//! Measures one search, and playouts without a tree, in a separate process. Memory that the
//! allocator keeps after an earlier search would otherwise make the next one look cheaper.

use crate::Trouble;
use proofwood::options::OPTIONS;
use proofwood::{Budget, CancelToken, Config, StopReason};
use proofwood_any_game::Rules;
use proofwood_measure::{Clock, Pace, resident_bytes};
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The figures of a search, and of playouts without a tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The number of nodes of the tree.
    pub nodes: u64,
    /// The size of the nodes in bytes.
    pub bytes: u64,
    /// The increase of the process's resident memory in bytes, if the system reports it.
    pub resident: Option<u64>,
    /// The cost of the search.
    pub tree: Pace,
    /// The cost of playouts without a tree.
    pub bare: Pace,
}

/// Runs the measurement in another process with the command `bench sample`, which prints a
/// [`Measured`] as JSON. Returns `None` if cancelled.
pub fn measure(
    game: &str,
    config: &Config,
    budget: &Budget,
    cancel: &CancelToken,
) -> Result<Option<Measured>, Trouble> {
    const NAP: Duration = Duration::from_millis(5);
    let failed = |what: &str| Trouble::Failed(format!("cannot measure: {what}"));
    let program = std::env::current_exe().map_err(|error| failed(&error.to_string()))?;
    let mut command = Command::new(program);
    command.args(["bench", "sample", game]);
    for option in OPTIONS {
        command.arg(format!("--{}={}", option.name, (option.get)(config)));
    }
    if let Some(playouts) = budget.playouts {
        command.arg(format!("--playouts={playouts}"));
    }
    if let Some(time) = budget.time {
        command.arg(format!("--time={}", time.as_secs_f64()));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(&error.to_string()))?;
    // The output fits into the pipe's buffer, and is read after the process has ended.
    while child.try_wait().map_err(|error| failed(&error.to_string()))?.is_none() {
        if cancel.is_cancelled() {
            // The process may have ended by itself.
            let _ = child.kill();
        }
        sleep(NAP);
    }
    let output = child.wait_with_output().map_err(|error| failed(&error.to_string()))?;
    if output.status.code().is_none() {
        // At a terminal, Ctrl-C may reach the other process before this one.
        sleep(10 * NAP);
    }
    if cancel.is_cancelled() {
        return Ok(None);
    }
    if output.status.success() {
        let measured = serde_json::from_slice(&output.stdout);
        return measured.map(Some).map_err(|error| failed(&error.to_string()));
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = complaint.trim().trim_start_matches("proofwood: ");
    Err(match output.status.code() {
        Some(2) => Trouble::Input(complaint.to_string()),
        Some(_) => Trouble::Failed(complaint.to_string()),
        None => failed(&output.status.to_string()),
    })
}

/// Runs the measurement in this process.
pub fn measure_here(
    rules: &dyn Rules,
    config: &Config,
    budget: &Budget,
) -> Result<Measured, Trouble> {
    let position = rules.start();
    let before = resident_bytes();
    let mut search = position.search(config)?;
    let clock = Clock::start();
    search.start(budget)?;
    let answer = search.wait()?;
    let tree = Pace::new(answer.playouts, clock.took());
    let resident = resident_bytes().zip(before).map(|(now, before)| now.saturating_sub(before));
    if answer.playouts == 0 {
        let why = match answer.stop_reason {
            Some(StopReason::Solved | StopReason::GameOver) => "the position was solved before",
            _ => "time ran out before",
        };
        return Err(Trouble::Input(format!(
            "{why} the first playout, so there is nothing to measure"
        )));
    }
    drop(search);

    Ok(Measured {
        nodes: answer.nodes,
        bytes: answer.bytes,
        resident,
        tree,
        bare: Pace::beside(&tree, |playouts, seed| {
            position.bare_playouts(config, playouts, seed);
        }),
    })
}
