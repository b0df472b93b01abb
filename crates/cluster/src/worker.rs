//! The worker: takes jobs and answers them.

use crate::access::Access;
use crate::connection::{Connection, Patience, Sent, name_of, runtime, unique};
use crate::console::Console;
use crate::execute::execute;
use crate::job::{
    Answer, Done, FORMAT, Job, MOST_BEGUN, PartAnswer, PartTask, Presence, Refused, SolveTask,
    Task, VERSION, is_name,
};
use crate::part::{self, Lent};
use crate::shared_table::{Ends, SharedTable};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use proofwood::CancelToken;
use proofwood_session::files::PrivateFolder;
use proofwood_session::{Trouble, cut};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, interval_at, sleep};

/// The name of the consumer that all workers share.
const CONSUMER: &str = "workers";

/// The time without a sign of progress after which the server gives a worker's job to another one.
const ACK_WAIT: Duration = Duration::from_secs(10);

/// The interval between signs of progress.
const AT_WORK: Duration = Duration::from_secs(3);

/// The time after which an unanswered request for a job expires at the server.
const ASK: Duration = Duration::from_secs(5);

/// The interval at which the worker announces itself while its jobs stay the same.
const PRESENT: Duration = Duration::from_secs(5);

/// The shortest interval between announcements of changes in the current jobs.
const SHOWN: Duration = Duration::from_secs(1);

/// The interval at which an idle worker checks that the server still has the queue.
const LOOK: Duration = Duration::from_secs(30);

/// The interval at which the worker checks whether it has to end.
const SOON: Duration = Duration::from_millis(50);

/// The delay before a job that this worker must not do is offered to another one.
const NOT_MINE: Duration = Duration::from_millis(100);

/// The same delay for a worker that ends when it is idle. It is longer, so that the job does not
/// come back to this worker.
const NOT_MINE_AT_THE_END: Duration = Duration::from_secs(5);

/// The first and the longest pause after a job that the worker must not do. The pause doubles each
/// time, so that other workers get such jobs.
const LEFT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(16));

/// The settings of a worker.
#[derive(Clone, Debug)]
pub struct WorkTask {
    /// The address of the server.
    pub url: String,
    /// The credentials for the server.
    pub access: Access,
    /// The worker's name; `None` for a generated one.
    pub name: Option<String>,
    /// The number of jobs to run in parallel.
    pub jobs: usize,
    /// The number of threads for a job that does not set it.
    pub threads: usize,
    /// The memory for a job that does not set it, in bytes.
    pub memory: Option<u64>,
    /// Whether the worker ends when there are no more jobs.
    pub once: bool,
    /// The level of the log, by name; `None` for no log.
    pub log: Option<&'static str>,
}

struct Worker<'a> {
    connection: Connection,
    name: String,
    task: &'a WorkTask,
    lent: Lent,
    /// Becomes true when the worker has to end.
    stop: watch::Receiver<bool>,
    started: Instant,
    done: Cell<u64>,
    doing: RefCell<Vec<String>>,
    /// The time of the last announcement, and the jobs that it contained.
    shown: RefCell<Option<(Instant, Vec<String>)>>,
    /// The folder in which proofs are written before they are sent; created for the first one.
    folder: RefCell<Option<PrivateFolder>>,
    /// The table of the proof to which the last job belonged.
    shared_table: RefCell<Option<Arc<SharedTable>>>,
    /// Whether the worker has already reported a job of another version.
    told: Cell<bool>,
}

