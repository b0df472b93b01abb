//! The state of a server: its runs and workers.

use crate::access::Access;
use crate::connection::{Connection, runtime};
use crate::console::Console;
use crate::job::{Presence, Progress, RunRecord};
use async_nats::jetstream::stream::Stream;
use futures_util::TryStreamExt;
use proofwood_session::{Trouble, cut};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::runtime::Runtime;

/// The state of a server.
#[derive(Debug, Serialize)]
pub struct Status {
    /// The runs on the server.
    pub runs: Vec<Run>,
    /// The workers that are currently present.
    pub workers: Vec<Presence>,
    /// The number of jobs that the server has accepted since its start.
    pub handed_out: u64,
    /// The number of answers that the server has accepted since its start.
    pub answered: u64,
}

/// The state of a run.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    /// The name of the run.
    pub run: String,
    /// A description of the run.
    pub what: String,
    /// The number of jobs without an answer.
    pub jobs: u64,
    /// The number of answers still on the server.
    pub answers: u64,
    /// The progress, if the run is a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Progress>,
}

/// A connection to a server for reading its state.
pub struct Server {
    runtime: Runtime,
    connection: Connection,
}

impl Server {
    /// Connects to the server at `url`.
    pub fn open(url: &str, access: &Access, console: &Arc<dyn Console>) -> Result<Server, Trouble> {
        let runtime = runtime()?;
        let connection = Connection::open("<URL>", url, access, "proofwood-status", console);
        let connection = runtime.block_on(connection)?;
        Ok(Server { runtime, connection })
    }

    /// Reads the state of the server.
    pub fn status(&self) -> Result<Status, Trouble> {
        self.runtime.block_on(Status::read(&self.connection))
    }

    /// Deletes a run: its jobs, its answers and its proofs.
    pub fn forget(&self, run: &str) -> Result<(), Trouble> {
        // Runs of other programs may have any name that is a single token of a subject.
        let joins = |c: char| c.is_whitespace() || matches!(c, '.' | '*' | '>');
        if run.is_empty() || run.contains(joins) {
            return Err(Trouble::Input(format!(
                "--forget {run}: this is not the name of a run; `proofwood status` lists the runs"
            )));
        }
        self.runtime.block_on(self.connection.purge(run));
        Ok(())
    }
}

/// Counts messages by the third token of their subject.
async fn counts(stream: &Stream, subjects: &str) -> Result<BTreeMap<String, u64>, Trouble> {
    let failed = |error: &dyn std::fmt::Display| {
        Trouble::Failed(format!("cannot read the server's streams: {error}"))
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

pub(crate) async fn of_run(connection: &Connection, run: &str) -> Result<(u64, u64), Trouble> {
    let (jobs, answers) =
        (counts(&connection.jobs, "jobs").await?, counts(&connection.answers, "answers").await?);
    let of = |counts: BTreeMap<String, u64>| counts.get(run).copied().unwrap_or(0);
    Ok((of(jobs), of(answers)))
}

impl Status {
    async fn read(connection: &Connection) -> Result<Status, Trouble> {
        let mut runs: BTreeMap<String, Run> = BTreeMap::new();
        for (name, jobs) in counts(&connection.jobs, "jobs").await? {
            runs.entry(name).or_default().jobs = jobs;
        }
        for (name, answers) in counts(&connection.answers, "answers").await? {
            runs.entry(name).or_default().answers = answers;
        }
        for name in counts(&connection.runs, "runs").await?.into_keys() {
            let message =
                connection.next(&connection.runs, &format!("proofwood.runs.{name}"), 1).await;
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
        while let Some(message) =
            connection.next(&connection.workers, "proofwood.workers.>", from).await
        {
            from = message.sequence + 1;
            workers.extend(serde_json::from_slice::<Presence>(&message.payload).ok());
        }
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        let last = async |stream: &Stream| {
            let mut stream = stream.clone();
            stream.info().await.map(|info| info.state.last_sequence).map_err(|error| {
                Trouble::Failed(format!("cannot read the server's streams: {error}"))
            })
        };
        let (handed_out, answered) =
            (last(&connection.jobs).await?, last(&connection.answers).await?);
        Ok(Status { runs: runs.into_values().collect(), workers, handed_out, answered })
    }
}
