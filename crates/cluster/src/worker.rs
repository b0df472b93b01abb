//! The side that takes jobs.

use crate::access::Access;
use crate::connection::{Connection, Patience, Sent, name_of, runtime, unique};
use crate::console::Console;
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

/// The consumer that all workers share.
const CONSUMER: &str = "workers";

/// A worker that has not said for so long that it is at a job has lost it.
const ACK_WAIT: Duration = Duration::from_secs(10);

/// How often it says so.
const AT_WORK: Duration = Duration::from_secs(3);

/// How long it waits for a job before it asks again.
const ASK: Duration = Duration::from_secs(5);

/// How often it says that it is there.
const PRESENT: Duration = Duration::from_secs(5);

/// With jobs that take less it does not say so of each.
const SHOWN: Duration = Duration::from_secs(1);

/// How often a worker without a job looks whether the server still has the queue.
const LOOK: Duration = Duration::from_secs(30);

/// How often it looks whether it is to end.
const SOON: Duration = Duration::from_millis(50);

/// Does a job that is no part of a proof: `None` when it was cancelled. A certificate is written to
/// the path.
pub type Execute = fn(&Task, Lent, &Path, &CancelToken) -> Result<Option<Done>, Trouble>;

/// How soon a job goes to another worker that this one is not to do.
const NOT_MINE: Duration = Duration::from_millis(100);

/// The same for a worker that ends once there is nothing to do: it is not to get the job again.
const NOT_MINE_AT_THE_END: Duration = Duration::from_secs(5);

/// How long a worker does not ask for jobs after one that it is not to do: twice as long after
/// each, up to a limit, so that the others get them.
const LEFT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(16));

/// The task of a worker.
#[derive(Clone, Debug)]
pub struct WorkTask {
    /// The server.
    pub url: String,
    /// What opens it.
    pub access: Access,
    /// The worker's name; one of its own where none was given.
    pub name: Option<String>,
    /// Jobs at a time.
    pub jobs: usize,
    /// Threads of a job that does not say how many.
    pub threads: usize,
    /// Memory of a job that does not say how much.
    pub memory: Option<u64>,
    /// It ends once there is no job left.
    pub once: bool,
    /// The level of its log, by name; none for no log.
    pub log: Option<&'static str>,
}

/// A worker.
struct Worker<'a> {
    connection: Connection,
    name: String,
    task: &'a WorkTask,
    execute: Execute,
    lent: Lent,
    /// The wish to end.
    stop: watch::Receiver<bool>,
    started: Instant,
    done: Cell<u64>,
    doing: RefCell<Vec<String>>,
    /// When it said last that it is there, and what it did then.
    shown: RefCell<Option<(Instant, Vec<String>)>>,
    /// Where proofs are written before they are sent; made for the first one.
    folder: RefCell<Option<PrivateFolder>>,
    /// What is kept of the proof that the last job was a part of.
    shared_table: RefCell<Option<Arc<SharedTable>>>,
    /// A job of another version was told of.
    told: Cell<bool>,
}

