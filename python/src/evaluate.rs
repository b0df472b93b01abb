//! Leaves of a Python game: played out by its rules, or valued by Python, one at a time or
//! several to a call.
//!
//! The library asks for one value at a time, on each of its threads. For several to a call,
//! each thread adds its leaf to those that wait, and one of them, the caller, takes them to
//! Python: when there are enough, or when some time has passed. So there are never more in a
//! call than the search has threads.

use crate::errors;
use crate::game::{PyGame, State};
use crate::raised::catch;
use crate::thread_state::keep;
use crate::wait::lock;
use proofwood::{Context, Evaluator, NoValue, Playout, RandomPlayout, UniformRandom};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What values the leaves of a Python game.
pub(crate) enum Leaves {
    /// Random playouts, by the game's rules.
    Playouts(RandomPlayout),
    /// `evaluate(state)`.
    Single,
    /// `evaluate_batch(states)`.
    Batches(Batches),
}

/// An exception of Python code, on its way to who started the search.
#[derive(Debug)]
pub(crate) struct Raised(pub(crate) PyErr);

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Raised {}

/// What a game says of its leaves.
pub(crate) struct Wishes {
    single: bool,
    batches: bool,
    size: usize,
    patience: Duration,
}

impl Wishes {
    pub(crate) fn of(game: &Bound<'_, PyAny>) -> PyResult<Wishes> {
        let base = game.py().import("proofwood._game")?.getattr("Game")?;
        let class = game.get_type();
        let own =
            |name: &str| -> PyResult<bool> { Ok(!class.getattr(name)?.is(base.getattr(name)?)) };
        let seconds: f64 = game.getattr("batch_wait")?.extract()?;
        let patience = Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("batch_wait should be seconds from 0"))?;
        let size: usize = game.getattr("batch_size")?.extract()?;
        if size == 0 {
            return Err(PyValueError::new_err("batch_size should be a number from 1"));
        }
        Ok(Wishes { single: own("evaluate")?, batches: own("evaluate_batch")?, size, patience })
    }

    /// The threads that a search has where nothing is said: as many as leaves go to a call.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.batches.then_some(self.size)
    }

    /// What values the leaves of a search on so many threads.
    pub(crate) fn leaves(&self, threads: usize, cap: u32, unfinished: i32) -> Leaves {
        if self.batches {
            let size = self.size.min(threads);
            return Leaves::Batches(Batches {
                size,
                patience: self.patience,
                ..Batches::default()
            });
        }
        match self.single {
            true => Leaves::Single,
            false => Leaves::Playouts(Playout::new(UniformRandom, cap, unfinished)),
        }
    }
}

impl Evaluator<Arc<PyGame>> for Leaves {
    fn evaluate(
        &self,
        state: &mut State,
        context: &mut Context<'_, Arc<PyGame>>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        keep();
        match self {
            // Held for the whole playout: to get the interpreter costs as much as a short call.
            Leaves::Playouts(playout) => {
                Python::attach(|_| playout.evaluate(state, context, values))
            }
            Leaves::Single => Python::attach(|py| {
                let game = context.game.object.bind(py);
                let found = game.call_method1(intern!(py, "evaluate"), (&**state,));
                let found = found.and_then(|found| numbers(&found)).map_err(Raised)?;
                fill(values, &found)
            }),
            Leaves::Batches(batches) => {
                let found = batches.value(state, context)?;
                fill(values, &found)
            }
        }
    }

    fn has_payoffs_only(&self) -> bool {
        matches!(self, Leaves::Playouts(_))
    }
}

fn fill(values: &mut [f32], found: &[f32]) -> Result<(), NoValue> {
    if values.len() != found.len() {
        let (has, needs) = (found.len(), values.len());
        let what = format!("an evaluation has {has} values for {needs} players");
        return Err(Raised(PyValueError::new_err(what)).into());
    }
    values.copy_from_slice(found);
    Ok(())
}

/// Numbers of a list, a tuple or an array.
fn numbers(found: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let listed = match found.hasattr(intern!(found.py(), "tolist"))? {
        true => &found.call_method0(intern!(found.py(), "tolist"))?,
        false => found,
    };
    listed.extract().map_err(|_| {
        PyTypeError::new_err("evaluate() should be a list of numbers, one for each player")
    })
}

/// Leaves that go to Python together.
#[derive(Default)]
pub(crate) struct Batches {
    size: usize,
    patience: Duration,
    queue: Mutex<Queue>,
    /// A leaf has come, has its value, or may be taken by another caller.
    changed: Condvar,
    /// Somebody was told that priors are not used.
    told: AtomicBool,
}

#[derive(Default)]
struct Queue {
    next: u64,
    /// In the order in which they came.
    waiting: Vec<(u64, State)>,
    valued: HashMap<u64, Result<Vec<f32>, Raised>>,
    /// One of those that wait gathers the next call.
    gathering: bool,
}

impl Batches {
    /// How long a thread sleeps that looks whether the search is to stop.
    const NAP: Duration = Duration::from_millis(2);

