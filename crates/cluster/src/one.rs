//! Proves one position on many machines: the coordinator has a proof-number tree, and workers run
//! depth-first provers below its leaves.

use crate::connection::name_of;
use crate::coordinator::{Machines, WorkerCount};
use crate::job::{self, Answer, Done, Job, PartAnswer, PartTask, Refused, RunRecord, Task};
use crate::job_size::{self, nodes_to_share, shares_at_a_time, size_of_a_job};
use crate::merge::{Merge, failed};
use crate::order::{OneAnswer, Work, after};
use crate::plan::{Plan, questions};
use crate::tree::Verdict;
use proofwood::certificate::{Claim, DEFAULT_MEMORY, Promise};
use proofwood::{CancelToken, Outcome, Turn};
use proofwood_session::Trouble;
use proofwood_session::files::{PrivateFolder, Whole};
use proofwood_session::solving::check::{check, check_within};
use proofwood_session::solving::machines::ProofOrder;
use proofwood_session::words::numbers;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The interval at which workers are counted and the progress is published.
const COUNT: Duration = Duration::from_secs(1);

/// The question whether `player` can force a win.
struct Asking<'a> {
    machines: &'a Machines,
    order: &'a ProofOrder,
    player: usize,
    /// The least payoff that counts as a win.
    threshold: i32,
    run: String,
    plan: Plan,
    under_way: HashMap<String, UnderWay>,
    parts: HashMap<usize, PathBuf>,
    /// The names of proofs to delete from the server at the end.
    names: Vec<String>,
    /// The best move, if a single job has solved the root.
    best: Option<String>,
    worker_count: WorkerCount,
    counted: Instant,
    /// The names of workers that have answered. The plan refers to them by index.
    workers: Vec<String>,
    spent: Spent,
}

struct UnderWay {
    leaf: usize,
    begun: Instant,
    /// Whether the job was preempted, so that its subproblem can be shared.
    is_enough: bool,
}

/// The time and effort of all questions so far.
#[derive(Clone, Copy)]
struct Spent {
    started: Instant,
    work: Work,
}

