//! What a proof by many machines wastes: one program stands in for all of them.
//!
//! Virtual workers do real jobs with real provers, one after the other, in virtual time: a job
//! takes as much time as it makes nodes. Each machine has a table of its own; what it tells
//! the others comes there at once, and no sooner than its time has come. What no machine does
//! costs nothing here: messages take no time.

use super::plan::Plan;
use super::share::Sharing;
use crate::exit::Failure;
use proofwood::{Budget, CancelToken, Knowledge, ProverConfig, StopReason};
use proofwood_any_game::{Position, Proving};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many workers, and how they work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crew {
    pub(crate) workers: usize,
    /// Workers of one machine, which share its table.
    pub(crate) together: usize,
    /// Nodes of the first jobs, and of the largest.
    pub(crate) job: (u64, u64),
    /// Nodes after which a worker tells and hears, at most.
    pub(crate) slice: u64,
}

/// What they did.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(crate) struct Done {
    pub(crate) settled: bool,
    pub(crate) wins: bool,
    pub(crate) nodes: u64,
    pub(crate) jobs: u64,
    /// Jobs that were stopped because nobody needed them any more.
    pub(crate) stopped: u64,
    /// Nodes that one worker could have made until the end.
    pub(crate) span: u64,
    /// Nodes of the tree above the jobs.
    pub(crate) tree: u64,
    /// Findings that were told.
    pub(crate) told: u64,
}

/// A job under way.
struct Job {
    leaf: usize,
    search: Box<dyn Proving>,
    /// Nodes that it may still make.
    left: u64,
}

/// A machine.
struct Machine {
    /// None where positions cannot be told apart.
    knowledge: Option<Knowledge>,
    sharing: Sharing,
    nodes: u64,
}

/// The proof, and who works at it.
struct Play<'a> {
    plan: Plan,
    game: &'a str,
    config: &'a ProverConfig,
    crew: Crew,
    machines: Vec<Machine>,
    jobs: Vec<Option<Job>>,
    /// Workers by the time at which their next slice ends.
    ends: BinaryHeap<Reverse<(u64, usize)>>,
    now: u64,
    done: Done,
}

/// Proves whether a player wins, by so many workers.
pub(crate) fn prove(
    game: &str,
    position: &dyn Position,
    (player, threshold): (usize, i32),
    config: &ProverConfig,
    crew: Crew,
    budget: &Budget,
) -> Result<Done, Failure> {
    let plan = Plan::new(game, position.copy(), (player, threshold), config, true)?;
    let machines = crew.workers.div_ceil(crew.together);
    let machine = || {
        let mut search = position.prove(config)?;
        let shared = search.can_be_saved().is_ok().then(|| search.share(game, None));
        let knowledge = shared.transpose().map_err(|error| Failure::Failed(error.to_string()))?;
        Ok::<_, Failure>(Machine { knowledge, sharing: Sharing::new(machines), nodes: 0 })
    };
    let mut play = Play {
        plan,
        game,
        config,
        crew,
        machines: (0..machines).map(|_| machine()).collect::<Result<_, _>>()?,
        jobs: (0..crew.workers).map(|_| None).collect(),
        ends: BinaryHeap::new(),
        now: 0,
        done: Done::default(),
    };
    let cancel = budget.cancel.clone().unwrap_or_default();
    let most = budget.nodes.unwrap_or(u64::MAX);
    while play.plan.tree.verdict().is_none() && play.done.nodes < most && !cancel.is_cancelled() {
        play.hand_out(&cancel)?;
        let Some(Reverse((now, worker))) = play.ends.pop() else { break };
        play.now = now;
        play.end_slice(worker, &cancel)?;
    }
    let verdict = play.plan.tree.verdict();
    let tree = play.plan.tree.len() as u64;
    let (settled, wins) = (verdict.is_some(), verdict == Some(true));
    Ok(Done { settled, wins, span: play.now, tree, ..play.done })
}

impl Play<'_> {
    /// Gives jobs to all who have none.
    fn hand_out(&mut self, cancel: &CancelToken) -> Result<(), Failure> {
        for worker in 0..self.crew.workers {
            if self.jobs[worker].is_some() {
                continue;
            }
            let Some(leaf) = self.plan.next()? else { return Ok(()) };
            let position = self.plan.position(leaf)?;
            let mut search = position.prove(self.config)?;
            let machine = &self.machines[worker / self.crew.together];
            if let Some(known) = &machine.knowledge {
                let shared = search.share(self.game, Some(known));
                shared.map_err(|error| Failure::Failed(error.to_string()))?;
            }
            let (first, most) = self.crew.job;
            let left = ((self.now as f64 * super::JOB_PART) as u64).clamp(first, most);
            self.jobs[worker] = Some(Job { leaf, search, left });
            self.done.jobs += 1;
            self.run_slice(worker, cancel)?;
        }
        Ok(())
    }

    /// Does the next slice of a job, whose effects come when its time is over.
    fn run_slice(&mut self, worker: usize, cancel: &CancelToken) -> Result<(), Failure> {
        let Some(job) = &mut self.jobs[worker] else { return Ok(()) };
        let slice = job.left.min(self.crew.slice);
        let before = job.search.snapshot().nodes;
        job.search.start(&Budget::default().nodes(slice).cancel(cancel))?;
        let made = (job.search.wait()?.nodes - before).max(1);
        job.left = job.left.saturating_sub(made.max(slice));
        self.done.nodes += made;
        self.machines[worker / self.crew.together].nodes += made;
        self.ends.push(Reverse((self.now + made, worker)));
        Ok(())
    }

    /// A slice is over: what was found is told, and the job goes on or ends.
    fn end_slice(&mut self, worker: usize, cancel: &CancelToken) -> Result<(), Failure> {
        self.tell(worker / self.crew.together);
        let Some(job) = &mut self.jobs[worker] else { return Ok(()) };
        let (leaf, answer) = (job.leaf, job.search.snapshot());
        let is_moot = self.plan.tree.is_moot(leaf);
        let is_settled = answer.stop_reason == Some(StopReason::Settled);
        if !is_settled && !is_moot && job.left > 0 {
            return self.run_slice(worker, cancel);
        }
        let numbers = job.search.numbers();
        self.jobs[worker] = None;
        match super::verdict_of(answer.settled, answer.value.name()) {
            _ if is_moot => {
                self.plan.tree.call_off(leaf);
                self.done.stopped += u64::from(!is_settled);
            }
            Some(verdict) => self.plan.settle(leaf, verdict),
            None => self.plan.unfinished(leaf, numbers.as_ref())?,
        }
        Ok(())
    }

    /// What a machine has found out comes to all others.
    fn tell(&mut self, teller: usize) {
        if self.machines.len() < 2 {
            return;
        }
        let machine = &mut self.machines[teller];
        let Some(knowledge) = &machine.knowledge else { return };
        let batch = machine.sharing.batch(knowledge, machine.nodes);
        self.done.told += batch.len() as u64;
        for (number, other) in self.machines.iter().enumerate() {
            if let (true, Some(knowledge)) = (number != teller, &other.knowledge) {
                knowledge.learn(&batch);
            }
        }
    }
}
