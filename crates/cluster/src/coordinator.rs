//! The side that hands jobs out and collects answers.
//!
//! A thread runs everything that waits for the server. Whoever asks is on another one, and
//! waits for what it needs.

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

/// How soon who waits for an answer sees that it was cancelled.
const LOOK: Duration = Duration::from_millis(100);

/// A job whose answer has not come for so long is handed out again: a second one is refused as
/// long as the first is there, so that this changes nothing unless it is lost.
const REMIND: Duration = Duration::from_secs(30);

/// A failure of this many workers is one of the job. Of fewer it may be one of their machines.
const AGREED: usize = 2;

/// No more workers are counted: anybody who has access can say that there are many.
const MOST_WORKERS: usize = 2048;

/// The largest proof that is fetched.
const LARGEST_PROOF: u64 = 1 << 30;

/// Where no worker is there for this long, that is said.
const ALONE: Duration = Duration::from_secs(3);

/// Machines that a server leads to.
pub struct Machines {
    shared: Arc<Shared>,
    handle: Handle,
    /// Dropped, it ends the thread.
    _alive: oneshot::Sender<()>,
}

/// What all threads know.
struct Shared {
    connection: Connection,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Jobs that were handed out, by run and key.
    jobs: HashMap<Place, Job>,
    /// Answers that have come, with their number in the stream.
    answers: HashMap<Place, (Answer, u64)>,
    /// Workers that are believed no more.
    out: BTreeSet<String>,
    /// Workers that have failed at a job, and why.
    failures: HashMap<Place, BTreeMap<String, Refused>>,
    /// Workers whose failures have been shown.
    shown: BTreeSet<String>,
    /// Jobs that have not reached the server yet. While it is away they wait, and nobody is to
    /// be reminded of them.
    on_the_way: HashSet<Place>,
    /// How far a run is has not reached the server yet.
    is_publishing: bool,
    /// What was said of each run last.
    records: HashMap<String, RunRecord>,
    /// When jobs were handed out again last.
    reminded: Option<Instant>,
    /// Who is there, with the jobs that each does at a time; none before they are counted.
    present: Option<BTreeMap<String, usize>>,
    /// Since when nobody is there, and whether that was said.
    alone: Option<(Instant, bool)>,
}

/// Who is there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WorkerCount {
    pub(crate) workers: usize,
    /// Jobs that they do at a time.
    pub(crate) slots: usize,
}

/// A job's run and its key.
type Place = (String, String);