/// Does jobs until `stop` is cancelled, or until there are no more if `task.once` is set.
pub fn work(task: &WorkTask, console: &Arc<dyn Console>, stop: CancelToken) -> Result<(), Trouble> {
    let name = task.name.clone().unwrap_or_else(own_name);
    if !is_name(&name) {
        let what = "use up to 64 letters, digits, - and _";
        return Err(Trouble::Input(format!("--name {name}: {what}")));
    }
    if let Some(level) = task.log.and_then(|level| level.parse::<tracing::Level>().ok()) {
        // A logger that is already installed is kept.
        let log = tracing_subscriber::fmt().with_max_level(level).with_ansi(false);
        let _ = log.with_writer(std::io::stderr).try_init();
    }
    let (end, stopped) = watch::channel(false);
    let runtime = runtime()?;
    runtime.spawn(async move {
        while !stop.is_cancelled() {
            sleep(SOON).await;
        }
        end.send_replace(true);
    });
    let ended = runtime.block_on(async {
        let connection = connect(task, &name, console, stopped.clone()).await?;
        let Some(connection) = connection else { return Ok(()) };
        let worker = Worker {
            connection,
            name,
            task,
            lent: Lent { threads: task.threads, memory: task.memory },
            stop: stopped,
            started: Instant::now(),
            done: Cell::new(0),
            doing: RefCell::default(),
            shown: RefCell::default(),
            folder: RefCell::default(),
            shared_table: RefCell::default(),
            told: Cell::new(false),
        };
        worker.say(&format!("{} is taking jobs from {}", worker.name, task.url))?;
        let takers = futures_util::future::try_join_all((0..task.jobs).map(|_| worker.take()));
        let ended = tokio::select! {
            ended = takers => ended.map(|_| ()),
            () = worker.show() => Ok(()),
        };
        worker.leave().await;
        ended
    });
    runtime.shutdown_background();
    ended
}

/// Returns a name made from the machine's name and a unique number.
fn own_name() -> String {
    let host = std::env::var("HOSTNAME").ok();
    let host = host.or_else(|| std::fs::read_to_string("/etc/hostname").ok());
    let host: String = host
        .unwrap_or_default()
        .trim()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(40)
        .collect();
    format!("{}-{}", if host.is_empty() { "worker" } else { &host }, &unique()[..6])
}

/// Connects to the server, and waits for it if needed. Returns `None` if stopped first.
async fn connect(
    task: &WorkTask,
    name: &str,
    console: &Arc<dyn Console>,
    mut stop: watch::Receiver<bool>,
) -> Result<Option<Connection>, Trouble> {
    let mut told = false;
    loop {
        match Connection::open("--connect", &task.url, &task.access, name, console).await {
            Ok(connection) => return Ok(Some(connection)),
            Err(failure @ Trouble::Input(_)) => return Err(failure),
            Err(failure) if !told => {
                console.complain(&format!("{failure}; waiting for the server"));
                told = true;
            }
            Err(_) => {}
        }
        tokio::select! {
            () = sleep(Duration::from_secs(1)) => {}
            _ = stop.wait_for(|stop| *stop) => return Ok(None),
        }
    }
}

