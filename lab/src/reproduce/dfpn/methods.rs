//! The four methods of the paper, and a single run of a method.

use proofwood::{Algorithm, Budget, ProofGoal, ProverConfig, StopReason};
use proofwood_any_game::Position;
use proofwood_cli::solving::live;
use proofwood_cli::terminal::progress::Watch;
use proofwood_measure::Clock;
use proofwood_session::Trouble;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Method {
    pub(super) name: &'static str,
    algorithm: Algorithm,
    epsilon: f64,
}

/// The methods in the order of the paper's tables.
pub(super) const METHODS: [Method; 4] = [
    Method { name: "df-pn 1+ε", algorithm: Algorithm::Dfpn, epsilon: 1.0 / 4.0 },
    Method { name: "df-pn", algorithm: Algorithm::Dfpn, epsilon: 0.0 },
    Method { name: "pds 1+ε", algorithm: Algorithm::Pds, epsilon: 1.0 / 16.0 },
    Method { name: "pds", algorithm: Algorithm::Pds, epsilon: 0.0 },
];

/// Finds the methods that `list` names, in the paper's order.
pub(super) fn chosen(list: &[String]) -> Result<Vec<Method>, Trouble> {
    let plain = |name: &str| name.replace("1+ε", "e").replace([' ', '-'], "");
    let named = |text: &String| METHODS.iter().find(|method| plain(method.name) == plain(text));
    if let Some(wrong) = list.iter().find(|text| named(text).is_none()) {
        return Err(Trouble::Input(format!(
            "--methods: '{wrong}' should be one of dfpn-e, dfpn, pds-e, pds"
        )));
    }
    let is_chosen =
        |method: &Method| list.is_empty() || list.iter().any(|text| named(text) == Some(method));
    Ok(METHODS.into_iter().filter(is_chosen).collect())
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RunLimits {
    pub(super) nodes: u64,
    /// The limit of wall time.
    pub(super) time: Duration,
}

/// The input of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Task {
    pub(super) experiment: String,
    pub(super) position: String,
    pub(super) method: String,
    /// The number of entries of the transposition table.
    pub(super) entries: u64,
    /// Whether a leaf's proof number starts with its number of moves.
    #[serde(default)]
    pub(super) mobility: bool,
}

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Done {
    #[serde(flatten)]
    pub(super) task: Task,
    pub(super) solved: bool,
    /// Whether the side to move wins: `win`, `not-win` or `unknown`.
    pub(super) value: String,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    pub(super) node_limit: u64,
    pub(super) time_limit: f64,
}

const ENTRY: u64 = 16;

/// Asks whether the side to move wins; returns `None` if the user stopped the run.
pub(super) fn run(
    task: &Task,
    method: Method,
    position: &dyn Position,
    limits: &RunLimits,
    budget: Budget,
    label: &str,
) -> Result<Option<Done>, Trouble> {
    let mut config = ProverConfig::default()
        .algorithm(method.algorithm)
        .epsilon(method.epsilon)
        .goal(ProofGoal::Win)
        .threads(1)
        .mobility(task.mobility)
        .table(task.entries * ENTRY);
    // The papers' programs used only the rules.
    config.foresight = false;
    let budget = budget.nodes(limits.nodes).time(limits.time);
    let mut search = position.prove(&config)?;
    let clock = Clock::start();
    let answer = live::prove(&mut *search, &budget, Watch::of(label))?;
    let seconds = clock.took().cpu.as_secs_f64();
    if answer.stop_reason == Some(StopReason::Cancelled) {
        return Ok(None);
    }
    Ok(Some(Done {
        task: task.clone(),
        solved: answer.solved,
        value: answer.proven.name().to_string(),
        nodes: answer.nodes,
        seconds,
        node_limit: limits.nodes,
        time_limit: limits.time.as_secs_f64(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_found_by_name() {
        let names = |list: &[&str]| -> Vec<&str> {
            let list: Vec<String> = list.iter().map(ToString::to_string).collect();
            chosen(&list).unwrap().iter().map(|method| method.name).collect()
        };
        assert_eq!(names(&[]).len(), 4);
        assert_eq!(names(&["pds", "dfpn-e"]), ["df-pn 1+ε", "pds"]);
        assert_eq!(names(&["df-pn 1+ε"]), ["df-pn 1+ε"]);
        assert!(chosen(&["alpha-beta".into()]).unwrap_err().to_string().contains("dfpn-e"));
    }
}
