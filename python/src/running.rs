//! Running searches: start, snapshot, stop, wait.
//!
//! A thread never waits for a lock while it holds the interpreter: it releases the interpreter
//! first, except for locks that are held only to copy a few words. Otherwise a thread that holds
//! the lock and waits for the interpreter would deadlock with one that holds the interpreter and
//! waits for the lock.

use crate::answers::json;
use crate::errors::{self, catch};
use crate::options::Keywords;
use crate::wait::{End, aside, lock};
use proofwood::{Budget, CancelToken, SearchError};
use proofwood_any_game::{Answer, Certifying, ProofAnswer, Proving, Searching, Stuck};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A search with playouts that a Python object owns.
#[pyclass(frozen, module = "proofwood._native")]
pub(crate) struct Search {
    pub(crate) handle: Handle<Box<dyn Searching>>,
    pub(crate) spec: String,
}

/// A prover that a Python object owns.
#[pyclass(frozen, module = "proofwood._native")]
pub(crate) struct Proof {
    pub(crate) handle: Handle<Box<dyn Proving>>,
    pub(crate) spec: String,
}

/// The interface that searches and provers have in common.
pub(crate) trait Runs: Send + 'static {
    type Answer: Clone + Send;

    fn start(&mut self, budget: &Budget) -> Result<(), SearchError>;
    fn on_end(&self, hook: Box<dyn FnOnce() + Send>);
    fn snapshot(&self) -> Self::Answer;
    fn wait(&mut self) -> Result<Self::Answer, SearchError>;
    fn certifying(&self) -> &dyn Certifying;
}

macro_rules! runs {
    ($kind:ident: $answer:ident) => {
        impl Runs for Box<dyn $kind> {
            type Answer = $answer;

            fn start(&mut self, budget: &Budget) -> Result<(), SearchError> {
                (**self).start(budget)
            }
            fn on_end(&self, hook: Box<dyn FnOnce() + Send>) {
                (**self).on_end(hook);
            }
            fn snapshot(&self) -> $answer {
                (**self).snapshot()
            }
            fn wait(&mut self) -> Result<$answer, SearchError> {
                (**self).wait()
            }
            fn certifying(&self) -> &dyn Certifying {
                &**self
            }
        }
    };
}

runs!(Searching: Answer);
runs!(Proving: ProofAnswer);

pub(crate) struct Handle<R: Runs> {
    /// The search. It is `None` only while the handle is being dropped.
    runs: Option<Arc<Mutex<Run<R>>>>,
    latest: Mutex<Latest>,
    usual: Keywords,
    /// The process in which the search's threads run; a process forked from it does not have them.
    process: u32,
}

struct Run<R: Runs> {
    runs: R,
    /// Whether a run was started and its answer has not been stored yet.
    untaken: bool,
    answer: Option<Result<R::Answer, SearchError>>,
}

struct Latest {
    end: Arc<End>,
    cancel: CancelToken,
}

impl<R: Runs> Run<R> {
    /// Stores the answer of a run that has ended.
    fn take(&mut self) {
        if std::mem::take(&mut self.untaken) {
            self.answer = Some(self.runs.wait());
        }
    }
}

impl<R: Runs> Handle<R> {
    pub(crate) fn new(runs: R, usual: &Keywords) -> Handle<R> {
        let run = Run { runs, untaken: false, answer: None };
        let latest = Latest { end: Arc::new(End::past()), cancel: CancelToken::new() };
        let (runs, latest) = (Some(Arc::new(Mutex::new(run))), Mutex::new(latest));
        Handle { runs, latest, usual: usual.clone(), process: std::process::id() }
    }

