//! What there is in the streams.

use super::link::{Link, runtime};
use crate::display::grid::{grid, left, right};
use crate::display::screen;
use crate::exit::complain;
use crate::machines::StatusTask;
use crate::machines::job::{Presence, Progress, RunRecord};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use async_nats::jetstream::stream::Stream;
use futures_util::TryStreamExt;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble, cut};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// All that there is.
#[derive(Debug, Serialize)]
struct Status {
    runs: Vec<Run>,
    workers: Vec<Presence>,
    /// Jobs that the server has taken since it began.
    handed_out: u64,
    /// Answers that it has taken.
    answered: u64,
}

/// How far a run is.
#[derive(Debug, Default, Serialize)]
struct Run {
    run: String,
    what: String,
    /// Jobs without an answer.
    jobs: u64,
    /// Answers that nobody has collected for good.
    answers: u64,
    /// How far a proof is.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Progress>,
}

/// Prints what there is, or forgets a run.
pub(crate) fn status(task: StatusTask, printer: &mut Printer) -> Result<Ended, Trouble> {
    let runtime = runtime()?;
    let link = Link::open("<URL>", &task.url, &task.access, "proofwood-status");
    let link = runtime.block_on(link)?;
    if let Some(run) = &task.forget {
        // A run of another program may have any name that is one part of a subject.
        let joins = |c: char| c.is_whitespace() || matches!(c, '.' | '*' | '>');
        if run.is_empty() || run.contains(joins) {
            return Err(Trouble::Input(format!("--forget {run}: the list has the names of runs")));
        }
        runtime.block_on(link.purge(run));
    }
    if task.watch {
        return watch(&runtime, &link, task.json, printer);
    }
    let status = runtime.block_on(Status::read(&link))?;
    match task.json {
        true => printer.json(&status)?,
        false => printer.text(&status.text())?,
    }
    Ok(Ended::Done)
}

