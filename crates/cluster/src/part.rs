//! Solves one subproblem of a proof.

use crate::job::{Done, PartAnswer, PartTask};
use crate::shared_table::{Ends, SharedTable};

use proofwood::certificate::CertificateError;
use proofwood::{Budget, CancelToken, StopReason, Value};
use proofwood_any_game::Proving;
use proofwood_session::Trouble;
use proofwood_session::input::given::Given;
use proofwood_session::input::solver::{Solver, check_names_no_file};
use proofwood_session::input::spec::find_game;
use proofwood_session::solving::check::check;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The resources for a job that does not set its own.
#[derive(Clone, Copy, Debug)]
pub struct Lent {
    /// The number of threads of a job.
    pub threads: usize,
    /// The memory of a search or a table, in bytes.
    pub memory: Option<u64>,
}

/// Reads the solver and the budget from a job's options.
pub fn solver(
    game: &str,
    options: &Given,
    keeps_proofs: bool,
    lent: Lent,
) -> Result<(Solver, Budget), Trouble> {
    let (limits, provers, options) = options.read()?;
    let budget = limits.budget(None)?;
    let plays = budget.playouts.is_some() || budget.bytes.is_some();
    let gives = |name: &str| options.gives(name) || provers.gives(name);
    let threads = (!gives("threads")).then_some(lent.threads);
    let memory = lent.memory.filter(|_| !gives("memory") && !gives("tt"));
    let mut solver = provers.solver(Some(game), options, plays)?.lent(threads, memory);
    if keeps_proofs {
        solver = solver.keeping_proofs();
    }
    solver.check_budget(&budget)?;
    check_names_no_file(solver.leaves())?;
    Ok((solver, budget))
}

/// Solves a subproblem; returns `None` if it was cancelled. If others have shared false entries,
/// there may be no valid certificate; then the subproblem is solved again without shared entries.
pub(crate) fn run(
    task: &PartTask,
    lent: Lent,
    proof: &Path,
    shared_table: &SharedTable,
    ends: &Ends,
) -> Result<Option<Done>, Trouble> {
    let part = match part(task, lent, proof, Some(shared_table), ends) {
        Err(Trouble::Failed(why)) if task.certificate => {
            let what = "discarding the results of other workers";
            shared_table.console().complain(&format!("{why}; {what}"));
            shared_table.forget();
            part(task, lent, proof, None, ends)
        }
        part => part,
    };
    Ok(part?.map(Done::Part))
}

fn part(
    task: &PartTask,
    lent: Lent,
    proof: &Path,
    shared_table: Option<&SharedTable>,
    Ends { cancel, preempt }: &Ends,
) -> Result<Option<PartAnswer>, Trouble> {
    /// The interval between checks for preemption.
    const LOOK: Duration = Duration::from_millis(50);
    let (game, rules) = find_game(&task.game)?;
    let position = task.text.find(&*rules).map_err(Trouble::Input)?;
    let (solver, budget) = solver(&game, &task.options, task.certificate, lent)?;
    let Solver::Prover(config) = solver.fitting(&*position) else {
        return Err(Trouble::Input("proving part of a position needs a prover".into()));
    };
    let mut search = position.prove(&config)?;
    if let Some(shared_table) = shared_table {
        shared_table.share(&mut *search, &game)?;
    }
    let mut counted = 0;
    let mut count = |nodes: u64| {
        shared_table.into_iter().for_each(|shared_table| shared_table.add_nodes(nodes - counted));
        counted = nodes;
    };
    search.start(&budget.cancel(cancel))?;
    let waiting = thread::current();
    search.on_end(Box::new(move || waiting.unpark()));
    while search.is_running() {
        thread::park_timeout(LOOK);
        if preempt.is_cancelled() {
            search.stop();
        }
        count(search.snapshot().nodes);
    }
    let answer = search.wait()?;
    count(answer.nodes);
    let wins = answer.solved.then_some(answer.proven == Value::Win);
    let is_written = wins.is_some() && task.certificate;
    if is_written && !certify(&*search, (&game, &position.text()), cancel, proof)? {
        return Ok(None);
    }
    if cancel.is_cancelled() || answer.stop_reason == Some(StopReason::Cancelled) {
        return Ok(None);
    }
    Ok(Some(PartAnswer {
        wins,
        best_move: answer.best_move,
        nodes: answer.nodes,
        seconds: answer.elapsed.as_secs_f64(),
        numbers: search.numbers(),
        proof: is_written.then(|| "here".to_string()),
    }))
}

/// Writes a certificate and checks it; returns false if it was cancelled.
fn certify(
    search: &dyn Proving,
    (game, position): (&str, &str),
    cancel: &CancelToken,
    path: &Path,
) -> Result<bool, Trouble> {
    let failed = |why: &dyn Display| Trouble::Failed(format!("cannot write a certificate: {why}"));
    let file = File::create(path).map_err(|error| Trouble::writing(path.display(), &error))?;
    let mut out = BufWriter::new(file);
    match search.certify(game, position, cancel, &mut out) {
        Err(CertificateError::Stopped(_)) => return Ok(false),
        written => written.map_err(|error| failed(&error))?,
    };
    out.flush().map_err(|error| Trouble::writing(path.display(), &error))?;
    check(path).map_err(|why| failed(&why))?;
    Ok(true)
}