    /// Calls `act` with the search while other Python threads run.
    ///
    /// # Errors
    /// Returns the exception if rules in Python raise one; they are called for the texts of moves.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Run<R>) -> T + Send,
    ) -> PyResult<T> {
        self.is_here()?;
        let run = self.shared();
        py.detach(|| catch(|| act(&mut lock(&run))))
    }

    /// Calls `act` if no run is in progress; returns `None` if one is.
    fn at_rest<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut Run<R>) -> T + Send,
    ) -> PyResult<Option<T>> {
        let latest = &self.latest;
        self.with(py, move |run| {
            // No run can start meanwhile, because that requires the lock of this search.
            let ended = lock(latest).end.has_come();
            ended.then(|| {
                run.take();
                act(run)
            })
        })
    }

    /// Refuses calls in a forked process: it does not have the search's threads, and the locks that
    /// they held at the fork stay locked.
    fn is_here(&self) -> PyResult<()> {
        match self.process == std::process::id() {
            true => Ok(()),
            false => Err(errors::failed(
                "this search belongs to the parent process; create a new one after a fork",
            )),
        }
    }

    fn is_running(&self) -> bool {
        self.is_here().is_ok() && !self.end().has_come()
    }

    fn shared(&self) -> Arc<Mutex<Run<R>>> {
        match &self.runs {
            Some(runs) => Arc::clone(runs),
            None => unreachable!("it is there until it is dropped"),
        }
    }

    fn end(&self) -> Arc<End> {
        Arc::clone(&lock(&self.latest).end)
    }

    fn start(&self, py: Python<'_>, function: &str, limits: &Bound<'_, PyDict>) -> PyResult<()> {
        let given = Keywords::read(function, limits, &|_| false)?;
        let keywords = if given.limited { &given } else { &self.usual };
        let (end, cancel) = (Arc::new(End::default()), CancelToken::new());
        let budget = keywords.budget.clone().cancel(&cancel);
        let arriving = Arc::clone(&end);
        let latest = &self.latest;
        let started = self.with(py, move |run| {
            // Checked under the lock, since another thread may have just started a run.
            if lock(latest).end.has_come() {
                run.take();
            }
            run.runs.start(&budget)?;
            (run.untaken, run.answer) = (true, None);
            *lock(latest) = Latest { end, cancel };
            run.runs.on_end(Box::new(move || arriving.arrive()));
            Ok(())
        })?;
        started.map_err(errors::search)
    }

    fn stop(&self) {
        if self.is_here().is_ok() {
            lock(&self.latest).cancel.cancel();
        }
    }

    /// Waits for the end of the run; returns `None` after the timeout.
    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<R::Answer>> {
        let timeout = timeout
            .map(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX));
        let until = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        self.is_here()?;
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if !self.end().wait(py, left)? {
                return Ok(None);
            }
            // If another thread has started the next run meanwhile, wait for that run.
            match self.at_rest(py, |run| run.answer.clone())? {
                None => {}
                Some(Some(answer)) => return answer.map(Some).map_err(errors::search),
                Some(None) => return Err(errors::search(SearchError::NotRunning)),
            }
        }
    }

    fn certify(
        &self,
        py: Python<'_>,
        spec: String,
        (position, moves): (String, Vec<String>),
        path: PathBuf,
    ) -> PyResult<(u64, u64)> {
        self.is_here()?;
        if !self.end().has_come() {
            return Err(errors::search(SearchError::Running));
        }
        let (run, cancel) = (self.shared(), CancelToken::new());
        let token = cancel.clone();
        let work = move || {
            let mut run = lock(&run);
            run.take();
            let mut out = BufWriter::new(File::create(path)?);
            let certifying = run.runs.certifying();
            let written = certifying.certify_after(&spec, &position, &moves, &token, &mut out);
            out.flush()?;
            std::io::Result::Ok(written)
        };
        let written = aside(py, work, || cancel.cancel())??;
        let written = written.map_err(errors::certificate)?;
        Ok((written.positions, written.references))
    }
}

impl<R: Runs> Drop for Handle<R> {
    /// Stops the search and waits for its threads, which may need the interpreter before they can
    /// end.
    fn drop(&mut self) {
        let runs = self.runs.take();
        if self.is_here().is_err() {
            // A forked process has no threads to wait for.
            std::mem::forget(runs);
            return;
        }
        self.stop();
        let end = || {
            let Some(run) = &runs else { return };
            let mut run = lock(run);
            if run.untaken {
                // Neither the answer nor an exception from its rules is needed.
                let _ = catch(|| run.runs.wait().map(drop));
            }
        };
        if Python::try_attach(|py| py.detach(end)).is_none() {
            end();
        }
    }
}