impl Machines {
    /// Connects.
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
            // An error says that the other end is gone, which is the wish.
            let _ = runtime.block_on(ended);
            // Messages under way are not waited for: whoever needs them has waited.
            runtime.shutdown_background();
        });
        let (state, changed) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { connection, state, changed });
        Ok(Machines { shared, handle, _alive: alive })
    }

    /// Jobs without an answer, and answers, of a run that are on the server.
    pub fn counts(&self, run: &str) -> Result<(u64, u64), Trouble> {
        self.block(of_run(&self.shared.connection, run))
    }

    /// Where people look.
    pub fn console(&self) -> &dyn Console {
        &*self.shared.connection.console
    }

    /// Waits for something that waits for the server.
    fn block<T>(&self, future: impl Future<Output = T>) -> T {
        self.handle.block_on(future)
    }

    /// Begins with a run or goes on with it: all answers that are there are known when this
    /// returns.
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
        // It is never dropped before.
        let _ = self.block(is_ready);
    }

    /// Says how far a run is.
    pub(crate) fn tell(&self, run: &str, record: RunRecord) {
        let mut state = self.shared.lock();
        state.records.insert(run.into(), record);
        self.send_record(&mut state, run);
    }

    /// Sends what was said of a run last, unless something still waits for the server: the next
    /// time there is more to say.
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

    /// Nobody needs the answers to jobs any more: whoever is at them is told.
    pub(crate) fn call_off(&self, run: &str, keys: &[String]) {
        if keys.is_empty() {
            return;
        }
        keys.iter().for_each(|key| self.withdraw(run, key));
        // Whoever does not hear it does its job for nothing.
        self.say(calling_off(run), keys);
    }

    /// Tells workers to end these jobs and answer with what they have come to.
    pub(crate) fn is_enough(&self, run: &str, keys: &[String]) {
        if !keys.is_empty() {
            // Whoever does not hear it ends a little later.
            self.say(ending(run), keys);
        }
    }

    /// Says on a subject which jobs it is about.
    fn say(&self, subject: String, keys: &[String]) {
        let (shared, message) = (Arc::clone(&self.shared), keys.join("\n"));
        self.handle.spawn(async move {
            let _ = shared.connection.context.client().publish(subject, message.into()).await;
        });
    }

    /// Hands a job out, unless its answer is there already.
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
            // A second one is refused where an earlier run has asked.
            if shared.connection.send(&subject, &job).await == Sent::TooLarge {
                shared
                    .connection
                    .console
                    .complain(&format!("{subject}: the server takes no job of this size"));
            }
            shared.lock().on_the_way.remove(&place);
        });
    }

    /// Looks now and then whether all is well with a run: hands out again what may be lost, because
    /// it is neither answered nor on its way, and says so where nobody is there to do it.
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
        // A server that has lost the record gets it again, and one that takes nothing is noticed.
        self.send_record(state, run);
    }

    /// Says once that nobody is there who could do anything.
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
            true => "no worker is there; `proofwood work --connect URL` is one",
            false => {
                "no worker is left: those that are there have been thrown out; start another one \
                 under another --name"
            }
        });
    }

    /// Waits for the answer to a job that was handed out; `None` when it was cancelled.
    pub fn wait(&self, run: &str, key: &str, cancel: &CancelToken) -> Option<Answer> {
        while !cancel.is_cancelled() {
            if let Some((_, answer)) = self.any(run, &[key]) {
                return Some(answer);
            }
        }
        None
    }

    /// The first answer that there is to some jobs that were handed out; `None` when none has
    /// come for a while.
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
        // What follows locks it again.
        drop(state);
        if is_out {
            // Whoever is thrown out and answers all the same is not to keep us busy.
            thread::sleep(LOOK);
            self.again(&(run.to_string(), key));
            return None;
        }
        Some((key, answer))
    }

    /// Counts who is there, now and from then on.
    fn count_workers(&self) {
        /// How often.
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

    /// Who is there and is believed, as they were counted last.
    pub(crate) fn worker_count(&self) -> WorkerCount {
        self.shared.lock().worker_count()
    }

    /// Nobody needs the answer to a job any more.
    fn withdraw(&self, run: &str, key: &str) {
        let place = (run.to_string(), key.to_string());
        {
            let mut state = self.shared.lock();
            state.jobs.remove(&place);
            state.failures.remove(&place);
        }
        let (shared, subject) = (Arc::clone(&self.shared), format!("proofwood.jobs.{run}.{key}"));
        self.handle.spawn(async move {
            // A job that stays is done for nothing, and its answer left alone.
            shared.connection.delete_all(&shared.connection.jobs, &subject).await;
        });
    }

    /// Takes an answer out of its stream.
    pub fn forget(&self, run: &str, key: &str) {
        let place = (run.to_string(), key.to_string());
        let answer = self.shared.lock().answers.remove(&place);
        if let Some((_, sequence)) = answer {
            self.block(self.shared.connection.delete(&self.shared.connection.answers, sequence));
        }
    }

    /// Hands a job out once more.
    fn again(&self, place: &Place) {
        self.forget(&place.0, &place.1);
        let mut state = self.shared.lock();
        let Some(job) = state.jobs.get(place).cloned() else { return };
        self.hand_out(&mut state, place.clone(), job);
    }

    /// Gives a job at which a worker has failed to another one: its machine may lack something, or
    /// it lies. Returns whether the failure stands, since two workers have failed, or all that are
    /// there.
    pub fn pass_on(&self, run: &str, key: &str, worker: &str, refused: Refused) -> bool {
        let place = (run.to_string(), key.to_string());
        self.block(self.shared.count_workers());
        let mut state = self.shared.lock();
        let why = refused.why.clone();
        state.failures.entry(place.clone()).or_default().insert(worker.into(), refused);
        let stands = state.common_failure(&place).is_some();
        if !stands && state.shown.insert(worker.into()) {
            self.console().complain(&format!("the worker {worker} leaves a job to others: {why}"));
        }
        drop(state);
        match stands {
            true => self.forget(run, key),
            false => self.again(&place),
        }
        stands
    }

    /// Believes the worker no more that has answered this job, and hands it out once more.
    pub fn throw_out(&self, run: &str, key: &str, why: &str) {
        let place = (run.to_string(), key.to_string());
        let mut state = self.shared.lock();
        if let Some((answer, _)) = state.answers.get(&place) {
            let worker = answer.worker.clone();
            self.console().complain(&format!("the worker {worker} is thrown out: {why}"));
            state.out.insert(worker);
        }
        drop(state);
        self.again(&place);
    }

    /// Copies a proof into a file.
    pub fn copy_proof(&self, name: &str, file: &mut File) -> Result<(), Trouble> {
        let failed = |error: &dyn std::fmt::Display| {
            Trouble::Failed(format!("its certificate cannot be fetched: {error}"))
        };
        // A server that is away is waited for; what is missing or damaged stays so.
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

    /// A proof is no longer needed.
    pub fn drop_proof(&self, name: &str) {
        // What stays is gone after some weeks.
        let _ = self.block(self.shared.connection.proofs.delete(name));
    }

    /// Nothing of a run is needed any more.
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
    /// The server has lost a run.
    fn lose_all(&mut self, run: &str) {
        let has_proof = |answer: &Answer| match &answer.done {
            Done::Solved { proof, .. } | Done::Part(PartAnswer { proof, .. }) => proof.is_some(),
            _ => false,
        };
        self.answers.retain(|(of, _), (answer, _)| of != run || !has_proof(answer));
        self.reminded = None;
    }

    /// Workers that are not to do a job.
    fn without(&self, place: &Place) -> BTreeSet<&String> {
        let failed = self.failures.get(place).into_iter().flat_map(BTreeMap::keys);
        self.out.iter().chain(failed).collect()
    }

    /// Who is there and is believed.
    fn worker_count(&self) -> WorkerCount {
        let present = self.present.iter().flatten();
        let slots = present.filter(|(name, _)| !self.out.contains(*name)).map(|(_, jobs)| *jobs);
        slots.fold(WorkerCount::default(), |worker_count, jobs| WorkerCount {
            workers: worker_count.workers + 1,
            slots: worker_count.slots + jobs,
        })
    }

    /// The failure at a job that stands, since enough workers have failed, or all that are there.
    fn common_failure(&self, place: &Place) -> Option<Answer> {
        let failed = self.failures.get(place)?;
        let (worker, refused) = failed.last_key_value()?;
        let (without, present) = (self.without(place), self.present.as_ref()?);
        let nobody_is_left =
            !present.is_empty() && present.keys().all(|name| without.contains(name));
        let done = Done::Failed(refused.clone());
        let answer = Answer { format: FORMAT, worker: worker.clone(), done };
        // What a machine refuses that is right here is more than it has.
        let agreed = failed.values().filter(|refused| !refused.is_input).count() >= AGREED;
        (agreed || nobody_is_left).then_some(answer)
    }
}

/// Copies all of a proof into a file, from its beginning.
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

    /// Counts workers. One of another version does no job of ours.
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

    /// Reads the answers of a run for as long as there is somebody.
    async fn read(&self, run: String, ready: oneshot::Sender<()>) {
        let (subject, mut ready) = (format!("proofwood.answers.{run}.>"), Some(ready));
        // Only a hint that something has come; what has, the stream says.
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
                    // Nobody may wait for it any more.
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
                        // The stream counts from 1 again, and what was in the old one is lost:
                        // proofs, too, so that their answers are of no use.
                        from = 1;
                        let what = "the server has lost what it kept: jobs without an answer are \
                                    handed out again";
                        self.connection.console.complain(what);
                        self.lock().lose_all(&run);
                    }
                }
            }
        }
    }
}