    /// Values a leaf, with others.
    fn value(
        &self,
        state: &State,
        context: &mut Context<'_, Arc<PyGame>>,
    ) -> Result<Vec<f32>, NoValue> {
        let mut queue = lock(&self.queue);
        let number = queue.next;
        queue.next += 1;
        queue.waiting.push((number, Arc::clone(state)));
        self.changed.notify_all();
        loop {
            if let Some(valued) = queue.valued.remove(&number) {
                return valued.map_err(NoValue::from);
            }
            let waits = queue.waiting.iter().any(|(waiting, _)| *waiting == number);
            if waits && context.stopped() {
                queue.waiting.retain(|(waiting, _)| *waiting != number);
                return Err(NoValue::Stopped);
            }
            if !waits || queue.gathering {
                queue = self.nap(queue, Self::NAP);
                continue;
            }
            queue.gathering = true;
            queue = self.gather(queue, context);
            // The own leaf is in the call, whoever came before it.
            let own = queue.waiting.iter().position(|(waiting, _)| *waiting == number);
            if let Some(own) = own {
                queue.waiting[..=own].rotate_right(1);
            }
            let taken = self.size.min(queue.waiting.len());
            let batch: Vec<(u64, State)> = queue.waiting.drain(..taken).collect();
            queue.gathering = false;
            self.changed.notify_all();
            // Python is called without the lock.
            drop(queue);
            let valued = self.call(context.game, &batch);
            queue = lock(&self.queue);
            queue.valued.extend(batch.iter().map(|(number, _)| *number).zip(valued));
            self.changed.notify_all();
        }
    }

    /// Waits until enough leaves have come, or none comes any more.
    fn gather<'q>(
        &'q self,
        mut queue: MutexGuard<'q, Queue>,
        context: &Context<'_, Arc<PyGame>>,
    ) -> MutexGuard<'q, Queue> {
        let until = Instant::now() + self.patience;
        while queue.waiting.len() < self.size && !context.stopped() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            queue = self.nap(queue, left.min(Self::NAP));
        }
        queue
    }

    fn nap<'q>(&'q self, queue: MutexGuard<'q, Queue>, time: Duration) -> MutexGuard<'q, Queue> {
        self.changed.wait_timeout(queue, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Has Python value these. An exception is everybody's, and so is what unwinds: who waits
    /// for a value that never comes would wait for ever.
    fn call(&self, game: &PyGame, batch: &[(u64, State)]) -> Vec<Result<Vec<f32>, Raised>> {
        let valued = catch(|| Python::attach(|py| self.rows(game.object.bind(py), batch)));
        match valued.and_then(|valued| valued) {
            Ok(rows) => rows.into_iter().map(Ok).collect(),
            Err(error) => {
                let all = batch.iter();
                Python::try_attach(|py| {
                    all.clone().map(|_| Err(Raised(error.clone_ref(py)))).collect()
                })
                .unwrap_or_else(|| {
                    let ended = || Raised(errors::failed("Python has ended"));
                    all.map(|_| Err(ended())).collect()
                })
            }
        }
    }

    fn rows(&self, game: &Bound<'_, PyAny>, batch: &[(u64, State)]) -> PyResult<Vec<Vec<f32>>> {
        let py = game.py();
        let states = PyList::new(py, batch.iter().map(|(_, state)| state.clone_ref(py)))?;
        let found = game.call_method1(intern!(py, "evaluate_batch"), (states,))?;
        let rows = match self.without_priors(&found)? {
            Some(rows) => rows,
            None => table(&found).map_err(|_| {
                PyTypeError::new_err(
                    "evaluate_batch() should be values, or (values, priors): a row for each \
                     state with a number for each player",
                )
            })?,
        };
        of_all(rows, batch.len())
    }

    /// The values of a pair of values and priors; nothing where it is none, such as a tuple of
    /// two rows.
    fn without_priors(&self, found: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Vec<f32>>>> {
        let Ok(both) = found.cast::<PyTuple>() else { return Ok(None) };
        if both.len() != 2 {
            return Ok(None);
        }
        let Ok(rows) = table(&both.get_item(0)?) else { return Ok(None) };
        // Relaxed: a flag that carries no data.
        if !both.get_item(1)?.is_none() && !self.told.swap(true, Ordering::Relaxed) {
            let what = "priors of evaluate_batch() are not used yet: the search makes nothing of \
                        them";
            found.py().import("warnings")?.call_method1("warn", (what,))?;
        }
        Ok(Some(rows))
    }
}

/// Rows of a list, a tuple or an array.
fn table(found: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f32>>> {
    match found.hasattr(intern!(found.py(), "tolist"))? {
        true => found.call_method0(intern!(found.py(), "tolist"))?.extract(),
        false => found.extract(),
    }
}

/// As many rows as there are states.
fn of_all(rows: Vec<Vec<f32>>, states: usize) -> PyResult<Vec<Vec<f32>>> {
    match rows.len() == states {
        true => Ok(rows),
        false => {
            let what = format!("evaluate_batch() has {} rows for {states} states", rows.len());
            Err(PyValueError::new_err(what))
        }
    }
}
