//! `proofwood status`: shows the runs and workers of a server.

use super::console::Terminal;
use crate::display::grid::{grid, left, right};
use crate::display::screen;
use crate::exit::complain;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood_cluster::job::Progress;
use proofwood_cluster::{Access, Run, Server, Status as Found};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble, cut};
use std::time::{Duration, Instant};

/// Show a server's runs and workers
///
/// Each `solve --on` or `match --on` is a run. Its jobs and answers stay on the server until the
/// run ends, even if the program that started it has exited.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood status nats://127.0.0.1:4222
  proofwood status nats://127.0.0.1:4222 --watch
  proofwood status nats://127.0.0.1:4222 --json
  proofwood status nats://127.0.0.1:4222 --forget 1f0c6f2a9b3d4e58")]
pub(crate) struct Status {
    /// URL of the server
    url: String,
    /// Delete a run with its jobs and answers
    #[arg(long, value_name = "RUN")]
    forget: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Refresh every second until Ctrl-C
    #[arg(long, conflicts_with = "forget")]
    watch: bool,
    #[command(flatten)]
    access: Access,
}

impl Status {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let server = Server::open(&self.url, &self.access, &Terminal::console())?;
        if let Some(run) = &self.forget {
            server.forget(run)?;
        }
        if self.watch {
            return watch(&server, self.json, printer);
        }
        let found = server.status()?;
        match self.json {
            true => printer.json(&found)?,
            false => printer.text(&text(&found))?,
        }
        Ok(Ended::Done)
    }
}

/// Prints the state every second until Ctrl-C. Waits while the server is unreachable.
fn watch(server: &Server, json: bool, printer: &mut Printer) -> Result<Ended, Trouble> {
    const EVERY: Duration = Duration::from_secs(1);
    /// The terminal's sequences that clear the screen and move the cursor to the upper left corner.
    const CLEAR: &str = "\u{1b}[2J\u{1b}[H";
    let interrupt = Interrupt::catch()?;
    let clear = if screen::of_output().is_some() { CLEAR } else { "" };
    let mut told = false;
    while !interrupt.is_raised() {
        match (server.status(), json) {
            (Ok(found), true) => printer.json(&found)?,
            (Ok(found), false) => printer.text(&format!("{clear}{}\n", text(&found)))?,
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

/// Cuts a name to the maximum length of our own names, because another program may have chosen a
/// longer one.
fn name(text: &str) -> String {
    const LONGEST: usize = 64;
    match text.chars().nth(LONGEST) {
        Some(_) => cut(text).chars().take(LONGEST - 1).chain(['…']).collect(),
        None => cut(text),
    }
}

fn progress(proof: &Progress) -> String {
    let Progress { proof_number, disproof_number, tree, under_way, work, seconds } = proof;
    let count = |number: u64| numbers::count(number as f64);
    let time = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
    let rate = work.nodes as f64 / work.seconds.max(1e-9);
    format!(
        "proof numbers {}/{} after {}; {} jobs done, {} running, tree of {} nodes; {} nodes \
         searched, {} a second per worker, {:.1} % of the workers' time between jobs",
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

fn text(found: &Found) -> String {
    let mut text = String::new();
    if found.runs.is_empty() {
        text.push_str("No runs.\n");
    } else {
        let columns =
            [left("run", 0), right("jobs", 0), right("answers", 0), left("description", 1)];
        let rows = found.runs.iter().map(|run| {
            let Run { run, what, jobs, answers, .. } = run;
            vec![name(run), jobs.to_string(), answers.to_string(), what.clone()]
        });
        text.push_str(&format!("{}\n", grid(&columns, rows)));
    }
    for run in &found.runs {
        let Some(proof) = &run.proof else { continue };
        text.push_str(&screen::fit(&format!("\n{}: {}\n", name(&run.run), progress(proof))));
    }
    if found.workers.is_empty() {
        return text + "\nNo workers.\n";
    }
    let columns = [
        left("worker", 0),
        right("jobs done", 0),
        right("per minute", 2),
        right("threads", 2),
        left("current jobs", 1),
    ];
    let rows = found.workers.iter().map(|worker| {
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
