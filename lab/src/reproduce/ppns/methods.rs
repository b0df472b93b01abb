//! The methods that are compared, and one run of one of them.

use crate::reproduce::record::RunRecord;
use proofwood::{
    Algorithm, Budget, CancelToken, Config, ProofGoal, ProverConfig, StopReason, Value,
};
use proofwood_any_game::Position;
use proofwood_session::Trouble;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A method with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A prover with θ and a precision.
    Prover(Algorithm, f64, Option<f64>),
    /// Playouts with proof numbers for every player.
    Gpn,
}

/// θ where the paper gives no other.
const THETA: f64 = 0.01;

impl Method {
    fn prover(algorithm: Algorithm) -> Method {
        Method { name: algorithm.to_string(), kind: Kind::Prover(algorithm, THETA, None) }
    }

    /// A prover that ends at an estimate, with each setting.
    fn tolerant(algorithm: Algorithm, settings: &[(f64, f64)]) -> impl Iterator<Item = Method> {
        settings.iter().map(move |&(theta, precision)| Method {
            name: format!("{algorithm} θ={theta} pr={precision:e}"),
            kind: Kind::Prover(algorithm, theta, Some(precision)),
        })
    }

    /// The paper's three methods, its settings of the third, the depth-first version that
    /// it names as further work, and three that it leaves out.
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

    /// Those whose names or their beginnings are given; a whole name stands for one method.
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

    /// The method that tells the truth about an estimate.
    pub(crate) fn arbiter() -> Method {
        Method::prover(Algorithm::Dfpn)
    }

    /// Whether its answers are estimates.
    pub(crate) fn is_tolerant(&self) -> bool {
        matches!(self.kind, Kind::Prover(_, _, Some(_)))
    }
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// A win of the side to move is proven.
    Win,
    /// That there is none is proven.
    NotWin,
    /// A win is estimated.
    EstimatedWin,
    /// That there is none is estimated.
    EstimatedNotWin,
    /// A limit came first.
    Out,
}

impl Answer {
    /// Whether it says that the side to move wins.
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

/// What is to be run: all that its result may depend on but the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The game's description, and whether who would have to pass has lost.
    pub(crate) game: String,
    pub(crate) pass_loses: bool,
    pub(crate) plies: u32,
    /// The number of the position at its stage, and the moves that lead there or
    /// the position in text form.
    pub(crate) position: u32,
    pub(crate) start: String,
    pub(crate) method: String,
    pub(crate) threads: usize,
    pub(crate) memory: u64,
    pub(crate) playouts_per_leaf: u32,
    pub(crate) seed: u64,
    pub(crate) node_limit: u64,
    /// A whole number, which is read as it was written.
    pub(crate) time_limit_ms: u64,
}

/// One run of a method.
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

/// The limits and the parameters that all runs share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    pub(crate) nodes: u64,
    pub(crate) time: Duration,
    pub(crate) memory: u64,
    pub(crate) threads: usize,
    pub(crate) playouts: u32,
}

/// Asks whether the side to move wins; `None` when the user has had enough.
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
            // Nor do the best-first provers, beside which it is held.
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
