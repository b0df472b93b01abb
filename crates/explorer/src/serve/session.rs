//! An engine for each page that is open.
//!
//! A thread of its own has the engine: it hands over requests, works, and keeps the answers
//! until the page fetches them. A page that has fetched nothing for a while is closed, and its
//! engine goes, whatever it was doing.

use crate::engine::Engine;
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine works before it looks for requests.
const STEP: Duration = Duration::from_millis(20);
/// A page that fetches nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(90);
/// The most answers that wait to be fetched; the page would have fetched them long ago.
const MOST: usize = 10_000;

/// The engine of a page.
#[derive(Debug)]
pub(super) struct Session {
    requests: Mutex<Sender<String>>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Rung when there is an answer, and at the end.
    bell: Condvar,
}

#[derive(Debug)]
struct State {
    answers: VecDeque<String>,
    fetched: Instant,
    /// Whether the page was loaded.
    loaded: bool,
    ended: bool,
}

impl Default for State {
    fn default() -> State {
        State { answers: VecDeque::new(), fetched: Instant::now(), loaded: false, ended: false }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Begins with the engine that `make` makes.
    pub(super) fn begin(
        make: impl FnOnce() -> Engine + Send + 'static,
    ) -> std::io::Result<Session> {
        let (requests, received) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        let work = move || {
            /// Says that the engine is gone, also after a panic.
            struct End(Arc<Shared>);
            impl Drop for End {
                fn drop(&mut self) {
                    self.0.lock().ended = true;
                    self.0.bell.notify_all();
                }
            }
            let end = End(seen);
            work(&mut make(), &received, &end.0);
        };
        thread::Builder::new().name("explorer".into()).spawn(work)?;
        Ok(Session { requests: Mutex::new(requests), shared })
    }

    /// Hands a request over; false where the engine is gone.
    pub(super) fn ask(&self, line: String) -> bool {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).send(line).is_ok()
    }

    /// Waits for answers; those that there are after so long at most, or `None` where the
    /// engine is gone.
    pub(super) fn answers(&self, wait: Duration) -> Option<Vec<String>> {
        let mut state = self.shared.lock();
        state.fetched = Instant::now();
        let nothing = |state: &mut State| state.answers.is_empty() && !state.ended;
        let waited = self.shared.bell.wait_timeout_while(state, wait, nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.fetched = Instant::now();
        match state.answers.is_empty() && state.ended {
            true => None,
            false => Some(state.answers.drain(..).collect()),
        }
    }

    /// Loads the page; false where it was loaded before. Then answers may still go to that one,
    /// which waits for them until its connection is known to be gone.
    pub(super) fn load(&self) -> bool {
        !std::mem::replace(&mut self.shared.lock().loaded, true)
    }

    /// Whether the engine is gone.
    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().ended
    }

    /// Ends the engine, as soon as its step is over.
    pub(super) fn end(&self) {
        self.shared.lock().ended = true;
        self.shared.bell.notify_all();
    }
}

/// What the engine's thread does.
fn work(engine: &mut Engine, requests: &Receiver<String>, shared: &Shared) {
    loop {
        let wait = if engine.is_busy() { Duration::ZERO } else { Duration::from_millis(500) };
        match requests.recv_timeout(wait) {
            Ok(line) => engine.ask(&line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while let Ok(line) = requests.try_recv() {
            engine.ask(&line);
        }
        let answers = engine.step(STEP);
        let mut state = shared.lock();
        if state.ended || state.fetched.elapsed() > PATIENCE {
            return;
        }
        if !answers.is_empty() {
            state.answers.extend(answers);
            let beyond = state.answers.len().saturating_sub(MOST);
            state.answers.drain(..beyond);
            shared.bell.notify_all();
        }
    }
}
