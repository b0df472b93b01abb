//! Sets of positions that are solved by remote workers.

use crate::connection::name_of;
use crate::coordinator::Machines;
use crate::job::{Done, Job, SolveTask, Task};
use proofwood::CancelToken;
use proofwood_session::files::Whole;
use proofwood_session::input::position_file::Entry;
use proofwood_session::solving::machines::{ProofOrder, Proven, Remote, WorkJson};
use proofwood_session::solving::remote::{Collected, Refused, RemoteSet, SetOrder};
use proofwood_session::{Ended, Trouble};
use std::collections::HashMap;
use std::fs::{self, File};

impl Remote for Machines {
    fn positions(self: Box<Self>, order: SetOrder) -> Box<dyn RemoteSet> {
        Box::new(Positions::begin(*self, order))
    }

    fn dry_run(&self, order: &SetOrder) -> Result<Ended, Trouble> {
        let (run, _) = run_of(order);
        let (jobs, answers) = self.counts(&run)?;
        let what = format!("run {run}: {jobs} unanswered jobs, {answers} answers");
        self.console().print(&what)?;
        Ok(Ended::Done)
    }

    fn prove(
        &self,
        order: &ProofOrder,
        cancel: &CancelToken,
        certificate: Option<&mut Whole>,
    ) -> Result<Proven, Trouble> {
        let answer = self.prove_one(order, cancel, certificate)?;
        let by = WorkJson {
            at_a_time: answer.slots,
            jobs: answer.work.jobs,
            between_jobs: answer.work.between_jobs(),
        };
        let certificate = answer.certificate;
        let answer = answer.proof_answer(order, &order.position.view());
        Ok(Proven { answer, certificate, by })
    }
}

struct Positions {
    machines: Machines,
    order: SetOrder,
    run: String,
    /// The keys of the jobs handed out, by line number.
    keys: HashMap<u64, String>,
    /// Certificates to delete from the server when the run has ended.
    proofs: Vec<String>,
}

impl Positions {
    fn begin(machines: Machines, order: SetOrder) -> Positions {
        let (run, what) = run_of(&order);
        machines.begin(&run, &what);
        Positions { machines, order, run, keys: HashMap::new(), proofs: Vec::new() }
    }

    fn key(&self, line: u64) -> Result<&str, Trouble> {
        let missing = || Trouble::Failed(format!("line {line} was not sent to the workers"));
        self.keys.get(&line).map(String::as_str).ok_or_else(missing)
    }
}

/// Returns the name of a set's run, and its human-readable description. The same command in any
/// folder continues the same run.
fn run_of(order: &SetOrder) -> (String, String) {
    let SetOrder { game, positions, options, shortest } = order;
    let file = fs::canonicalize(positions);
    let file = file.map_or_else(|_| positions.clone(), |path| path.display().to_string());
    let run = name_of(&format!("solve {game:?} {file:?} {options:?} {shortest}"));
    let game = game.as_ref().map_or_else(String::new, |game| format!(" {game}"));
    (run, format!("solve{game} --positions {positions} {options}").trim_end().into())
}

impl RemoteSet for Positions {
    fn hand_out(
        &mut self,
        entry: &Entry,
        game: &str,
        proof: Option<String>,
    ) -> Result<(), Trouble> {
        let Ok(text) = entry.text.clone() else { return Ok(()) };
        let job = Job::new(Task::Solve(SolveTask {
            line: entry.line,
            id: entry.id.clone(),
            game: game.into(),
            text,
            options: self.order.options.clone(),
            shortest: self.order.shortest,
            certificate: proof,
        }));
        // The digest makes a changed line a different job.
        let digest = name_of(&format!("{:?}", job.task));
        let key = format!("{}-{digest}", entry.line);
        self.machines.ask(&self.run, &key, job);
        self.keys.insert(entry.line, key);
        Ok(())
    }

    fn collect(&mut self, line: u64, cancel: &CancelToken) -> Result<Option<Collected>, Trouble> {
        let Some(answer) = self.machines.wait(&self.run, self.key(line)?, cancel) else {
            return Ok(None);
        };
        let worker = answer.worker;
        Ok(Some(match answer.done {
            Done::Solved { answer, proof } => {
                let has_proof = proof.is_some();
                Collected { worker, answer: Ok(answer.get().into()), has_proof }
            }
            Done::Failed(refused) => Collected { worker, answer: Err(refused), has_proof: false },
            _ => Collected { worker, answer: Ok(String::new()), has_proof: false },
        }))
    }

    fn copy_proof(&mut self, line: u64, file: &mut File) -> Result<(), Trouble> {
        let answer = self.machines.wait(&self.run, self.key(line)?, &CancelToken::new());
        let Some(Done::Solved { proof: Some(name), .. }) = answer.map(|answer| answer.done) else {
            return Err(Trouble::Failed("the answer has no certificate".into()));
        };
        self.machines.copy_proof(&name, file)?;
        self.proofs.push(name);
        Ok(())
    }

    fn throw_out(&mut self, line: u64, why: &str) -> Result<(), Trouble> {
        self.machines.throw_out(&self.run, self.key(line)?, &format!("line {line}: {why}"));
        Ok(())
    }

    fn pass_on(&mut self, line: u64, worker: &str, refused: Refused) -> Result<bool, Trouble> {
        Ok(self.machines.pass_on(&self.run, self.key(line)?, worker, refused))
    }

    fn forget(&mut self, line: u64) -> Result<(), Trouble> {
        self.machines.forget(&self.run, self.key(line)?);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Trouble> {
        self.machines.end(&self.run);
        for name in self.proofs.drain(..) {
            self.machines.drop_proof(&name);
        }
        Ok(())
    }
}