/// Does jobs until it is stopped, or there are no more. `execute` does those that are no part of a
/// proof.
pub fn work(
    task: &WorkTask,
    execute: Execute,
    console: &Arc<dyn Console>,
    stop: CancelToken,
) -> Result<(), Trouble> {
    let name = task.name.clone().unwrap_or_else(own_name);
    if !is_name(&name) {
        let what = "a name has up to 64 letters, digits, - and _";
        return Err(Trouble::Input(format!("--name {name}: {what}")));
    }
    if let Some(level) = task.log.and_then(|level| level.parse::<tracing::Level>().ok()) {
        // One that is there already is somebody else's.
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
            execute,
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
        worker.say(&format!("{} takes jobs from {}", worker.name, task.url))?;
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

/// A name that no other worker has.
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

/// Connects. A worker may be there before its server is; `None` when it is told to end.
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
                console.complain(&format!("{failure}; waiting for it"));
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

    /// Something that is waited for until the worker is told to end.
    async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let mut stop = self.stop.clone();
        tokio::select! {
            value = future => Some(value),
            _ = stop.wait_for(|stop| *stop) => None,
        }
    }

    /// Takes one job after the other.
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
                    // A server that is back, or another one in its place, may have no queue: then
                    // nothing comes, and nothing is said.
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

    /// The consumer that all workers share.
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

    /// Leaves a job to others.
    async fn leave_alone(&self, message: &Message) -> Result<bool, Trouble> {
        let delay = if self.task.once { NOT_MINE_AT_THE_END } else { NOT_MINE };
        self.settle(message, AckKind::Nak(Some(delay))).await;
        Ok(false)
    }

    /// Does a job, and answers it; false where it is left to others.
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
                let why = format!("this is no job: {why}");
                return self.answer(&message, &subject, Done::wrong(why)).await;
            }
        };
        if job.without.contains(&self.name) {
            return self.leave_alone(&message).await;
        }
        if job.version != VERSION {
            if !self.told.replace(true) {
                let other = &job.version;
                let what = format!("jobs of version {other} are left to others; this is {VERSION}");
                self.connection.console.complain(&what);
            }
            return self.leave_alone(&message).await;
        }
        let times = message.info().map_or(1, |info| info.delivered);
        if times > 1 && self.connection.has(&self.connection.answers, &subject).await {
            self.settle(&message, AckKind::Ack).await;
            return Ok(true);
        }
        // A job that comes again may have ended its last worker. Who leaves it alone has not begun.
        if times > 1 && !self.may_begin(&run, &key).await {
            let why = format!("{MOST_BEGUN} workers have begun with this, and none has ended it");
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
                tracing::info!(run, key, "leaves a job that was called off");
                // It is no longer in the stream, so that nobody answers.
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

    /// Counts that a job is begun once more; false where that was too often.
    async fn may_begin(&self, run: &str, key: &str) -> bool {
        let subject = format!("proofwood.begun.{run}.{key}");
        self.connection.send(&subject, &self.name).await != Sent::Second
    }

    /// What is kept of the proof that a job is a part of; none for other jobs.
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

    /// Where the proof that a job asks for is written before it is sent.
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

    /// Does a job on a thread of its own, and says meanwhile that it is at it; `None` when the
    /// worker is told to end, or the job is called off.
    async fn run(&self, message: &Message, task: Task, (run, key): (&str, &str)) -> Option<Done> {
        let name = &format!("{run}-{key}");
        let (lent, execute, ends) = (self.lent, self.execute, Ends::default());
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
                (task, _) => execute(task, lent, &path, &their_ends.cancel),
            };
            done.unwrap_or_else(|failure| {
                let is_input = matches!(failure, Trouble::Input(_));
                Some(Done::Failed(Refused { is_input, why: failure.to_string() }))
            })
        });
        // Whoever has just taken a job need not say so.
        let mut tick = interval_at(tokio::time::Instant::now() + AT_WORK, AT_WORK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut stop = self.stop.clone();
        let done = loop {
            tokio::select! {
                done = &mut running => break done,
                _ = stop.wait_for(|stop| *stop), if !cancel.is_cancelled() => cancel.cancel(),
                _ = tick.tick() => {
                    // Where it does not arrive the job comes to another worker, too.
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
                Err(error) => done = Some(Done::failed(format!("the proof is gone: {error}"))),
            }
        }
        // There may be none.
        let _ = std::fs::remove_file(&file);
        done
    }

    /// Sends a proof; answers its name, which no other worker gives.
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

    /// Answers a job, however long the server is away. A second answer changes nothing.
    async fn answer(&self, message: &Message, subject: &str, done: Done) -> Result<bool, Trouble> {
        let answer = |done| Answer { format: FORMAT, worker: self.name.clone(), done };
        let sent = self.connection.send(subject, &answer(done)).await;
        tracing::debug!(subject, ?sent, "sends an answer");
        if sent == Sent::TooLarge {
            let done = Done::failed("its answer is larger than the server takes (max_payload)");
            self.connection.send(subject, &answer(done)).await;
        }
        self.settle(message, AckKind::Ack).await;
        Ok(true)
    }

    /// Tells the server what becomes of a job. Where that does not arrive it comes again, and
    /// whoever gets it finds the answer.
    async fn settle(&self, message: &Message, kind: AckKind) {
        let _ = tokio::time::timeout(Duration::from_secs(5), message.double_ack_with(kind)).await;
    }

    /// Says now and then that it is there, and what it does when that is something else.
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
        // Nobody waits for it.
        let _ = self.connection.context.client().publish(subject, bytes.into()).await;
    }

    /// Is there no more.
    async fn leave(&self) {
        let purge =
            self.connection.workers.purge().filter(format!("proofwood.workers.{}", self.name));
        let _ = tokio::time::timeout(Duration::from_secs(1), purge).await;
    }
}

/// What a job is, for people.
fn describe(task: &Task) -> String {
    // It may come from a stranger.
    cut(&match task {
        Task::Solve(task) => match &task.id {
            Some(id) => format!("{}, line {}, {id}", task.game, task.line),
            None => format!("{}, line {}", task.game, task.line),
        },
        Task::Part(task) => format!("{}, part {}", task.game, task.leaf),
        Task::Game(task) => format!("{}, game {}", task.game, task.number),
    })
}
