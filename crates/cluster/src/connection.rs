//! The connection to the server, and its streams.
//!
//! | stream | subjects | retention |
//! |---|---|---|
//! | jobs | `proofwood.jobs.RUN.KEY` | until a worker has answered; one per subject |
//! | answers | `proofwood.answers.RUN.KEY` | until the run has ended; the first per subject |
//! | runs | `proofwood.runs.RUN` | until the run has ended |
//! | workers | `proofwood.workers.NAME` | a minute; the last per subject |
//! | begun | `proofwood.begun.RUN.KEY` | a day; [`MOST_BEGUN`] per subject |
//!
//! The server refuses a second job or answer on a subject at any time. Proofs are files in an
//! object store. A server may lose all of this if its disk fails or it is started in another
//! folder; [`Connection::retry`] recreates the missing streams.

use crate::access::{Access, Address};
use crate::console::Console;
use crate::job::MOST_BEGUN;
use async_nats::connection::State;
use async_nats::jetstream;
use async_nats::jetstream::context::{Context, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, RawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::{ConnectOptions, Event};
use hmac_sha256::Hash as Sha256;
use proofwood_session::Trouble;
use proofwood_session::words::numbers;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

/// The pause between two attempts to reach the server.
const PAUSE: Duration = Duration::from_millis(500);

/// The time for which the server stores uncollected answers.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The time without an announcement after which a worker is no longer counted.
const PRESENT: Duration = Duration::from_secs(60);

/// The time for which the starts of a job are counted.
const COUNTED: Duration = Duration::from_secs(24 * 3600);

const PROOFS: &str = "PROOFWOOD_PROOFS";

/// Hashes a text to a name of 16 hexadecimal digits.
pub fn name_of(text: &str) -> String {
    let digest = Sha256::hash(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a name that is unique to this process and moment.
pub(crate) fn unique() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    name_of(&format!("{} {}", std::process::id(), now.as_nanos()))
}

pub(crate) fn runtime() -> Result<Runtime, Trouble> {
    let built = Builder::new_current_thread().enable_all().build();
    built.map_err(|error| Trouble::Failed(format!("cannot start the network runtime: {error}")))
}

#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) answers: Stream,
    pub(crate) runs: Stream,
    pub(crate) workers: Stream,
    pub(crate) begun: Stream,
    pub(crate) proofs: ObjectStore,
    pub(crate) console: Arc<dyn Console>,
    /// The number of connections established so far.
    connections: Arc<AtomicU64>,
    /// Distinguishes this connection's messages from those of other connections.
    nonce: String,
    sent: Arc<AtomicU64>,
}

/// The streams and the store of a server.
struct Streams {
    jobs: Stream,
    answers: Stream,
    runs: Stream,
    workers: Stream,
    begun: Stream,
    proofs: ObjectStore,
}

fn refuse_second(config: &mut Config) {
    config.discard = DiscardPolicy::New;
    config.discard_new_per_subject = true;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    Kept,
    /// The stream had a message on this subject already.
    Second,
    TooLarge,
}

/// Reads and checks the address; returns it with the options of the connection.
pub(crate) async fn options(
    option: &str,
    url: &str,
    access: &Access,
    name: &str,
) -> Result<(Address, ConnectOptions), Trouble> {
    let address = Address::read(option, url)?;
    address.check(option, access.has_secret())?;
    // A client has no use for its own messages.
    let mut options = ConnectOptions::new().name(name).require_tls(address.tls).no_echo();
    if let Some(path) = &access.creds {
        let read = options.credentials_file(path).await;
        options = read.map_err(|error| Trouble::reading(path.display(), &error))?;
    }
    if let Some((user, password)) = access.password()? {
        options = options.user_and_password(user, password);
    }
    if let Some(path) = &access.tls_ca {
        options = options.add_root_certificates(path.clone());
    }
    // The client retries by itself; `Patience` reports long waits.
    Ok((address, options.connection_timeout(Duration::from_secs(5))))
}

/// Creates an object on the server, and tries again if another machine creates it at the same
/// moment: the server refuses one of the two.
macro_rules! agreed {
    ($tries:expr, $make:expr) => {{
        const PAUSE: Duration = Duration::from_millis(50);
        let mut tries: u32 = $tries;
        loop {
            tries -= 1;
            match $make.await {
                Ok(made) => break Ok(made),
                Err(error) if tries == 0 => break Err(error.to_string()),
                Err(_) => sleep(PAUSE).await,
            }
        }
    }};
}

/// Creates a stream if it is missing; returns the reason for a failure.
async fn stream(
    context: &Context,
    tries: u32,
    name: &str,
    change: fn(&mut Config),
) -> Result<Stream, String> {
    let mut config = Config {
        name: format!("PROOFWOOD_{}", name.to_uppercase()),
        subjects: vec![format!("proofwood.{name}.>")],
        storage: StorageType::File,
        max_messages_per_subject: 1,
        ..Config::default()
    };
    change(&mut config);
    agreed!(tries, context.get_or_create_stream(config.clone()))
}

impl Streams {
    /// Creates the streams that are missing; returns the reason for a failure.
    async fn make(context: &Context, tries: u32) -> Result<Streams, String> {
        let jobs = stream(context, tries, "jobs", |config| {
            config.retention = RetentionPolicy::WorkQueue;
            refuse_second(config);
        });
        let answers = stream(context, tries, "answers", |config| {
            config.max_age = KEPT;
            refuse_second(config);
        });
        let runs = stream(context, tries, "runs", |config| config.max_age = KEPT);
        // This stream is on disk, too: a server forgets streams in memory when it ends, and a
        // coordinator would wait forever to count the workers.
        let workers = stream(context, tries, "workers", |config| config.max_age = PRESENT);
        // The server counts the starts, since it refuses those above the limit.
        let begun = stream(context, tries, "begun", |config| {
            (config.max_age, config.max_messages_per_subject) = (COUNTED, MOST_BEGUN);
            refuse_second(config);
        });
        let (jobs, answers, runs, workers, begun) =
            (jobs.await?, answers.await?, runs.await?, workers.await?, begun.await?);
        let proofs = match context.get_object_store(PROOFS).await {
            Ok(store) => store,
            Err(_) => {
                let config = || object_store::Config {
                    bucket: PROOFS.into(),
                    max_age: KEPT,
                    ..object_store::Config::default()
                };
                agreed!(tries, context.create_object_store(config()))?
            }
        };
        Ok(Streams { jobs, answers, runs, workers, begun, proofs })
    }
}

impl Connection {
    pub(crate) async fn open(
        option: &str,
        url: &str,
        access: &Access,
        name: &str,
        console: &Arc<dyn Console>,
    ) -> Result<Connection, Trouble> {
        let (address, options) = options(option, url, access, name).await?;
        let place = address.url();
        let connections = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&connections);
        let options = options.event_callback(move |event| {
            let is_connected = matches!(event, Event::Connected);
            count.fetch_add(is_connected.into(), Ordering::Relaxed);
            std::future::ready(())
        });
        let client = options.connect(&place).await.map_err(|error| {
            let why = format!("{option}: no server answers at {place}: {error}");
            Trouble::Failed(format!("{why}; `proofwood serve` starts one"))
        })?;
        let context = jetstream::new(client);
        let Streams { jobs, answers, runs, workers, begun, proofs } =
            Streams::make(&context, 10).await.map_err(|error| {
                Trouble::Failed(format!(
                    "{option}: the server at {place} has no streams: {error}; start it with \
                     JetStream (nats-server -js), as `proofwood serve` does"
                ))
            })?;
        let (console, nonce, sent) = (Arc::clone(console), unique(), Arc::default());
        Ok(Connection {
            context,
            jobs,
            answers,
            runs,
            workers,
            begun,
            proofs,
            console,
            connections,
            nonce,
            sent,
        })
    }

    /// Returns the number of connections so far. If it has grown, the server may be a different
    /// one.
    pub(crate) fn connections(&self) -> u64 {
        // Relaxed: the counter guards no other data.
        self.connections.load(Ordering::Relaxed)
    }

    /// Waits after a failure, and recreates streams that the server has lost.
    pub(crate) async fn retry(
        &self,
        patience: &mut Patience,
        error: &(dyn std::error::Error + Sync),
    ) {
        let is_there = self.context.client().connection_state() == State::Connected;
        patience.wait(error, is_there, &*self.console).await;
        let is_missing = ["stream found", "not found", "503"].iter().any(|what| says(error, what));
        if is_missing && is_there {
            // A failure is ignored, since the next attempt would meet it again.
            let _ = Streams::make(&self.context, 1).await;
        }
    }

    /// Returns a text that distinguishes a stream from a later one of the same name.
    pub(crate) async fn identity(&self, stream: &Stream) -> String {
        let mut patience = Patience::default();
        loop {
            match stream.get_info().await {
                Ok(info) => return info.created.to_string(),
                Err(error) => self.retry(&mut patience, &error).await,
            }
        }
    }

    /// Publishes a message, and waits while the server is unreachable. The server ignores
    /// repetitions of the message.
    pub(crate) async fn send(&self, subject: &str, value: &impl Serialize) -> Sent {
        let bytes = match serde_json::to_vec(value) {
            Ok(bytes) => bytes::Bytes::from(bytes),
            // Only maps whose keys are not strings fail; there are none.
            Err(_) => return Sent::TooLarge,
        };
        let id = format!("{}.{}", self.nonce, self.sent.fetch_add(1, Ordering::Relaxed));
        let mut patience = Patience::default();
        loop {
            let message = PublishMessage::build().payload(bytes.clone()).message_id(&id);
            let sent = match self.context.send_publish(subject.to_string(), message).await {
                Ok(ack) => ack.await,
                Err(error) => Err(error),
            };
            match sent {
                Ok(_) => return Sent::Kept,
                Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                    return Sent::TooLarge;
                }
                Err(error) if says(&error, "maximum messages per subject") => return Sent::Second,
                Err(error) => self.retry(&mut patience, &error).await,
            }
        }
    }

    /// Returns the first message with a matching subject whose sequence number is at least `from`,
    /// if there is one.
    pub(crate) async fn next(
        &self,
        stream: &Stream,
        subject: &str,
        from: u64,
    ) -> Option<jetstream::message::StreamMessage> {
        let mut patience = Patience::default();
        loop {
            let asked = stream.raw_message_builder().sequence(from).next_by_subject(subject);
            match asked.send().await {
                Ok(message) => return Some(message),
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => return None,
                Err(error) => self.retry(&mut patience, &error).await,
            }
        }
    }

    pub(crate) async fn has(&self, stream: &Stream, subject: &str) -> bool {
        self.next(stream, subject, 1).await.is_some()
    }

    pub(crate) async fn delete(&self, stream: &Stream, sequence: u64) {
        let mut patience = Patience::default();
        loop {
            match stream.delete_message(sequence).await {
                Ok(_) => return,
                Err(error) if says(&error, "no message found") => return,
                Err(error) => self.retry(&mut patience, &error).await,
            }
        }
    }

    /// Deletes the messages on these subjects one by one, from a stream that workers consume. A
    /// purge by subject would make a server of version 2.9.10 skip messages on other subjects,
    /// which then stay in the stream undelivered.
    pub(crate) async fn delete_all(&self, stream: &Stream, subjects: &str) {
        let mut from = 1;
        while let Some(message) = self.next(stream, subjects, from).await {
            self.delete(stream, message.sequence).await;
            from = message.sequence + 1;
        }
    }

    /// Deletes all data of a run from all streams.
    pub(crate) async fn purge(&self, run: &str) {
        self.delete_all(&self.jobs, &format!("proofwood.jobs.{run}.>")).await;
        for (stream, filter) in [
            (&self.answers, format!("proofwood.answers.{run}.>")),
            (&self.begun, format!("proofwood.begun.{run}.>")),
            (&self.runs, format!("proofwood.runs.{run}")),
        ] {
            let mut patience = Patience::default();
            while let Err(error) = stream.purge().filter(filter.clone()).await {
                self.retry(&mut patience, &error).await;
            }
        }
    }
}

