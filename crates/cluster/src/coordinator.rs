//! The coordinator: hands jobs out and collects their answers.
//!
//! One thread runs the asynchronous code that communicates with the server. Callers on other
//! threads block until they have their result.

use crate::access::Access;
use crate::connection::{Connection, Patience, Sent, runtime};
use crate::console::Console;
use crate::job::{
    Answer, Done, FORMAT, Job, PartAnswer, Presence, Refused, RunRecord, VERSION, is_name,
};
use crate::shared_table::{calling_off, ending};
use crate::status::of_run;
use async_nats::jetstream::object_store::{GetErrorKind, Object};
use futures_util::StreamExt;
use proofwood::CancelToken;
use proofwood_session::Trouble;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::future::Future;
use std::io::{self, Seek, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The interval at which a wait checks for cancellation.
const LOOK: Duration = Duration::from_millis(100);

/// The interval at which jobs without an answer are sent again. The server refuses a job that it
/// still has, so only lost jobs are restored.
const REMIND: Duration = Duration::from_secs(30);

/// The number of workers that must fail at a job before the job itself is blamed instead of their
/// machines.
const AGREED: usize = 2;

/// The limit on the number of workers counted, since anyone with access can announce workers.
const MOST_WORKERS: usize = 2048;

/// The size limit for a proof that is fetched, in bytes.
const LARGEST_PROOF: u64 = 1 << 30;

/// The time without any worker after which a warning is printed.
const ALONE: Duration = Duration::from_secs(3);

/// A connection to the workers of a server.
pub struct Machines {
    shared: Arc<Shared>,
    handle: Handle,
    /// Ends the thread when it is dropped.
    _alive: oneshot::Sender<()>,
}

struct Shared {
    connection: Connection,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: HashMap<Place, Job>,
    /// The answers received, each with its sequence number in the stream.
    answers: HashMap<Place, (Answer, u64)>,
    /// Workers that have given a false answer. All their answers are ignored.
    out: BTreeSet<String>,
    /// The workers that have failed at each job, and the reasons.
    failures: HashMap<Place, BTreeMap<String, Refused>>,
    /// Workers whose failures have been reported.
    shown: BTreeSet<String>,
    /// Jobs that are still being sent to the server. They must not be sent again meanwhile.
    on_the_way: HashSet<Place>,
    /// Whether the record of a run is still being sent to the server.
    is_publishing: bool,
    records: HashMap<String, RunRecord>,
    /// The time at which jobs were last sent again.
    reminded: Option<Instant>,
    /// The present workers, each with its number of parallel jobs; `None` before the first count.
    present: Option<BTreeMap<String, usize>>,
    /// The time since which there has been no worker, and whether a warning was printed.
    alone: Option<(Instant, bool)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WorkerCount {
    pub(crate) workers: usize,
    /// The number of jobs that the workers do in parallel.
    pub(crate) slots: usize,
}

type Place = (String, String);

impl Machines {
    /// Connects to the server at `url`.
    pub fn connect(
        url: &str,
        access: &Access,
        console: &Arc<dyn Console>,
    ) -> Result<Machines, Trouble> {
        let runtime = runtime()?;
        let connection = Connection::open("--on", url, access, "proofwood", console);
        let connection = runtime.block_on(connection)?;
        let (handle, (alive, ended)) = (runtime.handle().clone(), oneshot::channel::<()>());
        thread::spawn(move || {
            // An error means that the sender was dropped, which ends the thread, too.
            let _ = runtime.block_on(ended);
            // Tasks still running are abandoned; callers that needed them have waited.
            runtime.shutdown_background();
        });
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { connection, state, changed });
        Ok(Machines { shared, handle, _alive: alive })
    }

    /// Returns the numbers of unanswered jobs and of answers that the server has for a run.
    pub fn counts(&self, run: &str) -> Result<(u64, u64), Trouble> {
        self.block(of_run(&self.shared.connection, run))
    }

    /// Returns the console on which messages and progress are shown.
    pub fn console(&self) -> &dyn Console {
        &*self.shared.connection.console
    }

    fn block<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Begins a run, or resumes it. Returns once all answers on the server have been read.
    pub fn begin(&self, run: &str, what: &str) {
        let shared = Arc::clone(&self.shared);
        let record = RunRecord { what: what.into(), proof: None };
        let (ready, is_ready) = oneshot::channel();
        let run = run.to_string();
        self.block(shared.connection.send(&format!("proofwood.runs.{run}"), &record));
        let is_first = {
            let mut state = shared.lock();
            state.reminded = Some(Instant::now());
            state.records.insert(run.clone(), record);
            state.present.is_none()
        };
        if is_first {
            self.count_workers();
        }
        self.handle.spawn(async move { shared.read(run, ready).await });
        // This cannot fail, since the sender is used before it is dropped.
        let _ = self.block(is_ready);
    }

    pub(crate) fn tell(&self, run: &str, record: RunRecord) {
        let mut state = self.shared.lock();
        state.records.insert(run.into(), record);
        self.send_record(&mut state, run);
    }

    /// Sends the latest record of a run. Does nothing while an earlier record is still being sent,
    /// since a newer record will follow.
    fn send_record(&self, state: &mut State, run: &str) {
        let Some(record) = state.records.get(run).cloned() else { return };
        if std::mem::replace(&mut state.is_publishing, true) {
            return;
        }
        let (shared, subject) = (Arc::clone(&self.shared), format!("proofwood.runs.{run}"));
        self.handle.spawn(async move {
            shared.connection.send(&subject, &record).await;
            shared.lock().is_publishing = false;
        });
    }

    /// Cancels jobs whose answers are no longer needed.
    pub(crate) fn call_off(&self, run: &str, keys: &[String]) {
        if keys.is_empty() {
            return;
        }
        keys.iter().for_each(|key| self.withdraw(run, key));
        // A worker that misses the message does the job in vain.
        self.say(calling_off(run), keys);
    }

    /// Preempts jobs: their workers end them and answer with intermediate results.
    pub(crate) fn is_enough(&self, run: &str, keys: &[String]) {
        if !keys.is_empty() {
            // A worker that misses the message ends a little later.
            self.say(ending(run), keys);
        }
    }

    /// Publishes the keys of jobs on a subject.
    fn say(&self, subject: String, keys: &[String]) {
        let (shared, message) = (Arc::clone(&self.shared), keys.join("\n"));
        self.handle.spawn(async move {
            let _ = shared.connection.context.client().publish(subject, message.into()).await;
        });
    }

    /// Hands out a job, unless its answer has already arrived.
    pub fn ask(&self, run: &str, key: &str, job: Job) {
        let place = (run.to_string(), key.to_string());
        let mut state = self.shared.lock();
        state.jobs.insert(place.clone(), job.clone());
        if !state.answers.contains_key(&place) {
            self.hand_out(&mut state, place, job);
        }
    }

    fn hand_out(&self, state: &mut State, place: Place, mut job: Job) {
        job.without = state.without(&place).into_iter().cloned().collect();
        state.on_the_way.insert(place.clone());
        let shared = Arc::clone(&self.shared);
        self.handle.spawn(async move {
            let (run, key) = &place;
            let subject = format!("proofwood.jobs.{run}.{key}");
            // If an earlier run has sent the job, the server refuses it a second time.
            if shared.connection.send(&subject, &job).await == Sent::TooLarge {
                shared
                    .connection
                    .console
                    .complain(&format!("{subject}: this job is too large for the server"));
            }
            shared.lock().on_the_way.remove(&place);
        });
    }

    /// Sends the unanswered jobs of a run again at intervals of [`REMIND`], in case the server has
    /// lost them, and warns if there are no workers.
    fn look_after(&self, state: &mut State, run: &str) {
        self.complain_if_alone(state);
        if state.reminded.is_some_and(|reminded| reminded.elapsed() < REMIND) {
            return;
        }
        state.reminded = Some(Instant::now());
        let is_open = |place: &&Place| {
            let is_there = state.answers.contains_key(*place) || state.on_the_way.contains(*place);
            place.0 == run && !is_there
        };
        let open: Vec<Place> = state.jobs.keys().filter(is_open).cloned().collect();
        for place in open {
            match state.common_failure(&place) {
                Some(failure) => drop(state.answers.insert(place, (failure, 0))),
                None => {
                    let job = state.jobs[&place].clone();
                    self.hand_out(state, place, job);
                }
            }
        }
        // Restores a record that the server has lost, and detects a server that accepts nothing.
        self.send_record(state, run);
    }

    /// Warns once if there have been no workers for a while.
    fn complain_if_alone(&self, state: &mut State) {
        if state.present.is_none() || state.worker_count().workers > 0 {
            state.alone = None;
            return;
        }
        let (since, said) = *state.alone.get_or_insert((Instant::now(), false));
        if said || since.elapsed() < ALONE {
            return;
        }
        state.alone = Some((since, true));
        self.console().complain(match state.out.is_empty() {
            true => "no worker is connected; start one with `proofwood work --connect URL`",
            false => "no worker is left: all have been excluded; start one with another --name",
        });
    }

    /// Waits for the answer to a job that was handed out; returns `None` if the token was
    /// cancelled.
    pub fn wait(&self, run: &str, key: &str, cancel: &CancelToken) -> Option<Answer> {
        while !cancel.is_cancelled() {
            if let Some((_, answer)) = self.any(run, &[key]) {
                return Some(answer);
            }
        }
        None
    }

    /// Returns the first answer to any of these jobs; `None` if none arrives within [`LOOK`].
    pub(crate) fn any(&self, run: &str, keys: &[&str]) -> Option<(String, Answer)> {
        let mut state = self.shared.lock();
        self.look_after(&mut state, run);
        let first = |state: &State| {
            keys.iter().find_map(|key| {
                let (answer, _) = state.answers.get(&(run.to_string(), key.to_string()))?;
                Some((key.to_string(), answer.clone()))
            })
        };
        let mut found = first(&state);
        if found.is_none() {
            let waited = self.shared.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            found = first(&state);
        }
        let (key, answer) = found?;
        let is_out = state.out.contains(&answer.worker);
        // `again` locks the state, too.
        drop(state);
        if is_out {
            // A worker whose answers are ignored must not keep this loop busy.
            thread::sleep(LOOK);
            self.again(&(run.to_string(), key));
            return None;
        }
        Some((key, answer))
    }

    /// Counts the workers now, and then once a second.
    fn count_workers(&self) {
        const EVERY: Duration = Duration::from_secs(1);
        let shared = Arc::clone(&self.shared);
        self.block(shared.count_workers());
        self.handle.spawn(async move {
            loop {
                tokio::time::sleep(EVERY).await;
                shared.count_workers().await;
            }
        });
    }

    /// Returns the last count of the workers, without those whose answers are ignored.
    pub(crate) fn worker_count(&self) -> WorkerCount {
        self.shared.lock().worker_count()
    }

    /// Removes a job whose answer is no longer needed.
    fn withdraw(&self, run: &str, key: &str) {
        let place = (run.to_string(), key.to_string());
        {
            let mut state = self.shared.lock();
            state.jobs.remove(&place);
            state.failures.remove(&place);
        }
        let (shared, subject) = (Arc::clone(&self.shared), format!("proofwood.jobs.{run}.{key}"));
        self.handle.spawn(async move {
            // If the job stays in the stream, it is done in vain, and its answer is ignored.
            shared.connection.delete_all(&shared.connection.jobs, &subject).await;
        });
    }

    /// Deletes an answer from its stream.
    pub fn forget(&self, run: &str, key: &str) {
        let place = (run.to_string(), key.to_string());
        let answer = self.shared.lock().answers.remove(&place);
        if let Some((_, sequence)) = answer {
            self.block(self.shared.connection.delete(&self.shared.connection.answers, sequence));
        }
    }

    /// Deletes a job's answer and hands the job out again.
    fn again(&self, place: &Place) {
        self.forget(&place.0, &place.1);
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(place).cloned() else { return };
        self.hand_out(&mut state, place.clone(), job);
    }

    /// Hands a job out again after `worker` has failed at it, since the fault may be the worker's.
    /// Returns true if the failure is final, because two workers or all present ones have failed.
    pub fn pass_on(&self, run: &str, key: &str, worker: &str, refused: Refused) -> bool {
        let place = (run.to_string(), key.to_string());
        self.block(self.shared.count_workers());
        let mut state = self.shared.lock();
        let why = refused.why.clone();
        state.failures.entry(place.clone()).or_default().insert(worker.into(), refused);
        let stands = state.common_failure(&place).is_some();
        if !stands && state.shown.insert(worker.into()) {
            self.console().complain(&format!("worker {worker} refused a job: {why}"));
        }
        drop(state);
        match stands {
            true => self.forget(run, key),
            false => self.again(&place),
        }
        stands
    }

    /// Ignores all answers of the worker that answered this job, and hands the job out again.
    pub fn throw_out(&self, run: &str, key: &str, why: &str) {
        let place = (run.to_string(), key.to_string());
        let mut state = self.shared.lock();
        if let Some((answer, _)) = state.answers.get(&place) {
            let worker = answer.worker.clone();
            self.console().complain(&format!("worker {worker} is excluded: {why}"));
            state.out.insert(worker);
        }
        drop(state);
        self.again(&place);
    }

    /// Copies a proof from the server into a file.
    pub fn copy_proof(&self, name: &str, file: &mut File) -> Result<(), Trouble> {
        let failed = |error: &dyn std::fmt::Display| {
            Trouble::Failed(format!("the certificate cannot be fetched: {error}"))
        };
        // Waits for an unreachable server, but gives up on a missing or damaged proof.
        const ATTEMPTS: u32 = 60;
        let (mut patience, mut attempts) = (Patience::default(), 0);
        self.block(async {
            loop {
                attempts += 1;
                match self.shared.connection.proofs.get(name).await {
                    Ok(mut object) => match copy(&mut object, file).await {
                        Ok(()) => return Ok(()),
                        Err(error) => {
                            let lasts = error.kind() == io::ErrorKind::FileTooLarge;
                            if lasts || attempts >= ATTEMPTS {
                                return Err(failed(&error));
                            }
                            self.shared.connection.retry(&mut patience, &error).await;
                        }
                    },
                    Err(error) => {
                        let lasts = matches!(
                            error.kind(),
                            GetErrorKind::NotFound | GetErrorKind::InvalidName
                        );
                        if lasts || attempts >= ATTEMPTS {
                            return Err(failed(&error));
                        }
                        self.shared.connection.retry(&mut patience, &error).await;
                    }
                }
            }
        })
    }

    /// Deletes a proof that is no longer needed.
    pub fn drop_proof(&self, name: &str) {
        // If this fails, the server deletes it when it expires.
        let _ = self.block(self.shared.connection.proofs.delete(name));
    }

    /// Deletes all data of a run.
    pub fn end(&self, run: &str) {
        self.block(self.shared.connection.purge(run));
        let mut state = self.shared.lock();
        state.jobs.retain(|(of, _), _| of != run);
        state.answers.retain(|(of, _), _| of != run);
        state.failures.retain(|(of, _), _| of != run);
        state.records.remove(run);
    }
}

impl State {
    /// Discards a run's answers whose proofs are lost, so that their jobs are sent again.
    fn lose_all(&mut self, run: &str) {
        let has_proof = |answer: &Answer| match &answer.done {
            Done::Solved { proof, .. } | Done::Part(PartAnswer { proof, .. }) => proof.is_some(),
            _ => false,
        };
        self.answers.retain(|(of, _), (answer, _)| of != run || !has_proof(answer));
        self.reminded = None;
    }

    /// Returns the workers that must not do a job.
    fn without(&self, place: &Place) -> BTreeSet<&String> {
        let failed = self.failures.get(place).into_iter().flat_map(BTreeMap::keys);
        self.out.iter().chain(failed).collect()
    }

    fn worker_count(&self) -> WorkerCount {
        let present = self.present.iter().flatten();
        let slots = present.filter(|(name, _)| !self.out.contains(*name)).map(|(_, jobs)| *jobs);
        slots.fold(WorkerCount::default(), |worker_count, jobs| WorkerCount {
            workers: worker_count.workers + 1,
            slots: worker_count.slots + jobs,
        })
    }

    /// Returns a job's failure if it is final, because enough workers, or all present ones, failed.
    fn common_failure(&self, place: &Place) -> Option<Answer> {
        let failed = self.failures.get(place)?;
        let (worker, refused) = failed.last_key_value()?;
        let (without, present) = (self.without(place), self.present.as_ref()?);
        let nobody_is_left =
            !present.is_empty() && present.keys().all(|name| without.contains(name));
        let done = Done::Failed(refused.clone());
        let answer = Answer { format: FORMAT, worker: worker.clone(), done };
        // This machine accepted the job, so a worker that calls it invalid lacks a feature.
        let agreed = failed.values().filter(|refused| !refused.is_input).count() >= AGREED;
        (agreed || nobody_is_left).then_some(answer)
    }
}

/// Copies a proof into a file, which it empties first.
async fn copy(object: &mut Object, file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    let (mut buffer, mut left) = (vec![0; 1 << 16], LARGEST_PROOF);
    loop {
        let read = object.read(&mut buffer).await?;
        if read == 0 {
            return Ok(());
        }
        left = left.checked_sub(read as u64).ok_or_else(|| {
            let what = format!("it is larger than {LARGEST_PROOF} bytes");
            io::Error::new(io::ErrorKind::FileTooLarge, what)
        })?;
        file.write_all(&buffer[..read])?;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the workers of this program's version; other versions do not take our jobs.
    async fn count_workers(&self) {
        let (mut present, mut from) = (BTreeMap::new(), 1);
        let connection = &self.connection;
        for _ in 0..MOST_WORKERS {
            let next = connection.next(&connection.workers, "proofwood.workers.>", from);
            let Some(message) = next.await else { break };
            from = message.sequence + 1;
            let presence = serde_json::from_slice::<Presence>(&message.payload);
            let name = message.subject.rsplit('.').next().unwrap_or_default();
            if let Ok(Presence { jobs, version, .. }) = presence
                && version == VERSION
                && is_name(name)
            {
                present.insert(name.to_string(), jobs.min(1024));
            }
        }
        self.lock().present = Some(present);
    }

    /// Reads the answers of a run until the coordinator is dropped.
    async fn read(&self, run: String, ready: oneshot::Sender<()>) {
        let (subject, mut ready) = (format!("proofwood.answers.{run}.>"), Some(ready));
        // A message here is only a hint: the answers are read from the stream.
        let mut hints = self.connection.context.client().subscribe(subject.clone()).await.ok();
        let mut from = 1;
        let mut stream = self.connection.identity(&self.connection.answers).await;
        let (mut connections, mut looked) = (self.connection.connections(), Instant::now());
        loop {
            match self.connection.next(&self.connection.answers, &subject, from).await {
                Some(message) => {
                    from = message.sequence + 1;
                    let key = message.subject.rsplit('.').next().unwrap_or_default().to_string();
                    let answer = Answer::read(&message.payload);
                    let place = (run.clone(), key);
                    self.lock().answers.insert(place, (answer, message.sequence));
                    self.changed.notify_all();
                }
                None => {
                    // The receiver may be gone.
                    let _ = ready.take().map(|ready| ready.send(()));
                    let pause = tokio::time::sleep(Duration::from_secs(1));
                    match &mut hints {
                        Some(hints) => tokio::select! { _ = hints.next() => {}, () = pause => {} },
                        None => pause.await,
                    }
                    if self.connection.connections() == connections && looked.elapsed() < REMIND {
                        continue;
                    }
                    (connections, looked) = (self.connection.connections(), Instant::now());
                    let now = self.connection.identity(&self.connection.answers).await;
                    if std::mem::replace(&mut stream, now.clone()) != now {
                        // The new stream counts from 1 again. The old one's answers are lost, along
                        // with the proofs, so answers that refer to proofs are useless.
                        from = 1;
                        let what = "the server has lost its data; sending unanswered jobs again";
                        self.connection.console.complain(what);
                        self.lock().lose_all(&run);
                    }
                }
            }
        }
    }
}
