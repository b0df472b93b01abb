//! A running proof.
//!
//! Threads work on it from start to end. Without threads it proceeds in parts, each of which asks
//! the open questions again, with the table of the previous part. Parts grow, so that little work
//! is repeated. Provers with a tree keep none of it between parts, and their parts grow without
//! limit.
//!
//! A stopped proof is kept: a request for the same proof continues with its answers and its table.

use crate::options;
use crate::place::Place;
use crate::task::{Task, Told, to_json};
use proofwood::{Budget, CancelToken, ProverConfig, StopReason};
use proofwood_any_game::query::{self, Wrong};
use proofwood_any_game::{ProofAnswer, Proving};
use serde_json::Value;
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(200);
/// The lengths of the first part and of the longest part of a prover with a table. Other requests
/// wait until the running part ends.
const FIRST_PART: Duration = Duration::from_millis(50);
const LONGEST_PART: Duration = Duration::from_secs(1);

/// A proof that is running or was stopped.
pub(crate) struct SolveTask {
    /// The id of the request that it answers; `None` after the last answer.
    id: Option<Value>,
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

impl SolveTask {
    /// Prepares a proof; continues with `earlier` if its question and its options are the same.
    pub(crate) fn new(
        id: Value,
        asked: &query::Task,
        place: &Place,
        threads: usize,
        earlier: Option<SolveTask>,
    ) -> Result<SolveTask, Wrong> {
        let limits = asked.budget()?.unwrap_or_default();
        if limits.playouts.is_some() {
            let why = "playouts: provers do not run playouts; give a time, or algorithm gpn";
            return Err(Wrong::of("playouts", why));
        }
        let mut given = asked.options.clone();
        for (name, value) in [("algorithm", &asked.algorithm), ("goal", &asked.goal)] {
            given.extend(value.iter().map(|value| (name.to_string(), value.clone())));
        }
        let config = options::prover(threads, &given)?;
        let of = (place.spec.clone(), place.start.clone(), place.played.clone());
        // If the earlier proof is different, its table is freed before a new one is allocated.
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
            time_left: limits.time,
            every: asked.every()?.unwrap_or(EVERY),
            spent,
            told_at: spent,
        })
    }

    fn wait(&mut self) -> Result<ProofAnswer, Wrong> {
        self.running = false;
        let answer = self.proving.wait()?;
        self.spent += answer.elapsed;
        self.time_left = self.time_left.map(|left| left.saturating_sub(answer.elapsed));
        Ok(answer)
    }

    /// Returns an answer with the figures and the time of all parts.
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

    /// Returns an intermediate answer if one is due.
    fn report(&mut self, mut answer: ProofAnswer, spent: Duration) -> Result<Option<Told>, Wrong> {
        if spent < self.told_at + self.every {
            return Ok(None);
        }
        self.told_at = spent;
        answer.stop_reason = None;
        let answer = to_json(&self.told(answer, spent))?;
        Ok(Some(Told { answer, last: false, over: false }))
    }
}

impl Task for SolveTask {
    fn id(&mut self) -> &mut Option<Value> {
        &mut self.id
    }

    fn is_under_way(&self) -> bool {
        self.id.is_some()
    }

    /// Continues the proof. Without threads it works for about `time`, or for the length of a part
    /// if that is longer.
    fn step(
        &mut self,
        time: Duration,
        bell: Box<dyn FnOnce() + Send>,
    ) -> Result<Option<Told>, Wrong> {
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
            return self.report(answer, spent);
        }
        let answer = self.wait()?;
        let goes_on = in_parts
            && answer.stop_reason == Some(StopReason::Time)
            && self.time_left != Some(Duration::ZERO);
        if goes_on {
            self.part = (self.part * 3 / 2).min(self.longest_part());
            return self.report(answer, self.spent);
        }
        // A solved proof no longer needs its table.
        let over = answer.solved;
        let answer = to_json(&self.told(answer, self.spent))?;
        Ok(Some(Told { answer, last: true, over }))
    }

    /// Stops the proof, which can be continued later.
    fn stop(&mut self) -> Result<Value, Wrong> {
        self.cancel.cancel();
        let answer = if self.running { self.wait()? } else { self.proving.snapshot() };
        let mut answer = self.told(answer, self.spent);
        answer.stop_reason = Some(StopReason::Stopped);
        to_json(&answer)
    }
}
