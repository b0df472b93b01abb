//! Searches a job's position.

use super::answer::Reply;
use super::answers::Answers;
use super::query::{Job, Work};
use super::queue::Queue;
use proofwood::{Budget, Config, ProverConfig};
use proofwood_any_game::search_among;
use proofwood_session::input::solver::Solver;
use proofwood_session::{Trouble, cut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

/// Runs a job and returns its final answer, even after an error or a panic. Interim answers are
/// sent to `reports`.
pub(super) fn answer(job: &Job, reports: &Answers, queue: &Queue) -> String {
    if job.cancel.is_cancelled() {
        return Reply::nothing(job).line();
    }
    // The program must not end while this job has files open.
    let _saving = (!job.asked.trees.are_none()).then(|| queue.keep_open());
    let searched = catch_unwind(AssertUnwindSafe(|| search(job, reports)));
    let failed = |_| Err(Trouble::Failed("internal error: the program panicked".into()));
    searched
        .unwrap_or_else(failed)
        .unwrap_or_else(|error| Reply::error(job, &cut(&error.to_string())).line())
}

fn search(job: &Job, reports: &Answers) -> Result<String, Trouble> {
    let budget = job.asked.budget.clone().cancel(&job.cancel);
    match &job.asked.work {
        Work::Search(config) => played(job, config, &budget, reports),
        Work::Solve(solver) => match solver.fitting(&*job.position) {
            Solver::Playouts { config, .. } => played(job, &config, &budget, reports),
            Solver::Prover(config) | Solver::Fitting { prover: config, .. } => {
                proven(job, &config, &budget, reports)
            }
        },
    }
}

fn played(
    job: &Job,
    config: &Config,
    budget: &Budget,
    reports: &Answers,
) -> Result<String, Trouble> {
    let trees = &job.asked.trees;
    // The error must begin with the name of the query's field.
    let named = |failure: Trouble| match failure.to_string() {
        text if text.starts_with("save_tree: ") => failure,
        text if text.contains("save_tree") => failure.about("save_tree"),
        _ => failure.about("load_tree"),
    };
    let open = || trees.open(&job.asked.game).map_err(named);
    let mut files = if trees.are_none() { None } else { Some(open()?) };
    let mut search = match &job.asked.among {
        Some(moves) => search_among(&*job.position, config, moves)?,
        None => job.position.search(config)?,
    };
    if let Some(files) = &mut files {
        files.load(&mut *search).map_err(named)?;
    }
    search.start(budget)?;
    let text = job.position.text();
    if let Some(every) = job.asked.every {
        let ended = ends(|hook| search.on_end(hook));
        report(&ended, every, || {
            reports.send(Reply::known(job, &text, &search.snapshot(), false).line());
        });
    }
    let answer = search.wait()?;
    let mut last = Reply::known(job, &text, &answer, true);
    if let (Some(mut files), Some(path)) = (files, &trees.save) {
        // The result is reported even if the tree cannot be saved.
        match files.save(&*search) {
            Ok(()) => last.saved_tree = path.file_name().map(|n| n.to_string_lossy().into()),
            Err(failure) => last.not_saved = Some(cut(&failure.to_string())),
        }
    }
    Ok(last.line())
}

fn proven(
    job: &Job,
    config: &ProverConfig,
    budget: &Budget,
    reports: &Answers,
) -> Result<String, Trouble> {
    let mut search = job.position.prove(config)?;
    search.start(budget)?;
    let text = job.position.text();
    if let Some(every) = job.asked.every {
        let ended = ends(|hook| search.on_end(hook));
        report(&ended, every, || {
            reports.send(Reply::known(job, &text, &search.snapshot(), false).line());
        });
    }
    Ok(Reply::known(job, &text, &search.wait()?, true).line())
}

/// Returns a channel that receives a message at the end of a search.
fn ends(on_end: impl FnOnce(Box<dyn FnOnce() + Send>)) -> Receiver<()> {
    let (tell, ended) = mpsc::channel();
    on_end(Box::new(move || {
        let _ = tell.send(());
    }));
    ended
}

/// Calls `report` at intervals of `every` until the search has ended.
fn report(ended: &Receiver<()>, every: Duration, report: impl Fn()) {
    while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(every) {
        report();
    }
}