impl Machines {
    /// Proves the value of a position with jobs for the workers.
    pub(crate) fn prove_one(
        &self,
        order: &ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<OneAnswer, Trouble> {
        let (rules, position) = (&order.rules, &order.position);
        let fits = rules.players() == 2 && rules.zero_sum() && !position.has_chance();
        if !fits || position.text().is_empty() {
            let what = "--on with one position needs a two-player zero-sum game without \
                        chance whose positions have a text form";
            return Err(Trouble::Input(what.into()));
        }
        let Turn::Player(mover) = position.turn() else {
            return Err(Trouble::Input("the game is over: there is nothing to prove".into()));
        };
        let player = order.config.player.unwrap_or(mover);
        // Answers without proofs are useless if a certificate is wanted, so the runs' names differ.
        let proofs = certificate.is_some();
        let what = (&order.game, after(order, &[]), &order.options, proofs);
        let run = name_of(&format!("one {what:?}"));
        self.begin(&run, &format!("solve {}, one position", order.game));
        let folder = proofs.then(PrivateFolder::new).transpose()?;
        let mut spent = Spent { started: Instant::now(), work: Work::default() };
        let mut answer = OneAnswer::new(player);
        let mut asked: Vec<(Asking<'_>, Verdict)> = Vec::new();
        for asks in questions(order.config.goal, player) {
            let Some(threshold) = rules.threshold(asks, Outcome::Win) else {
                answer.receive(asks, false);
                continue;
            };
            let mut asking = Asking {
                machines: self,
                order,
                player: asks,
                threshold,
                run: run.clone(),
                plan: Plan::new(
                    &order.game,
                    position.copy(),
                    (asks, threshold),
                    &order.config,
                    !proofs,
                )?,
                under_way: HashMap::new(),
                parts: HashMap::new(),
                names: Vec::new(),
                best: None,
                worker_count: self.worker_count(),
                counted: Instant::now(),
                workers: Vec::new(),
                spent,
            };
            let verdict = asking.prove(cancel, folder.as_ref());
            asking.count();
            self.console().show(Vec::new());
            spent = asking.spent;
            answer.slots = answer.slots.max(asking.worker_count.slots);
            answer.elapsed = spent.started.elapsed();
            let Some(verdict) = verdict? else { break };
            answer.receive(asks, verdict);
            if verdict && asks == mover && answer.best_move.is_none() {
                let best = asking.plan.tree.shown_by(0).first().map(|(mv, _)| mv.to_string());
                answer.best_move = best.or(asking.best.take());
            }
            asked.push((asking, verdict));
            if verdict {
                break;
            }
        }
        answer.work = spent.work;
        let solved = answer.is_solved(order.config.goal);
        if let (true, Some(file)) = (solved, certificate) {
            answer.certificate = Some(merge(order, &asked, file)?);
        }
        if solved {
            self.end(&run);
            let names = asked.iter().flat_map(|(asking, _)| &asking.names);
            names.for_each(|name| self.drop_proof(name));
        } else {
            answer.cancelled = cancel.is_cancelled();
            self.console().complain(&format!(
                "run {run} stays on the server: the same command continues it, and `proofwood \
                 status URL --forget {run}` deletes it"
            ));
        }
        Ok(answer)
    }
}

impl Asking<'_> {
    /// Hands out jobs until the root is solved; returns `None` if cancelled or out of time.
    fn prove(
        &mut self,
        cancel: &CancelToken,
        folder: Option<&PrivateFolder>,
    ) -> Result<Option<Verdict>, Trouble> {
        // The worker that answered last, which waits for a job.
        let mut waits = None;
        while self.plan.tree.verdict().is_none() {
            if cancel.is_cancelled() || self.is_late() {
                return Ok(None);
            }
            if self.counted.elapsed() > COUNT {
                self.count();
                self.tell();
            }
            let mut leaves = Vec::new();
            while self.under_way.len() + leaves.len() < self.worker_count.slots.max(1)
                && let Some(leaf) = self.next(waits.take(), leaves.len())?
            {
                leaves.push(leaf);
            }
            // Idle workers get jobs in the order in which they asked. The worker that has just
            // answered asks last, so the job meant for it is sent last. Another order does no harm.
            for leaf in leaves.into_iter().rev() {
                self.hand_out(leaf, folder.is_some())?;
            }
            if self.plan.tree.verdict().is_some() {
                break;
            }
            self.share_parts();
            self.machines.console().show(self.items());
            let keys: Vec<&str> = self.under_way.keys().map(String::as_str).collect();
            let Some(came) = self.machines.any(&self.run, &keys) else { continue };
            waits = Some(self.number_of(&came.1.worker));
            self.receive(came, folder)?;
        }
        let keys: Vec<String> = std::mem::take(&mut self.under_way).into_keys().collect();
        self.machines.call_off(&self.run, &keys);
        Ok(self.plan.tree.verdict())
    }

    /// Counts the workers, and adds the time for which they were available since the last count.
    fn count(&mut self) {
        self.spent.work.there +=
            self.counted.elapsed().as_secs_f64() * self.worker_count.slots as f64;
        (self.worker_count, self.counted) = (self.machines.worker_count(), Instant::now());
    }

    fn tell(&self) {
        let (proof_number, disproof_number) = self.plan.tree.numbers();
        let progress = job::Progress {
            proof_number,
            disproof_number,
            tree: self.plan.tree.node_count() as u64,
            under_way: self.under_way.len() as u64,
            work: self.spent.work,
            seconds: self.spent.started.elapsed().as_secs_f64(),
        };
        let what = format!("solve {}, one position", self.order.game);
        self.machines.tell(&self.run, RunRecord { what, proof: Some(progress) });
    }

    fn number_of(&mut self, worker: &str) -> usize {
        let known = self.workers.iter().position(|name| name == worker);
        known.unwrap_or_else(|| {
            self.workers.push(worker.into());
            self.workers.len() - 1
        })
    }

    fn is_late(&self) -> bool {
        self.order.time.is_some_and(|time| self.spent.started.elapsed() >= time)
    }

    /// Returns the number of idle workers, counting each of their parallel jobs.
    fn waiting(&self) -> usize {
        self.worker_count.slots.saturating_sub(self.under_way.len())
    }

    /// Returns the leaf of the next job, for `worker` if it is given. `others` is the number of
    /// jobs that were chosen before it and have not been handed out yet.
    fn next(&mut self, worker: Option<usize>, others: usize) -> Result<Option<usize>, Trouble> {
        let waiting = self.waiting().saturating_sub(others + 1);
        self.plan.next(worker, waiting, nodes_to_share(self.speed()))
    }

    /// Returns the speed of a job in nodes per second, once it is known.
    fn speed(&self) -> Option<f64> {
        job_size::speed(self.spent.work.nodes, self.spent.work.seconds)
    }

    /// Preempts jobs while workers are idle, so that their subproblems can be shared.
    fn share_parts(&mut self) {
        let (speed, mut ending) = (self.speed(), Vec::new());
        let is_enough = self.under_way.values().filter(|job| job.is_enough).count();
        for _ in is_enough..shares_at_a_time(self.waiting()) {
            let jobs = self.under_way.values().filter(|job| !job.is_enough);
            let made =
                |job: &UnderWay| (job.begun.elapsed().as_secs_f64() * speed.unwrap_or(0.0)) as u64;
            let jobs = jobs.map(|job| (job.leaf, made(job)));
            let Some(leaf) = self.plan.to_share(jobs, nodes_to_share(speed)) else { break };
            let of_leaf = |(_, job): &(&String, &mut UnderWay)| job.leaf == leaf;
            if let Some((key, job)) = self.under_way.iter_mut().find(of_leaf) {
                job.is_enough = true;
                ending.push(key.clone());
            }
        }
        self.machines.is_enough(&self.run, &ending);
    }

    fn hand_out(&mut self, leaf: usize, proofs: bool) -> Result<(), Trouble> {
        let moves = self.plan.tree.moves(leaf);
        let text = after(self.order, &moves);
        let mut options = self.order.options.clone();
        options.give("goal", "win".into());
        options.give("player", self.player.to_string());
        // The next job at a leaf continues the last one, so it needs another key.
        let key = name_of(&format!("{} {moves:?} {}", self.player, self.plan.jobs_at(leaf)));
        let size = size_of_a_job(self.spent.started.elapsed().as_secs_f64(), self.speed());
        options.give("nodes", size.nodes.to_string());
        if let Some(time) = size.time {
            options.give("time", format!("{}ms", time.as_millis()));
        }
        let (game, workers) = (self.order.game.clone(), self.worker_count.workers.max(1));
        let certificate = proofs;
        let task = PartTask { leaf: leaf as u64, game, text, options, workers, certificate };
        self.machines.ask(&self.run, &key, Job::new(Task::Part(task)));
        let job = UnderWay { leaf, begun: Instant::now(), is_enough: false };
        self.under_way.insert(key, job);
        Ok(())
    }

    /// Applies an answer. If there is a folder for proofs, the answer must have a proof.
    fn receive(
        &mut self,
        (key, answer): (String, Answer),
        folder: Option<&PrivateFolder>,
    ) -> Result<(), Trouble> {
        let Some(&UnderWay { leaf, .. }) = self.under_way.get(&key) else { return Ok(()) };
        let position = self.plan.position(leaf)?;
        let worker = answer.worker;
        let part = match answer.done {
            Done::Part(part) => part.check().map(|()| part),
            // The job is valid, since the plan has started a search with the same options.
            Done::Failed(refused) => return self.pass_on(&key, &worker, refused),
            _ => Err("its answer is not part of a proof".into()),
        };
        let mut is_there = Ok(());
        let checked = part.and_then(|part| {
            let (Some(wins), Some(folder)) = (part.wins, folder) else { return Ok((part, None)) };
            let name = part.proof.as_deref().ok_or("its answer has no proof")?;
            let path = folder.path().join(format!("{key}.proof"));
            if let Err(failure) = self.fetch(name, &path) {
                is_there = Err(failure);
                return Ok((part, None));
            }
            self.check(&path, &position.text(), wins)?;
            Ok((part, Some(path)))
        });
        let (part, path) = match checked {
            Ok(checked) => checked,
            Err(why) => {
                self.machines.throw_out(&self.run, &key, &why);
                return Ok(());
            }
        };
        if let Err(failure) = is_there {
            let refused = Refused { is_input: false, why: failure.to_string() };
            return self.pass_on(&key, &worker, refused);
        }
        self.under_way.remove(&key);
        let PartAnswer { wins, best_move, nodes, seconds, numbers, proof } = part;
        self.spent.work.add(nodes, seconds);
        match wins {
            Some(wins) => {
                let legal = |mv: &String| position.copy().play(mv).is_ok();
                if leaf == 0 {
                    self.best = best_move.filter(legal);
                }
                self.names.extend(proof);
                self.parts.extend(path.map(|path| (leaf, path)));
                self.plan.settle(leaf, wins);
            }
            None => {
                let worker = self.number_of(&worker);
                self.plan.unfinished(leaf, worker, nodes, numbers)?;
            }
        }
        self.call_off();
        Ok(())
    }

    /// Hands a job out again after a failure, or returns the failure if it is final.
    fn pass_on(&self, key: &str, worker: &str, refused: Refused) -> Result<(), Trouble> {
        let failure = Trouble::Failed(format!("{} (reported by {worker})", refused.why));
        match self.machines.pass_on(&self.run, key, worker, refused) {
            true => Err(failure),
            false => Ok(()),
        }
    }

    fn call_off(&mut self) {
        let moot = |leaf: usize| self.plan.tree.is_moot(leaf);
        let jobs = self.under_way.iter();
        let keys = jobs.filter(|(_, job)| moot(job.leaf)).map(|(key, _)| key.clone());
        let keys: Vec<String> = keys.collect();
        for job in keys.iter().filter_map(|key| self.under_way.remove(key)) {
            // Another path to its position may be found later.
            self.plan.tree.call_off(job.leaf);
            self.spent.work.called_off += job.begun.elapsed().as_secs_f64();
        }
        self.machines.call_off(&self.run, &keys);
    }

    fn fetch(&self, name: &str, path: &Path) -> Result<(), Trouble> {
        let file = std::fs::File::create(path);
        let mut file = file.map_err(|error| Trouble::writing(path.display(), &error))?;
        self.machines.copy_proof(name, &mut file)
    }

    fn check(&self, path: &Path, position: &str, verdict: Verdict) -> Result<(), String> {
        let (checked, _) = check_within(path, DEFAULT_MEMORY)
            .map_err(|error| format!("its certificate is invalid: {error}"))?;
        let fits = checked.game == self.order.game && checked.position == position;
        match fits && checked.claims.len() == 1 && checked.holds(self.claim(verdict)) {
            true => Ok(()),
            false => Err("its certificate does not prove its answer".into()),
        }
    }

    fn claim(&self, verdict: Verdict) -> Claim {
        let promise = match verdict {
            true => Promise::AtLeast(self.threshold),
            false => Promise::Below(self.threshold),
        };
        Claim { player: self.player, promise }
    }

    fn items(&self) -> Vec<(u8, String)> {
        let (proof, disproof) = self.plan.tree.numbers();
        let count = |number: u64| numbers::count(number as f64);
        let Work { jobs, nodes, .. } = self.spent.work;
        vec![
            (0, format!("proof numbers {}/{}", count(proof), count(disproof))),
            (2, format!("{jobs} jobs done")),
            (3, format!("{} running", self.under_way.len())),
            (1, format!("{} at a time", self.worker_count.slots)),
            (4, format!("{} nodes", count(nodes))),
            (5, format!("tree of {}", count(self.plan.tree.node_count() as u64))),
        ]
    }

    /// Writes the proof of the root, which is solved.
    fn list<W: std::io::Write>(&self, merge: &mut Merge<W>) -> std::io::Result<()> {
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if let Some(path) = self.parts.get(&node) {
                merge.part(path)?;
                continue;
            }
            // A finished game has no entry.
            if self.plan.tree.is_leaf(node) {
                continue;
            }
            let mut shown = self.plan.tree.shown_by(node);
            if self.plan.tree.is_favoured(node) {
                merge.plays(shown[0].0)?;
            } else {
                merge.answers(shown.len())?;
                shown.sort_by(|(a, _), (b, _)| b.cmp(a));
            }
            stack.extend(shown.into_iter().filter_map(|(_, child)| child));
        }
        Ok(())
    }
}

/// Merges all proofs into one certificate, and checks it.
fn merge(
    order: &ProofOrder,
    asked: &[(Asking<'_>, Verdict)],
    file: &mut Whole,
) -> Result<(u64, u64), Trouble> {
    const NAME: &str = "--certificate";
    let mut header = vec!["proofwood-certificate 1".to_string(), format!("game {}", order.game)];
    header.push(format!("position {}", order.position.text()));
    for (asking, verdict) in asked {
        let Claim { player, promise } = asking.claim(*verdict);
        header.push(match promise {
            Promise::AtLeast(payoff) => format!("claim {player} at-least {payoff}"),
            Promise::Below(payoff) => format!("claim {player} below {payoff}"),
        });
    }
    let mut written = || {
        let mut merge = Merge::begin(file.begin().map_err(std::io::Error::other)?, &header)?;
        for (asking, _) in asked {
            merge.next_claim();
            asking.list(&mut merge)?;
        }
        merge.end()
    };
    let written = written().map_err(|error| failed(NAME, &error))?;
    check(file.temporary()).map_err(|error| {
        Trouble::Failed(format!("{NAME}: the certificate that was written is invalid: {error}"))
    })?;
    file.finish()?;
    Ok(written)
}
