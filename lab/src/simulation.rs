//! A proof by many machines in simulated time: one thread does the work of all machines in turn.
//!
//! The tree, its rules for handing out jobs, the provers, their tables and the shared entries are
//! those of a real proof. Time is counted in nodes: each job makes the same number of nodes per
//! second. A job runs in stretches, which are ordered by their start, and publishes its entries at
//! the end of a stretch. Every run therefore produces the same proof. The network is simplified:
//! messages arrive at once, but only at the end of a stretch.

use proofwood::prover::{SharedEntries, SharedEntry};
use proofwood::{Budget, CancelToken, Outcome, ProofGoal, ProverConfig, Turn, Value};
use proofwood_any_game::{Position, Proving, Rules};
use proofwood_cluster::job_size::{nodes_to_share, shares_at_a_time, size_of_a_job};
use proofwood_cluster::plan::{Plan, questions};
use proofwood_cluster::publish_rate::{PUBLISH_EVERY, PublishRate};
use proofwood_cluster::tree::Verdict;
use proofwood_session::Trouble;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of stretches of a job between two messages of its machine, small enough that machines
/// soon see each other's entries.
const STRETCHES: u64 = 5;

/// The minimum number of nodes in a stretch. A smaller number would waste time, because the prover
/// descends from its root again after each stretch.
const LEAST_STRETCH: u64 = 2000;

pub(crate) struct Simulation<'a> {
    pub(crate) game: &'a str,
    pub(crate) rules: &'a dyn Rules,
    pub(crate) config: &'a ProverConfig,
    pub(crate) machines: usize,
    /// The number of jobs that each machine does at a time; they share the machine's table.
    pub(crate) jobs: usize,
    /// The number of nodes that each job makes per second.
    pub(crate) nodes_per_second: u64,
    pub(crate) cancel: &'a CancelToken,
}

/// Figures summed over all machines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) solved: bool,
    pub(crate) nodes: u64,
    /// The number of nodes of jobs that were cancelled, or were still running at the end.
    pub(crate) for_nothing: u64,
    pub(crate) jobs: u64,
    /// The number of entries that machines published.
    pub(crate) told: u64,
    /// The simulated time, as the number of nodes that one job makes in it.
    pub(crate) time: u64,
}

struct Machine {
    known: Option<SharedEntries>,
    sharing: PublishRate,
    nodes: u64,
    /// The time of the machine's last message.
    told: u64,
    /// Entries from other machines that this machine has not read yet.
    heard: Vec<SharedEntry>,
}

struct Job {
    leaf: usize,
    search: Box<dyn Proving>,
    nodes: u64,
    /// The limit on the job's nodes.
    most: u64,
    /// The job's result, once it has ended.
    ended: Option<Option<Verdict>>,
    /// Whether the job should end so that its subproblem can be split.
    is_enough: bool,
}

/// A simulation of one question.
struct Stage<'r> {
    simulation: &'r Simulation<'r>,
    machines: &'r mut Vec<Machine>,
    done: &'r mut Totals,
    config: ProverConfig,
    plan: Plan,
    /// The running jobs: the first job of each machine, then the second jobs, and so on.
    slots: Vec<Option<Job>>,
    /// The slots in which a stretch is running, with the time when it ends; the earliest is first.
    ends: BinaryHeap<Reverse<(u64, usize)>>,
    idle: Vec<usize>,
    begun: u64,
}

impl Simulation<'_> {
    /// Proves one position, and adds the figures to `done`.
    pub(crate) fn prove(&self, position: &dyn Position, done: &mut Totals) -> Result<(), Trouble> {
        let rules = self.rules;
        let Turn::Player(mover) = position.turn() else {
            return Err(Trouble::Input("the game is over: there is nothing to prove".into()));
        };
        if rules.players() != 2 || !rules.zero_sum() || position.has_chance() {
            let what = "--machines is for games of two players with zero sum and no chance";
            return Err(Trouble::Input(what.into()));
        }
        let machine = |_| Machine {
            known: None,
            sharing: PublishRate::new(self.machines),
            nodes: 0,
            told: done.time,
            heard: Vec::new(),
        };
        let mut machines: Vec<Machine> = (0..self.machines).map(machine).collect();
        let player = self.config.player.unwrap_or(mover);
        let begun = done.time;
        done.solved = false;
        for asks in questions(self.config.goal, player) {
            let Some(threshold) = rules.threshold(asks, Outcome::Win) else { continue };
            let config = self.config.clone().threads(1).goal(ProofGoal::Win).player(asks);
            let position = position.copy();
            let mut stage = Stage {
                simulation: self,
                machines: &mut machines,
                plan: Plan::new(self.game, position, (asks, threshold), &config, true)?,
                config,
                slots: Vec::new(),
                ends: BinaryHeap::new(),
                idle: Vec::new(),
                begun,
                done,
            };
            match stage.run()? {
                Some(true) => break,
                Some(false) => {}
                None => return Ok(()),
            }
        }
        done.solved = true;
        Ok(())
    }
}

