//! The table that a worker keeps between the jobs of a proof, and shares with other workers.
//!
//! Workers publish table entries on a subject that the server does not store. A worker that joins
//! later starts without them, which costs nodes but nothing else.

use crate::connection::{Connection, name_of};
use crate::console::Console;
use crate::job::{EntriesHeader, FORMAT, PartTask};
use crate::publish_rate::{PUBLISH_EVERY, PublishRate};
use futures_util::StreamExt;
use proofwood::CancelToken;
use proofwood::inspect::SavedError;
use proofwood::prover::SharedEntries;
use proofwood_any_game::Proving;
use proofwood_measure::{Clock, Took};
use proofwood_session::Trouble;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// Returns the subject on which a worker publishes its entries.
fn entries_subject(run: &str, worker: &str) -> String {
    format!("proofwood.entries.{run}.{worker}")
}

/// Returns the subject on which jobs of a run are cancelled.
pub(crate) fn calling_off(run: &str) -> String {
    format!("proofwood.cancel.{run}")
}

/// Returns the subject on which jobs of a run are preempted.
pub(crate) fn ending(run: &str) -> String {
    format!("proofwood.preempt.{run}")
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Ends the job without an answer.
    pub(crate) cancel: CancelToken,
    /// Ends the job with an intermediate result.
    pub(crate) preempt: CancelToken,
}

/// The table of one run. Its lock is held only briefly, between jobs and when entries are
/// exchanged.
pub(crate) struct SharedTable {
    pub(crate) run: String,
    state: Mutex<State>,
    /// The number of nodes of finished jobs, and of running jobs as last reported.
    nodes: AtomicU64,
    console: Arc<dyn Console>,
}

#[derive(Default)]
struct State {
    /// The table, and a hash of the premises on which the meaning of its entries depends.
    shared_entries: Option<(SharedEntries, String)>,
    /// Whether positions have no key, so that nothing can be shared. False before the first job.
    is_lone: bool,
    jobs: HashMap<String, Ends>,
    ended: u64,
    machines: usize,
}