/// Returns whether the text of an error or of its sources contains `what`.
fn says(error: &dyn std::error::Error, what: &str) -> bool {
    let mut error = Some(error);
    while let Some(one) = error {
        if one.to_string().contains(what) {
            return true;
        }
        error = one.source();
    }
    false
}

/// Waits while the server is unreachable or refuses messages, and reports the wait once a minute.
pub(crate) struct Patience {
    attempts: u32,
    since: Instant,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { attempts: 0, since: Instant::now() }
    }
}

impl Patience {
    /// Waits before the next attempt. `is_there` is true if the connection is up.
    async fn wait(
        &mut self,
        error: &(dyn std::error::Error + Sync),
        is_there: bool,
        console: &dyn Console,
    ) {
        self.attempts += 1;
        tracing::warn!(attempts = self.attempts, %error, "waits for the server");
        // A single attempt may fail during a reconnect.
        if self.attempts >= 4 && is_first_in_a_while() {
            let time = numbers::time(self.since.elapsed());
            console.complain(&format!(
                "still waiting for the server after {time}: {error}{}",
                cause(error, is_there)
            ));
        }
        sleep(PAUSE).await;
    }
}

fn cause(error: &dyn std::error::Error, is_there: bool) -> &'static str {
    let is_full = ["insufficient", "maximum bytes"].iter().any(|what| says(error, what));
    match is_full || (is_there && says(error, "timed out")) {
        true if is_full => "; its disk is full or its storage limit is reached",
        true => "; the connection works, so its disk may be full",
        false => "",
    }
}

/// Returns true at most once a minute, so that many waiting tasks print one message.
fn is_first_in_a_while() -> bool {
    static SAID: Mutex<Option<Instant>> = Mutex::new(None);
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = said.is_none_or(|said| said.elapsed() > Duration::from_secs(60));
    if is_first {
        *said = Some(Instant::now());
    }
    is_first
}