impl Search {
    /// Stops the search and moves its root to another position.
    fn moved(
        &self,
        py: Python<'_>,
        go: impl Fn(&mut dyn Searching) -> Result<(), Stuck> + Sync,
    ) -> PyResult<()> {
        self.handle.is_here()?;
        loop {
            self.handle.stop();
            self.handle.end().wait(py, None)?;
            if let Some(moved) = self.handle.at_rest(py, |run| go(&mut *run.runs))? {
                return moved.map_err(errors::stuck);
            }
        }
    }
}

#[pymethods]
impl Search {
    /// Starts the search with the limits of the call, or with its default ones.
    fn start(&self, py: Python<'_>, function: &str, limits: &Bound<'_, PyDict>) -> PyResult<()> {
        self.handle.start(py, function, limits)
    }

    fn stop(&self) {
        self.handle.stop();
    }

    fn is_running(&self) -> bool {
        self.handle.is_running()
    }

    fn call_at_end(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        self.handle.end().call(py, callback)
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        json(&self.handle.with(py, |run| run.runs.snapshot())?)
    }

    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<String>> {
        let answer = self.handle.wait(py, timeout)?;
        answer.map(|answer| json(&answer)).transpose()
    }

    /// Moves the root to the position after a move.
    fn advance(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.moved(py, |run| run.advance(text))
    }

    fn audit(&self, py: Python<'_>) -> PyResult<()> {
        let audited = self.handle.at_rest(py, |run| run.runs.audit())?;
        let audited = audited.ok_or_else(|| errors::search(SearchError::Running))?;
        audited.map(drop).map_err(|error| errors::search(SearchError::Inconsistent(error)))
    }

    /// Writes a certificate about the position that is reached by playing `moves` from the position
    /// with the text `position`. Returns the numbers of positions and references in the
    /// certificate.
    fn certify(
        &self,
        py: Python<'_>,
        position: String,
        moves: Vec<String>,
        path: PathBuf,
    ) -> PyResult<(u64, u64)> {
        self.handle.certify(py, self.spec.clone(), (position, moves), path)
    }
}

#[pymethods]
impl Proof {
    /// Starts the search with the limits of the call, or with its default ones.
    fn start(&self, py: Python<'_>, function: &str, limits: &Bound<'_, PyDict>) -> PyResult<()> {
        self.handle.start(py, function, limits)
    }

    fn stop(&self) {
        self.handle.stop();
    }

    fn is_running(&self) -> bool {
        self.handle.is_running()
    }

    fn call_at_end(&self, py: Python<'_>, callback: Py<PyAny>) -> PyResult<()> {
        self.handle.end().call(py, callback)
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<String> {
        json(&self.handle.with(py, |run| run.runs.snapshot())?)
    }

    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Option<String>> {
        let answer = self.handle.wait(py, timeout)?;
        answer.map(|answer| json(&answer)).transpose()
    }

    /// Writes a certificate about the position that is reached by playing `moves` from the position
    /// with the text `position`. Returns the numbers of positions and references in the
    /// certificate.
    fn certify(
        &self,
        py: Python<'_>,
        position: String,
        moves: Vec<String>,
        path: PathBuf,
    ) -> PyResult<(u64, u64)> {
        self.handle.certify(py, self.spec.clone(), (position, moves), path)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let spec = self.spec.clone();
        let saved = self.handle.with(py, move |run| -> std::io::Result<_> {
            Ok(run.runs.save(&spec, &mut File::create(path)?))
        })??;
        saved.map_err(errors::checkpoint)
    }

    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let spec = self.spec.clone();
        let loaded = self.handle.with(py, move |run| -> std::io::Result<_> {
            Ok(run.runs.load(&spec, &mut BufReader::new(File::open(path)?)))
        })??;
        loaded.map_err(errors::checkpoint)
    }
}
