//! The compared methods, and a single run of one.

use crate::reproduce::record::RunRecord;
use proofwood::{
    Algorithm, Budget, CancelToken, Config, ProofGoal, ProverConfig, StopReason, Value,
};
use proofwood_any_game::Position;
use proofwood_session::Trouble;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A prover with its θ and, if it ends at an estimate, its precision.
    Prover(Algorithm, f64, Option<f64>),
    /// MCTS with proof numbers for every player.
    Gpn,
}

/// The value of θ if the paper gives none.
const THETA: f64 = 0.01;

impl Method {
    fn prover(algorithm: Algorithm) -> Method {
        Method { name: algorithm.to_string(), kind: Kind::Prover(algorithm, THETA, None) }
    }

    /// Provers that end at an estimate, one for each pair of θ and precision.
    fn tolerant(algorithm: Algorithm, settings: &[(f64, f64)]) -> impl Iterator<Item = Method> {
        settings.iter().map(move |&(theta, precision)| Method {
            name: format!("{algorithm} θ={theta} pr={precision:e}"),
            kind: Kind::Prover(algorithm, theta, Some(precision)),
        })
    }

    /// All methods: the paper's three, PPNS with the paper's settings, the depth-first version of
    /// PPNS that the paper names as further work, and three methods that are not in the paper.
    pub(crate) fn all(settings: &[(f64, f64)]) -> Vec<Method> {
        let theirs = [Algorithm::Pns, Algorithm::Mcpns, Algorithm::Ppns].map(Method::prover);
        let ours = [Algorithm::Dfpn, Algorithm::Pn2].map(Method::prover);
        let gpn = Method { name: "gpn".into(), kind: Kind::Gpn };
        theirs
            .into_iter()
            .chain(Method::tolerant(Algorithm::Ppns, settings))
            .chain([Method::prover(Algorithm::DfPpns)])
            .chain(Method::tolerant(Algorithm::DfPpns, settings))
            .chain(ours)
            .chain([gpn])
            .collect()
    }

    /// The methods whose names begin with one of `names`. A complete name stands only for the
    /// method with that name.
    pub(crate) fn named(names: &[String], settings: &[(f64, f64)]) -> Vec<Method> {
        let mut methods = Method::all(settings);
        let whole: Vec<bool> =
            names.iter().map(|name| methods.iter().any(|method| method.name == *name)).collect();
        methods.retain(|method| {
            names.iter().zip(&whole).any(|(name, &whole)| match whole {
                true => method.name == *name,
                false => method.name.starts_with(name),
            })
        });
        methods
    }

    /// The method that decides whether an estimate is true.
    pub(crate) fn arbiter() -> Method {
        Method::prover(Algorithm::Dfpn)
    }

    pub(crate) fn is_tolerant(&self) -> bool {
        matches!(self.kind, Kind::Prover(_, _, Some(_)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// Proof that the side to move wins.
    Win,
    /// Proof that the side to move does not win.
    NotWin,
    /// Estimate that the side to move wins.
    EstimatedWin,
    /// Estimate that the side to move does not win.
    EstimatedNotWin,
    /// No answer within the limits.
    Out,
}

impl Answer {
    /// Whether the side to move wins according to this answer; `None` without an answer.
    pub(crate) fn says_win(self) -> Option<bool> {
        match self {
            Answer::Win | Answer::EstimatedWin => Some(true),
            Answer::NotWin | Answer::EstimatedNotWin => Some(false),
            Answer::Out => None,
        }
    }

    pub(crate) fn is_estimate(self) -> bool {
        matches!(self, Answer::EstimatedWin | Answer::EstimatedNotWin)
    }

    fn of(value: Value) -> Answer {
        match value {
            Value::Win => Answer::Win,
            Value::NotWin | Value::Draw | Value::Loss => Answer::NotWin,
            _ => Answer::Out,
        }
    }
}

/// The input of a run: everything that its result depends on, except for the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The game's name and options. `pass_loses` is whether a player who must pass loses.
    pub(crate) game: String,
    pub(crate) pass_loses: bool,
    pub(crate) plies: u32,
    /// The number of the position at its stage. `start` has the moves that lead to the position, or
    /// its text.
    pub(crate) position: u32,
    pub(crate) start: String,
    pub(crate) method: String,
    pub(crate) threads: usize,
    pub(crate) memory: u64,
    pub(crate) playouts_per_leaf: u32,
    pub(crate) seed: u64,
    pub(crate) node_limit: u64,
    /// The time limit in milliseconds, stored as a whole number so that reading it back gives the
    /// same value.
    pub(crate) time_limit_ms: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    #[serde(flatten)]
    pub(crate) task: Task,
    /// `win`, `not-win`, `estimated-win`, `estimated-not-win` or `out`.
    pub(crate) answer: Answer,
    pub(crate) seconds: f64,
    pub(crate) nodes: u64,
}

impl RunRecord for Done {
    type Task = Task;

    fn task(&self) -> &Task {
        &self.task
    }
}

/// The limits and parameters that all runs share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) memory: u64,
    pub(crate) threads: usize,
    pub(crate) playouts: u32,
}

/// Asks whether the side to move wins; returns `None` if the user stopped the run.
pub(crate) fn run(
    position: &dyn Position,
    method: &Method,
    limits: &RunLimits,
    task: &Task,
    token: &CancelToken,
) -> Result<Option<Done>, Trouble> {
    let seed = task.seed;
    let budget = Budget::default().time(limits.time).nodes(limits.nodes).cancel(token);
    let (answer, why, time, nodes) = match method.kind {
        Kind::Prover(algorithm, theta, precision) => {
            let mut config = ProverConfig::default()
                .algorithm(algorithm)
                .goal(ProofGoal::Win)
                .threads(limits.threads)
                .memory(limits.memory)
                .table(limits.memory)
                .playouts_per_leaf(limits.playouts)
                .theta(theta)
                .seed(seed);
            config.precision = precision;
            // The best-first provers, with which df-PPNS is compared, have no static bounds either.
            config.foresight = algorithm != Algorithm::DfPpns;
            let mut search = position.prove(&config)?;
            search.start(&budget)?;
            let report = search.wait()?;
            let estimate = report.questions.last().and_then(|asked| asked.estimate);
            let answer = match (Answer::of(report.proven), estimate) {
                (Answer::Out, Some(v)) if report.stop_reason == Some(StopReason::Estimated) => {
                    if v > 0.5 { Answer::EstimatedWin } else { Answer::EstimatedNotWin }
                }
                (answer, _) => answer,
            };
            (answer, report.stop_reason, report.elapsed, report.nodes)
        }
        Kind::Gpn => {
            let config = Config::proving().threads(limits.threads).memory(limits.memory).seed(seed);
            let mut search = position.search(&config)?;
            search.start(&budget)?;
            let report = search.wait()?;
            (Answer::of(report.proven), report.stop_reason, report.elapsed, report.nodes)
        }
    };
    let done = Done { task: task.clone(), answer, seconds: time.as_secs_f64(), nodes };
    Ok(Some(done).filter(|_| why != Some(StopReason::Cancelled)))
}