/// Prints what there is again and again, until Ctrl-C. A server that is away is waited for.
fn watch(
    runtime: &Runtime,
    link: &Link,
    json: bool,
    printer: &mut Printer,
) -> Result<Ended, Trouble> {
    /// How often what is seen is new.
    const EVERY: Duration = Duration::from_secs(1);
    /// From the upper left corner on, and nothing of before.
    const CLEAR: &str = "\u{1b}[2J\u{1b}[H";
    let interrupt = Interrupt::catch()?;
    let clear = if screen::of_output().is_some() { CLEAR } else { "" };
    let mut told = false;
    while !interrupt.is_raised() {
        match (runtime.block_on(Status::read(link)), json) {
            (Ok(status), true) => printer.json(&status)?,
            (Ok(status), false) => printer.text(&format!("{clear}{}\n", status.text()))?,
            (Err(failure), _) if !told => complain(&failure),
            (Err(_), _) => {}
        }
        told = true;
        let until = Instant::now() + EVERY;
        while Instant::now() < until && !interrupt.is_raised() {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    Ok(Ended::Interrupted)
}

/// A name that may be a stranger's: as long as one of ours at most.
fn name(text: &str) -> String {
    const LONGEST: usize = 64;
    match text.chars().nth(LONGEST) {
        Some(_) => cut(text).chars().take(LONGEST - 1).chain(['…']).collect(),
        None => cut(text),
    }
}

/// Messages by the third part of their subjects.
async fn counts(stream: &Stream, subjects: &str) -> Result<BTreeMap<String, u64>, Trouble> {
    let failed = |error: &dyn std::fmt::Display| {
        Trouble::Failed(format!("cannot read the streams of the server: {error}"))
    };
    let all = stream.info_with_subjects(format!("proofwood.{subjects}.>")).await;
    let all: Vec<(String, usize)> =
        all.map_err(|error| failed(&error))?.try_collect().await.map_err(|error| failed(&error))?;
    let mut counts = BTreeMap::new();
    for (subject, number) in all {
        if let Some(part) = subject.split('.').nth(2) {
            *counts.entry(part.to_string()).or_default() += number as u64;
        }
    }
    Ok(counts)
}

/// The jobs and the answers of a run.
pub(super) async fn of_run(link: &Link, run: &str) -> Result<(u64, u64), Trouble> {
    let (jobs, answers) =
        (counts(&link.jobs, "jobs").await?, counts(&link.answers, "answers").await?);
    let of = |counts: BTreeMap<String, u64>| counts.get(run).copied().unwrap_or(0);
    Ok((of(jobs), of(answers)))
}

impl Progress {
    /// For people.
    fn text(&self) -> String {
        let Progress { proof_number, disproof_number, tree, under_way, work, seconds } = self;
        let count = |number: u64| numbers::count(number as f64);
        let time = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
        let rate = work.nodes as f64 / work.seconds.max(1e-9);
        format!(
            "proof numbers {}/{} after {}; {} jobs done, {} under way, tree of {}; {} nodes, {} a \
             second of a worker, {:.1} % of the workers' time between jobs",
            count(*proof_number),
            count(*disproof_number),
            numbers::time(time),
            count(work.jobs),
            under_way,
            count(*tree),
            count(work.nodes),
            numbers::count(rate),
            100.0 * work.between_jobs(),
        )
    }
}

impl Status {
    async fn read(link: &Link) -> Result<Status, Trouble> {
        let mut runs: BTreeMap<String, Run> = BTreeMap::new();
        for (name, jobs) in counts(&link.jobs, "jobs").await? {
            runs.entry(name).or_default().jobs = jobs;
        }
        for (name, answers) in counts(&link.answers, "answers").await? {
            runs.entry(name).or_default().answers = answers;
        }
        for name in counts(&link.runs, "runs").await?.into_keys() {
            let message = link.next(&link.runs, &format!("proofwood.runs.{name}"), 1).await;
            let record = message.and_then(|message| serde_json::from_slice(&message.payload).ok());
            let RunRecord { what, proof } = record.unwrap_or_default();
            let run = runs.entry(name).or_default();
            (run.what, run.proof) = (cut(&what), proof);
        }
        for (name, run) in &mut runs {
            run.run = name.clone();
        }
        let mut workers: Vec<Presence> = Vec::new();
        let mut from = 1;
        while let Some(message) = link.next(&link.workers, "proofwood.workers.>", from).await {
            from = message.sequence + 1;
            workers.extend(serde_json::from_slice::<Presence>(&message.payload).ok());
        }
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        let last = async |stream: &Stream| {
            let mut stream = stream.clone();
            stream.info().await.map(|info| info.state.last_sequence).map_err(|error| {
                Trouble::Failed(format!("cannot read the streams of the server: {error}"))
            })
        };
        let (handed_out, answered) = (last(&link.jobs).await?, last(&link.answers).await?);
        Ok(Status { runs: runs.into_values().collect(), workers, handed_out, answered })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if self.runs.is_empty() {
            text.push_str("No runs.\n");
        } else {
            let columns = [left("run", 0), right("jobs", 0), right("answers", 0), left("what", 1)];
            let rows = self.runs.iter().map(|run| {
                let Run { run, what, jobs, answers, .. } = run;
                vec![name(run), jobs.to_string(), answers.to_string(), what.clone()]
            });
            text.push_str(&format!("{}\n", grid(&columns, rows)));
        }
        for run in &self.runs {
            let Some(proof) = &run.proof else { continue };
            text.push_str(&screen::fit(&format!("\n{}: {}\n", name(&run.run), proof.text())));
        }
        if self.workers.is_empty() {
            return text + "\nNo workers.\n";
        }
        let columns = [
            left("worker", 0),
            right("jobs done", 0),
            right("a minute", 2),
            right("threads", 2),
            left("doing", 1),
        ];
        let rows = self.workers.iter().map(|worker| {
            let rate = 60.0 * worker.done as f64 / worker.seconds.max(1.0);
            vec![
                name(&worker.name),
                worker.done.to_string(),
                format!("{rate:.1}"),
                worker.threads.to_string(),
                cut(&worker.doing.join("; ")),
            ]
        });
        format!("{text}\n{}\n", grid(&columns, rows))
    }
}
