//! A running proof.
//!
//! Threads work on it from start to end. Without threads it proceeds in parts, each of which asks
//! the open questions again, with the table of the previous one. Parts grow, so that little work is
//! repeated. Provers with a tree keep none of it between parts, and their parts grow without limit.
//!
//! A stopped proof is kept: a request for the same proof continues with its answers and its table.

use crate::ask::Solved;
use crate::fault::Fault;
use crate::options;
use crate::place::Place;
use proofwood::{Budget, CancelToken, ProverConfig, StopReason};
use proofwood_any_game::{ProofAnswer, Proving};
use serde_json::Value;
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(200);
/// The first part, and the longest part of a prover with a table: the delay of other requests
/// meanwhile.
const FIRST_PART: Duration = Duration::from_millis(50);
const LONGEST_PART: Duration = Duration::from_secs(1);

/// A proof that is running or was stopped.
pub(crate) struct SolveTask {
    /// The request that it answers; `None` when it was stopped.
    pub(crate) id: Option<Value>,
    /// The game's description, the start, and the moves.
    of: (String, String, Vec<String>),
    config: ProverConfig,
    proving: Box<dyn Proving>,
    running: bool,
    cancel: CancelToken,
    part: Duration,
    time_left: Option<Duration>,
    every: Duration,
    /// The time spent in finished parts, of this request and of earlier ones.
    spent: Duration,
    told_at: Duration,
}

/// The progress of a part.
pub(crate) enum Progress {
    /// There is nothing to report yet.
    Silent,
    /// An answer, and more will come.
    Answer(Box<ProofAnswer>),
    /// The last answer.
    Done(Box<ProofAnswer>),
}

impl SolveTask {
    /// Prepares a proof; continues with `earlier` if that has the same goal.
    pub(crate) fn new(
        id: Value,
        asked: &Solved,
        place: &Place,
        threads: usize,
        earlier: Option<SolveTask>,
    ) -> Result<SolveTask, Fault> {
        let search = &asked.search;
        if search.playouts.is_some() {
            return Err(Fault::new("provers play no playouts; give a time, or algorithm gpn"));
        }
        let mut given = search.options.clone();
        for (name, value) in [("algorithm", &asked.algorithm), ("goal", &asked.goal)] {
            given.extend(value.iter().map(|value| (name.to_string(), value.as_str().into())));
        }
        let config = options::prover(threads, &given)?;
        let of = (place.spec.clone(), place.start.clone(), place.played.clone());
        // A different earlier proof frees its table before a new one is allocated.
        let earlier = earlier.filter(|earlier| earlier.of == of && earlier.config == config);
        let (proving, spent, part) = match earlier {
            Some(earlier) => (earlier.proving, earlier.spent, earlier.part),
            None => (place.position.prove(&config)?, Duration::ZERO, FIRST_PART),
        };
        Ok(SolveTask {
            id: Some(id),
            of,
            proving,
            config,
            running: false,
            cancel: CancelToken::new(),
            part,
            time_left: options::seconds(search.time, "time")?,
            every: options::seconds(search.every, "every")?.unwrap_or(EVERY),
            spent,
            told_at: spent,
        })
    }

    /// Continues the proof, without threads for about `time` or longer; `bell` is called when
    /// threads have ended it.
    pub(crate) fn step(
        &mut self,
        time: Duration,
        bell: Box<dyn FnOnce() + Send>,
    ) -> Result<Progress, Fault> {
        let in_parts = cfg!(target_family = "wasm");
        if !self.running {
            let part = in_parts.then_some(self.part.max(time));
            let limit = [part, self.time_left].into_iter().flatten().min();
            let budget = Budget::default().cancel(&self.cancel);
            let budget = limit.map_or(budget.clone(), |time| budget.time(time));
            self.proving.start(&budget)?;
            self.proving.on_end(bell);
            self.running = true;
        }
        if self.proving.is_running() {
            let answer = self.proving.snapshot();
            let spent = self.spent + answer.elapsed;
            if spent < self.told_at + self.every {
                return Ok(Progress::Silent);
            }
            self.told_at = spent;
            return Ok(Progress::Answer(Box::new(self.told(answer, spent))));
        }
        let answer = self.wait()?;
        let goes_on = in_parts
            && answer.stop_reason == Some(StopReason::Time)
            && self.time_left != Some(Duration::ZERO);
        if !goes_on {
            return Ok(Progress::Done(Box::new(self.told(answer, self.spent))));
        }
        self.part = (self.part * 3 / 2).min(self.longest_part());
        if self.spent < self.told_at + self.every {
            return Ok(Progress::Silent);
        }
        self.told_at = self.spent;
        let mut answer = self.told(answer, self.spent);
        answer.stop_reason = None;
        Ok(Progress::Answer(Box::new(answer)))
    }

    /// Waits for the current part, and accounts for it.
    fn wait(&mut self) -> Result<ProofAnswer, Fault> {
        self.running = false;
        let answer = self.proving.wait()?;
        self.spent += answer.elapsed;
        self.time_left = self.time_left.map(|left| left.saturating_sub(answer.elapsed));
        Ok(answer)
    }

    /// An answer with the figures and the time of all parts.
    fn told(&self, mut answer: ProofAnswer, spent: Duration) -> ProofAnswer {
        answer.elapsed = spent;
        // A clock of whole milliseconds may not have advanced.
        answer.nodes_per_second = answer.nodes as f64 / spent.as_secs_f64().max(1e-3);
        answer
    }

    fn longest_part(&self) -> Duration {
        match self.config.algorithm.has_table() {
            true => LONGEST_PART,
            false => Duration::MAX / 2,
        }
    }

    /// Stops the proof; returns its last answer. It can be continued later.
    pub(crate) fn stop(&mut self) -> Result<ProofAnswer, Fault> {
        self.cancel.cancel();
        let answer = if self.running { self.wait()? } else { self.proving.snapshot() };
        let mut answer = self.told(answer, self.spent);
        answer.stop_reason = Some(StopReason::Stopped);
        Ok(answer)
    }
}