impl Worker<'_> {
    fn say(&self, text: &str) -> Result<(), Trouble> {
        self.connection.console.print(text)
    }

    /// Waits for a future; returns `None` if the worker is stopped first.
    async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let mut stop = self.stop.clone();
        tokio::select! {
            value = future => Some(value),
            _ = stop.wait_for(|stop| *stop) => None,
        }
    }

    async fn take(&self) -> Result<(), Trouble> {
        let (mut patience, mut left) = (Patience::default(), LEFT.0);
        loop {
            let (connections, looked) = (self.connection.connections(), Instant::now());
            let Some(consumer) = self.unless_stopped(self.consumer()).await else { return Ok(()) };
            loop {
                let asked = consumer.batch().max_messages(1).expires(ASK);
                let asked =
                    if self.task.once { asked.expires(Duration::from_secs(1)) } else { asked };
                let message = self.unless_stopped(async {
                    let mut batch = asked.messages().await.map_err(|error| error.to_string())?;
                    batch.next().await.transpose().map_err(|error| error.to_string())
                });
                match message.await {
                    None => return Ok(()),
                    Some(Ok(Some(message))) => {
                        patience = Patience::default();
                        if self.handle(message).await? {
                            left = LEFT.0;
                        } else if !self.task.once {
                            if self.unless_stopped(sleep(left)).await.is_none() {
                                return Ok(());
                            }
                            left = (left * 2).min(LEFT.1);
                        }
                    }
                    Some(Ok(None)) if self.task.once => return Ok(()),
                    // A server that was restarted or replaced may have lost the queue. Then no jobs
                    // arrive, and no error is reported.
                    Some(Ok(None)) => {
                        if self.connection.connections() != connections || looked.elapsed() > LOOK {
                            break;
                        }
                    }
                    Some(Err(error)) => {
                        let error = std::io::Error::other(error);
                        let waiting = self.connection.retry(&mut patience, &error);
                        if self.unless_stopped(waiting).await.is_none() {
                            return Ok(());
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Returns the consumer that all workers share; creates it if it is missing.
    async fn consumer(&self) -> PullConsumer {
        let mut patience = Patience::default();
        loop {
            let config = pull::Config {
                durable_name: Some(CONSUMER.into()),
                ack_policy: AckPolicy::Explicit,
                ack_wait: ACK_WAIT,
                max_ack_pending: 65_536,
                max_waiting: 65_536,
                ..pull::Config::default()
            };
            match self.connection.jobs.get_or_create_consumer(CONSUMER, config).await {
                Ok(consumer) => return consumer,
                Err(error) => self.connection.retry(&mut patience, &error).await,
            }
        }
    }

    /// Returns a job to the queue for other workers.
    async fn leave_alone(&self, message: &Message) -> Result<bool, Trouble> {
        let delay = if self.task.once { NOT_MINE_AT_THE_END } else { NOT_MINE };
        self.settle(message, AckKind::Nak(Some(delay))).await;
        Ok(false)
    }

    /// Does a job and answers it; returns false if it is left to others.
    async fn handle(&self, message: Message) -> Result<bool, Trouble> {
        let mut parts = message.subject.split('.').skip(2).map(str::to_string);
        let place = (parts.next(), parts.next());
        let (Some(run), Some(key)) = place else {
            self.settle(&message, AckKind::Term).await;
            return Ok(true);
        };
        let subject = format!("proofwood.answers.{run}.{key}");
        let job = match Job::read(&message.payload) {
            Ok(job) => job,
            Err(why) => {
                let why = format!("cannot read the job: {why}");
                return self.answer(&message, &subject, Done::wrong(why)).await;
            }
        };
        if job.without.contains(&self.name) {
            return self.leave_alone(&message).await;
        }
        if job.version != VERSION {
            if !self.told.replace(true) {
                let other = &job.version;
                let what = format!(
                    "this worker has version {VERSION} and leaves jobs of version {other} to others"
                );
                self.connection.console.complain(&what);
            }
            return self.leave_alone(&message).await;
        }
        let times = message.info().map_or(1, |info| info.delivered);
        if times > 1 && self.connection.has(&self.connection.answers, &subject).await {
            self.settle(&message, AckKind::Ack).await;
            return Ok(true);
        }
        // A job that is delivered again may have crashed its last worker, so its starts are
        // counted. Workers that only leave it to others do not count.
        if times > 1 && !self.may_begin(&run, &key).await {
            let why =
                format!("{MOST_BEGUN} workers have started this job, but none has finished it");
            return self.answer(&message, &subject, Done::failed(why)).await;
        }
        let what = describe(&job.task);
        tracing::info!(run, key, times, what, "takes a job");
        self.doing.borrow_mut().push(what.clone());
        let is_shown = |(shown, _): &(Instant, Vec<String>)| shown.elapsed() < SHOWN;
        if !self.shown.borrow().as_ref().is_some_and(is_shown) {
            self.show_now().await;
        }
        let begun = Instant::now();
        let done = self.run(&message, job.task, (&run, &key)).await;
        {
            let mut doing = self.doing.borrow_mut();
            let own = doing.iter().position(|doing| *doing == what);
            own.map(|own| doing.remove(own));
        }
        let Some(done) = done else {
            if *self.stop.borrow() {
                self.settle(&message, AckKind::Nak(None)).await;
            } else {
                tracing::info!(run, key, "abandons a cancelled job");
                // The job is no longer in the stream, so there is nothing to answer.
                let _ = message.ack_with(AckKind::Ack).await;
            }
            return Ok(true);
        };
        let result = match &done {
            Done::Failed(Refused { why, .. }) => format!("failed: {why}"),
            _ => "done".into(),
        };
        self.answer(&message, &subject, done).await?;
        self.done.set(self.done.get() + 1);
        let seconds = begun.elapsed().as_secs_f64();
        tracing::info!(run, key, seconds, "has answered a job");
        self.say(&format!("{what}: {} in {seconds:.3} s", cut(&result)))?;
        Ok(true)
    }

    /// Records a start of a job; returns false if the job has been started too often.
    async fn may_begin(&self, run: &str, key: &str) -> bool {
        let subject = format!("proofwood.begun.{run}.{key}");
        self.connection.send(&subject, &self.name).await != Sent::Second
    }

    /// Returns the table of the proof to which a job belongs; `None` for other jobs.
    fn shared_table(&self, task: &Task, run: &str) -> Option<Arc<SharedTable>> {
        let Task::Part(_) = task else { return None };
        let mut shared_table = self.shared_table.borrow_mut();
        match &*shared_table {
            Some(shared_table) if shared_table.run == run => Some(Arc::clone(shared_table)),
            _ => Some(Arc::clone(shared_table.insert(SharedTable::begin(
                run,
                &self.name,
                &self.connection,
            )))),
        }
    }

    fn proof_file(&self, task: &Task, name: &str) -> Result<PathBuf, Trouble> {
        let (Task::Solve(SolveTask { certificate: Some(_), .. })
        | Task::Part(PartTask { certificate: true, .. })) = task
        else {
            return Ok(PathBuf::new());
        };
        let mut folder = self.folder.borrow_mut();
        let folder = match &mut *folder {
            Some(folder) => folder,
            none => none.insert(PrivateFolder::new()?),
        };
        Ok(folder.path().join(format!("{}.proof", name_of(name))))
    }

    /// Does a job on another thread, and sends signs of progress meanwhile. Returns `None` if the
    /// worker is stopped or the job cancelled.
    async fn run(&self, message: &Message, task: Task, (run, key): (&str, &str)) -> Option<Done> {
        let name = &format!("{run}-{key}");
        let (lent, ends) = (self.lent, Ends::default());
        let console = Arc::clone(&self.connection.console);
        let file = match self.proof_file(&task, name) {
            Ok(file) => file,
            Err(failure) => return Some(Done::failed(failure.to_string())),
        };
        let cancel = &ends.cancel;
        let shared_table = self.shared_table(&task, run);
        if let (Some(shared_table), Task::Part(task)) = (&shared_table, &task) {
            shared_table.begin_job(key, task, &ends);
        }
        let (path, their_ends, kept) = (file.clone(), ends.clone(), shared_table.clone());
        let mut running = tokio::task::spawn_blocking(move || {
            let done = match (&task, kept) {
                (Task::Part(task), Some(kept)) => part::run(task, lent, &path, &kept, &their_ends),
                (task, _) => execute(task, lent, &path, &*console.observer(), &their_ends.cancel),
            };
            done.unwrap_or_else(|failure| {
                let is_input = matches!(failure, Trouble::Input(_));
                Some(Done::Failed(Refused { is_input, why: failure.to_string() }))
            })
        });
        // The first sign is not due at once.
        let mut tick = interval_at(tokio::time::Instant::now() + AT_WORK, AT_WORK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stop = self.stop.clone();
        let done = loop {
            tokio::select! {
                done = &mut running => break done,
                _ = stop.wait_for(|stop| *stop), if !cancel.is_cancelled() => cancel.cancel(),
                _ = tick.tick() => {
                    // If the sign does not arrive, another worker may get the job, too.
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        if let Some(shared_table) = &shared_table {
            shared_table.end_job(key);
        }
        let done =
            done.unwrap_or_else(|panic| Some(Done::failed(format!("internal error: {panic}"))));
        let mut done = done;
        if let Some(Done::Solved { proof, .. } | Done::Part(PartAnswer { proof, .. })) = &mut done
            && proof.is_some()
        {
            match self.send_proof(message, name, &file).await {
                Ok(name) => *proof = Some(name),
                Err(error) => {
                    done = Some(Done::failed(format!("the proof could not be sent: {error}")))
                }
            }
        }
        // There may be no file.
        let _ = std::fs::remove_file(&file);
        done
    }

    /// Sends a proof; returns its name, which is unique to this worker.
    async fn send_proof(
        &self,
        message: &Message,
        name: &str,
        file: &Path,
    ) -> std::io::Result<String> {
        let proof = format!("{name}-{}", self.name);
        let mut patience = Patience::default();
        loop {
            let mut open = tokio::fs::File::open(file).await?;
            let mut tick = interval(AT_WORK);
            let sending = self.connection.proofs.put(proof.as_str(), &mut open);
            tokio::pin!(sending);
            let sent = loop {
                tokio::select! {
                    sent = &mut sending => break sent,
                    _ = tick.tick() => { let _ = message.ack_with(AckKind::Progress).await; }
                }
            };
            match sent {
                Ok(_) => return Ok(proof.clone()),
                Err(error) => self.connection.retry(&mut patience, &error).await,
            }
        }
    }

    /// Sends the answer to a job, and waits while the server is unreachable. A second answer has no
    /// effect.
    async fn answer(&self, message: &Message, subject: &str, done: Done) -> Result<bool, Trouble> {
        let answer = |done| Answer { format: FORMAT, worker: self.name.clone(), done };
        let sent = self.connection.send(subject, &answer(done)).await;
        tracing::debug!(subject, ?sent, "sends an answer");
        if sent == Sent::TooLarge {
            let done = Done::failed("the answer is larger than the server accepts (max_payload)");
            self.connection.send(subject, &answer(done)).await;
        }
        self.settle(message, AckKind::Ack).await;
        Ok(true)
    }

    /// Acknowledges a job. If the acknowledgement is lost, the server sends the job again, and the
    /// next worker finds the answer.
    async fn settle(&self, message: &Message, kind: AckKind) {
        let _ = tokio::time::timeout(Duration::from_secs(5), message.double_ack_with(kind)).await;
    }

    /// Announces the worker at intervals, and when its current jobs change.
    async fn show(&self) {
        let mut tick = interval(SHOWN);
        loop {
            tick.tick().await;
            let is_shown = |(shown, doing): &(Instant, Vec<String>)| {
                shown.elapsed() < PRESENT && *doing == *self.doing.borrow()
            };
            if !self.shown.borrow().as_ref().is_some_and(is_shown) {
                self.show_now().await;
            }
        }
    }

    async fn show_now(&self) {
        let doing = self.doing.borrow().clone();
        *self.shown.borrow_mut() = Some((Instant::now(), doing.clone()));
        let presence = Presence {
            name: self.name.clone(),
            version: VERSION.into(),
            jobs: self.task.jobs,
            threads: self.task.threads,
            doing,
            done: self.done.get(),
            seconds: self.started.elapsed().as_secs_f64(),
        };
        let Ok(bytes) = serde_json::to_vec(&presence) else { return };
        let subject = format!("proofwood.workers.{}", self.name);
        // A failure is ignored: the next announcement follows soon.
        let _ = self.connection.context.client().publish(subject, bytes.into()).await;
    }

    async fn leave(&self) {
        let purge =
            self.connection.workers.purge().filter(format!("proofwood.workers.{}", self.name));
        let _ = tokio::time::timeout(Duration::from_secs(1), purge).await;
    }
}

fn describe(task: &Task) -> String {
    // The job may come from an untrusted source.
    cut(&match task {
        Task::Solve(task) => match &task.id {
            Some(id) => format!("{}, line {}, {id}", task.game, task.line),
            None => format!("{}, line {}", task.game, task.line),
        },
        Task::Part(task) => format!("{}, part {}", task.game, task.leaf),
        Task::Game(task) => format!("{}, game {}", task.game, task.number),
    })
}