impl SharedTable {
    /// Starts to exchange a run's entries; the exchange ends when the table is dropped.
    pub(crate) fn begin(run: &str, worker: &str, connection: &Connection) -> Arc<SharedTable> {
        let (state, nodes) = (Mutex::default(), AtomicU64::new(0));
        let shared_table = Arc::new(SharedTable {
            run: run.into(),
            state,
            nodes,
            console: Arc::clone(&connection.console),
        });
        let (own, name) = (Arc::downgrade(&shared_table), worker.to_string());
        tokio::spawn(publish(Weak::clone(&own), connection.clone(), name.clone()));
        let subject = entries_subject(run, "*");
        let take =
            move |shared_table: &SharedTable, message: &[u8]| receive(shared_table, message, &name);
        tokio::spawn(listen(Weak::clone(&own), connection.clone(), subject, take));
        let (off, preempt) = (calling_off(run), ending(run));
        let cancel = |shared_table: &SharedTable, keys: &[u8]| {
            end_jobs(shared_table, keys, |ends| &ends.cancel)
        };
        tokio::spawn(listen(Weak::clone(&own), connection.clone(), off, cancel));
        let end = |shared_table: &SharedTable, keys: &[u8]| {
            end_jobs(shared_table, keys, |ends| &ends.preempt)
        };
        tokio::spawn(listen(own, connection.clone(), preempt, end));
        shared_table
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a job, so that it can be cancelled.
    pub(crate) fn begin_job(&self, key: &str, task: &PartTask, ends: &Ends) {
        let mut state = self.lock();
        state.machines = task.workers;
        state.jobs.insert(key.into(), ends.clone());
    }

    pub(crate) fn end_job(&self, key: &str) {
        let mut state = self.lock();
        state.jobs.remove(key);
        state.ended += 1;
    }

    /// Makes a search use the table.
    pub(crate) fn share(&self, search: &mut dyn Proving, game: &str) -> Result<(), Trouble> {
        let mut state = self.lock();
        if state.is_lone {
            return Ok(());
        }
        match search.share(game, state.shared_entries.as_ref().map(|(known, _)| known)) {
            Ok(shared_entries) => {
                let premises = name_of(shared_entries.premises());
                state.shared_entries = Some((shared_entries, premises));
                Ok(())
            }
            Err(SavedError::Unidentified) => {
                state.is_lone = true;
                Ok(())
            }
            Err(error) => Err(Trouble::Failed(error.to_string())),
        }
    }

    /// Discards the table, so that the next job creates a new one. Running jobs keep the old one.
    pub(crate) fn forget(&self) {
        self.lock().shared_entries = None;
    }

    pub(crate) fn console(&self) -> &dyn Console {
        &*self.console
    }

    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Returns the message with the entries to publish now, if there are any.
    fn batch(
        &self,
        publish_rate: &mut PublishRate,
        worker: &str,
        since: Duration,
    ) -> Option<Vec<u8>> {
        let ((shared_entries, premises), machines) = {
            let state = self.lock();
            (state.shared_entries.clone()?, state.machines)
        };
        if machines <= 1 {
            return None;
        }
        publish_rate.set_machines(machines);
        let nodes = self.nodes.load(Ordering::Relaxed);
        let findings = publish_rate.batch(&shared_entries, nodes, since.as_secs_f64());
        let header = EntriesHeader { format: FORMAT, worker: worker.to_string(), premises };
        (!findings.is_empty()).then(|| header.message(&findings))
    }
}

/// The longest time between two batches.
const OFTEN: Duration = Duration::from_secs(1);

/// Publishes entries at intervals while the run lasts. Each message costs every other worker
/// processor time, so the interval is measured in processor time: a worker that gets a tenth of a
/// core publishes a tenth as often. When a job ends, its entries are published at once, since the
/// next jobs need them.
async fn publish(shared_table: Weak<SharedTable>, connection: Connection, worker: String) {
    let (mut publish_rate, mut told, mut known) = (PublishRate::new(1), Clock::start(), 0);
    loop {
        tokio::time::sleep(PUBLISH_EVERY).await;
        let Some(shared_table) = shared_table.upgrade() else { return };
        let (jobs, ended) = {
            let state = shared_table.lock();
            (state.jobs.len(), state.ended)
        };
        let Took { wall, cpu } = told.took();
        // With a core per job, twice this time has passed; half of it allows for the clocks' error.
        if ended == known && wall < OFTEN && cpu < PUBLISH_EVERY / 2 * jobs as u32 {
            continue;
        }
        (told, known) = (Clock::start(), ended);
        // Failures are ignored, since the entries are not essential.
        if let Some(batch) = shared_table.batch(&mut publish_rate, &worker, wall) {
            let subject = entries_subject(&shared_table.run, &worker);
            let _ = connection.context.client().publish(subject, batch.into()).await;
        }
    }
}

/// The interval at which a listener that receives no messages checks that its run still exists.
const LOOK: Duration = Duration::from_secs(5);

/// Passes the messages on a subject to `take` while the run lasts.
async fn listen(
    shared_table: Weak<SharedTable>,
    connection: Connection,
    subject: String,
    take: impl Fn(&SharedTable, &[u8]),
) {
    let Ok(mut messages) = connection.context.client().subscribe(subject).await else { return };
    loop {
        let message = tokio::time::timeout(LOOK, messages.next()).await;
        let Some(shared_table) = shared_table.upgrade() else { return };
        match message {
            Ok(Some(message)) => take(&shared_table, &message.payload),
            Ok(None) => return,
            Err(_) => {}
        }
    }
}

/// Imports the entries of another worker.
fn receive(shared_table: &SharedTable, message: &[u8], worker: &str) {
    let Some((header, findings)) = EntriesHeader::read(message) else { return };
    let shared_entries = shared_table.lock().shared_entries.clone();
    if let Some((shared_entries, premises)) = shared_entries
        && header.worker != worker
        && header.premises == premises
    {
        // A malformed message is ignored.
        let _ = shared_entries.import_bytes(findings);
    }
}

/// Cancels or preempts the jobs with the keys in `message`.
fn end_jobs(shared_table: &SharedTable, message: &[u8], way: impl Fn(&Ends) -> &CancelToken) {
    let Ok(keys) = std::str::from_utf8(message) else { return };
    let state = shared_table.lock();
    keys.lines().filter_map(|key| state.jobs.get(key)).for_each(|ends| way(ends).cancel());
}
