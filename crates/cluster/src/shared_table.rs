//! What a worker keeps from job to job of one proof, and exchanges with the other workers.
//!
//! Workers tell each other over subjects, and nobody keeps what is told: who comes later has
//! to find out for itself, which costs work and nothing else.

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

/// The subject on which workers tell each other about a run.
fn entries_subject(run: &str, worker: &str) -> String {
    format!("proofwood.entries.{run}.{worker}")
}

/// The subject on which a run's jobs are called off, by their keys.
pub(crate) fn calling_off(run: &str) -> String {
    format!("proofwood.cancel.{run}")
}

/// The subject on which a run's jobs are told that it is enough, by their keys.
pub(crate) fn ending(run: &str) -> String {
    format!("proofwood.preempt.{run}")
}

/// How a job under way is ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    /// Nobody needs its answer.
    pub(crate) cancel: CancelToken,
    /// It answers with what it has come to.
    pub(crate) preempt: CancelToken,
}

/// What a worker keeps of one run. Everything is locked for moments only, between jobs and
/// when something is told.
pub(crate) struct SharedTable {
    pub(crate) run: String,
    state: Mutex<State>,
    /// Nodes of jobs that have ended and, as far as they have said so, of those under way.
    nodes: AtomicU64,
    console: Arc<dyn Console>,
}

#[derive(Default)]
struct State {
    /// What is known, and the name of its premises.
    shared_entries: Option<(SharedEntries, String)>,
    /// Whether positions can be told apart; not known before the first job.
    is_lone: bool,
    /// Jobs under way, by key.
    jobs: HashMap<String, Ends>,
    /// Jobs that have ended.
    ended: u64,
    machines: usize,
}

impl SharedTable {
    /// Begins with a run: tells and hears until it is dropped.
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

    /// A job begins.
    pub(crate) fn begin_job(&self, key: &str, task: &PartTask, ends: &Ends) {
        let mut state = self.lock();
        state.machines = task.workers;
        state.jobs.insert(key.into(), ends.clone());
    }

    /// A job has ended.
    pub(crate) fn end_job(&self, key: &str) {
        let mut state = self.lock();
        state.jobs.remove(key);
        state.ended += 1;
    }

    /// Has a search go on with what is known.
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

    /// Forgets everything that was found out here and elsewhere. Jobs under way keep it.
    pub(crate) fn forget(&self) {
        self.lock().shared_entries = None;
    }

    /// Where people look.
    pub(crate) fn console(&self) -> &dyn Console {
        &*self.console
    }

    /// Adds to the nodes that were made here.
    pub(crate) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The message with what is to be told now, if there is something.
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

/// How often a worker tells something at least.
const OFTEN: Duration = Duration::from_secs(1);

/// Tells the others now and then, as long as the run is there. Each message costs each of them
/// processor time. So it is by processor time that a worker waits before the next one: where it
/// has a tenth of a core, it tells a tenth as often. When a job has ended it does not wait,
/// since the jobs that follow need what was found out.
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
        // With a core for each job it is time now, give or take what clocks are off.
        if ended == known && wall < OFTEN && cpu < PUBLISH_EVERY / 2 * jobs as u32 {
            continue;
        }
        (told, known) = (Clock::start(), ended);
        // Nobody waits for what is published here.
        if let Some(batch) = shared_table.batch(&mut publish_rate, &worker, wall) {
            let subject = entries_subject(&shared_table.run, &worker);
            let _ = connection.context.client().publish(subject, batch.into()).await;
        }
    }
}

/// How often a task that hears nothing looks whether its run is still there.
const LOOK: Duration = Duration::from_secs(5);

/// Hands the messages on a subject to a run, as long as that is there.
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

/// Takes in what others tell.
fn receive(shared_table: &SharedTable, message: &[u8], worker: &str) {
    let Some((header, findings)) = EntriesHeader::read(message) else { return };
    let shared_entries = shared_table.lock().shared_entries.clone();
    if let Some((shared_entries, premises)) = shared_entries
        && header.worker != worker
        && header.premises == premises
    {
        // What is not made of findings is left alone.
        let _ = shared_entries.import_bytes(findings);
    }
}

/// Ends jobs one way or the other.
fn end_jobs(shared_table: &SharedTable, message: &[u8], way: impl Fn(&Ends) -> &CancelToken) {
    let Ok(keys) = std::str::from_utf8(message) else { return };
    let state = shared_table.lock();
    keys.lines().filter_map(|key| state.jobs.get(key)).for_each(|ends| way(ends).cancel());
}