impl Stage<'_> {
    /// Answers the question; `None` if it was cancelled.
    fn run(&mut self) -> Result<Option<Verdict>, Trouble> {
        let slots = self.simulation.machines * self.simulation.jobs;
        self.slots.resize_with(slots, || None);
        self.idle.extend((0..slots).rev());
        loop {
            self.hand_out()?;
            if let Some(verdict) = self.plan.tree.verdict() {
                let left = self.slots.iter().flatten();
                self.done.for_nothing += left.map(|job| job.nodes).sum::<u64>();
                return Ok(Some(verdict));
            }
            let Some(Reverse((now, slot))) = self.ends.pop() else {
                let what = "no job is left, and nothing is answered";
                return Err(Trouble::Failed(what.into()));
            };
            if self.simulation.cancel.is_cancelled() {
                return Ok(None);
            }
            self.done.time = now;
            self.tell(slot % self.simulation.machines);
            self.hear(slot)?;
            if self.slots[slot].is_some() {
                self.work(slot, now)?;
            } else {
                self.idle.push(slot);
            }
        }
    }

    /// Publishes a machine's new entries to all others if enough time has passed since its last
    /// message.
    fn tell(&mut self, owner: usize) {
        let Machine { known, sharing, nodes, told, .. } = &mut self.machines[owner];
        let pause = PUBLISH_EVERY.as_secs_f64() * self.simulation.nodes_per_second as f64;
        let (Some(known), true) = (known, self.done.time >= *told + pause as u64) else { return };
        if self.simulation.machines == 1 {
            return;
        }
        let since = (self.done.time - *told) as f64 / self.simulation.nodes_per_second as f64;
        *told = self.done.time;
        let findings = sharing.batch(known, *nodes, since);
        self.done.told += findings.len() as u64;
        for (other, machine) in self.machines.iter_mut().enumerate() {
            // A machine without a table cannot use entries.
            if other != owner && machine.known.is_some() {
                machine.heard.extend(&findings);
            }
        }
    }

    /// Processes the result of a slot's job, and ends the job if it has become unnecessary.
    fn hear(&mut self, slot: usize) -> Result<(), Trouble> {
        let Some(job) = &self.slots[slot] else { return Ok(()) };
        let (leaf, nodes) = (job.leaf, job.nodes);
        let ended = job.ended.or(job.is_enough.then_some(None));
        match ended {
            Some(Some(verdict)) => self.plan.settle(leaf, verdict),
            Some(None) => {
                let machine = slot % self.simulation.machines;
                self.plan.unfinished(leaf, machine, nodes, job.search.numbers())?;
            }
            None if self.plan.tree.is_moot(leaf) => {
                self.plan.tree.call_off(leaf);
                self.done.for_nothing += nodes;
            }
            None => return Ok(()),
        }
        self.done.jobs += u64::from(ended.is_some());
        self.slots[slot] = None;
        Ok(())
    }

    /// Hands out jobs. If there are fewer jobs than slots, ends others early, so that their
    /// subproblems are split.
    fn hand_out(&mut self) -> Result<(), Trouble> {
        let machines = self.simulation.machines;
        let least = nodes_to_share(Some(self.simulation.nodes_per_second as f64));
        while let Some(&slot) = self.idle.last()
            && let Some(leaf) = self.plan.next(Some(slot % machines), self.idle.len() - 1, least)?
        {
            self.idle.pop();
            self.begin(slot, leaf)?;
            self.work(slot, self.done.time)?;
        }
        let is_enough = self.slots.iter().flatten().filter(|job| job.is_enough).count();
        for _ in is_enough..shares_at_a_time(self.idle.len()) {
            let jobs = self.slots.iter().flatten().filter(|job| !job.is_enough);
            let jobs = jobs.filter(|job| job.ended.is_none()).map(|job| (job.leaf, job.nodes));
            let Some(leaf) = self.plan.to_share(jobs, least) else { break };
            let mut jobs = self.slots.iter_mut().flatten();
            jobs.find(|job| job.leaf == leaf).into_iter().for_each(|job| job.is_enough = true);
        }
        Ok(())
    }

    fn begin(&mut self, slot: usize, leaf: usize) -> Result<(), Trouble> {
        let Simulation { game, machines, nodes_per_second, .. } = *self.simulation;
        let mut search = self.plan.position(leaf)?.prove(&self.config)?;
        let known = &mut self.machines[slot % machines].known;
        let shared = search.share(game, known.as_ref());
        *known = Some(shared.map_err(|error| Trouble::Failed(error.to_string()))?);
        let speed = nodes_per_second as f64;
        let seconds = (self.done.time - self.begun) as f64 / speed;
        let is_first = self.done.jobs == 0;
        let size = size_of_a_job(seconds, (!is_first).then_some(speed));
        let in_time = size.time.map(|time| (time.as_secs_f64() * speed) as u64);
        let most = size.nodes.min(in_time.unwrap_or(u64::MAX)).max(1);
        self.slots[slot] =
            Some(Job { leaf, search, nodes: 0, most, ended: None, is_enough: false });
        Ok(())
    }

    /// Runs the next stretch of a slot's job.
    fn work(&mut self, slot: usize, now: u64) -> Result<(), Trouble> {
        let Some(job) = &mut self.slots[slot] else { return Ok(()) };
        let machine = &mut self.machines[slot % self.simulation.machines];
        if let Some(known) = &machine.known {
            known.import(&machine.heard);
            machine.heard.clear();
        }
        let pause = PUBLISH_EVERY.as_secs_f64() * self.simulation.nodes_per_second as f64;
        let stretch = (pause as u64 / STRETCHES).max(LEAST_STRETCH);
        let budget = Budget::default().nodes(stretch.min(job.most - job.nodes));
        job.search.start(&budget)?;
        let answer = job.search.wait()?;
        let made = answer.nodes - job.nodes;
        job.nodes = answer.nodes;
        if answer.solved {
            job.ended = Some(Some(answer.proven == Value::Win));
        } else if job.nodes >= job.most {
            job.ended = Some(None);
        }
        machine.nodes += made;
        self.done.nodes += made;
        self.ends.push(Reverse((now + made, slot)));
        Ok(())
    }
}
