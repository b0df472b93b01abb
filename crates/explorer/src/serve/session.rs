//! An engine for each open page.
//!
//! The engine has a thread of its own, which passes requests to it, lets it work, and keeps its
//! answers until the page fetches them. If a page has fetched nothing for a while, its engine ends.

use crate::engine::Engine;
use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time that an engine works before it checks for requests.
const STEP: Duration = Duration::from_millis(20);
/// The time after which a page that fetches nothing counts as closed.
const PATIENCE: Duration = Duration::from_secs(90);
/// The greatest number of answers kept. An open page fetches its answers long before this number is
/// reached.
const MOST: usize = 10_000;

/// A page's engine, on its thread.
#[derive(Debug)]
pub(super) struct Session {
    requests: Mutex<Sender<String>>,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Signals that there is an answer, or that the session has ended.
    bell: Condvar,
}

#[derive(Debug)]
struct State {
    answers: VecDeque<String>,
    fetched: Instant,
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
    /// Starts a thread with the engine that `make` creates.
    pub(super) fn begin(
        make: impl FnOnce() -> Engine + Send + 'static,
    ) -> std::io::Result<Session> {
        let (requests, received) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        let work = move || {
            /// Marks the session as ended, even after a panic.
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

    /// Passes a request to the engine; returns false if it has ended.
    pub(super) fn ask(&self, line: String) -> bool {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).send(line).is_ok()
    }

    /// Waits for answers for at most `wait`, and returns them. Returns `None` if the engine has
    /// ended.
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

    /// Marks the page as loaded; returns false if it was loaded before. In that case answers may
    /// still go to the earlier page, until its connection is known to be closed.
    pub(super) fn load(&self) -> bool {
        !std::mem::replace(&mut self.shared.lock().loaded, true)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.shared.lock().ended
    }

    pub(super) fn end(&self) {
        self.shared.lock().ended = true;
        self.shared.bell.notify_all();
    }
}

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
