//! Evaluates the leaves of a Python game: by playouts, or by Python code that is called for one
//! leaf or for a batch.

use crate::game::{PyGame, State};
use crate::raised::Raised;
use crate::thread_state::keep;
use proofwood::Config;
use proofwood::evaluate::{
    BatchContext, BatchEvaluator, Batching, Context, DefaultRollout, Evaluator, Leaf, NoValue,
    Rollout,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) struct ByRules(DefaultRollout);

/// An evaluator that calls `evaluate(state)` for one leaf at a time.
pub(crate) struct Single;

/// The kind of evaluation that a Python game has chosen for its leaves.
pub(crate) struct Wishes {
    single: bool,
    batches: bool,
    has_priors: bool,
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
        let patience = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err("batch_wait should be a number of seconds that is not negative")
        })?;
        let size: usize = game.getattr("batch_size")?.extract()?;
        if !(1..=Batching::MOST).contains(&size) {
            let what = format!("batch_size should be a number from 1 to {}", Batching::MOST);
            return Err(PyValueError::new_err(what));
        }
        let has_priors = game.getattr("has_priors")?.extract()?;
        let (single, batches) = (own("evaluate")?, own("evaluate_batch")?);
        if has_priors && !batches {
            return Err(PyTypeError::new_err("has_priors requires evaluate_batch()"));
        }
        Ok(Wishes { single, batches, has_priors, size, patience })
    }

    /// Returns the default number of threads. It is 1 for a game with batches, since rules in
    /// Python run on one thread at a time, and a single thread finds leaves fast enough; otherwise
    /// it is `None`.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.batches.then_some(1)
    }

    /// Returns the evaluator for batches of leaves and its batching, if the game has one.
    pub(crate) fn batches(&self) -> Option<(Batches, Batching)> {
        let batching = Batching::default().size(self.size).wait(self.patience);
        let batches = Batches { has_priors: self.has_priors, ..Batches::default() };
        self.batches.then_some((batches, batching))
    }

    pub(crate) fn single(&self) -> Option<Single> {
        self.single.then_some(Single)
    }
}

impl ByRules {
    pub(crate) fn of(config: &Config) -> ByRules {
        ByRules(DefaultRollout::of(config))
    }
}

impl Rollout<Arc<PyGame>> for ByRules {
    fn rollout(
        &self,
        state: &mut State,
        context: &mut Context<'_, Arc<PyGame>>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        keep();
        // The whole playout holds the interpreter: acquiring it costs as much as a short call.
        Python::attach(|_| self.0.rollout(state, context, values))
    }
}

impl Evaluator<Arc<PyGame>> for Single {
    fn evaluate(
        &self,
        state: &mut State,
        context: &mut Context<'_, Arc<PyGame>>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        keep();
        Python::attach(|py| {
            let game = context.game.object.bind(py);
            let found = game.call_method1(intern!(py, "evaluate"), (&**state,));
            let found = found.and_then(|found| numbers(&found)).map_err(Raised)?;
            Ok(fill(values, &found, "values", "players").map_err(Raised)?)
        })
    }
}

fn fill(into: &mut [f32], found: &[f32], what: &str, of: &str) -> PyResult<()> {
    if into.len() != found.len() {
        let (has, needs) = (found.len(), into.len());
        let what = format!("an evaluation has {has} {what}, but there are {needs} {of}");
        return Err(PyValueError::new_err(what));
    }
    into.copy_from_slice(found);
    Ok(())
}

fn numbers(found: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let listed = match found.hasattr(intern!(found.py(), "tolist"))? {
        true => &found.call_method0(intern!(found.py(), "tolist"))?,
        false => found,
    };
    listed.extract().map_err(|_| {
        PyTypeError::new_err("evaluate() should return a list of numbers, one for each player")
    })
}

/// An evaluator that calls Python with batches of leaves, which the library gathers.
#[derive(Default)]
pub(crate) struct Batches {
    has_priors: bool,
    /// Whether the user was warned that priors are not used.
    told: AtomicBool,
}

impl BatchEvaluator<Arc<PyGame>> for Batches {
    fn evaluate_batch(
        &self,
        leaves: &mut [Leaf<Arc<PyGame>>],
        context: &mut BatchContext<'_, Arc<PyGame>>,
    ) -> Result<(), NoValue> {
        keep();
        let game = context.game;
        let valued = Python::attach(|py| self.value(game.object.bind(py), leaves));
        Ok(valued.map_err(Raised)?)
    }

    fn has_priors(&self) -> bool {
        self.has_priors
    }
}

impl Batches {
    fn value(&self, game: &Bound<'_, PyAny>, leaves: &mut [Leaf<Arc<PyGame>>]) -> PyResult<()> {
        let py = game.py();
        let states = PyList::new(py, leaves.iter().map(|leaf| (**leaf.state()).clone_ref(py)))?;
        let found = game.call_method1(intern!(py, "evaluate_batch"), (states,))?;
        let (values, priors) = self.split(&found)?;
        let values = of_all(values, leaves.len(), "values")?;
        for (leaf, found) in leaves.iter_mut().zip(values) {
            fill(&mut leaf.values, &found, "values", "players")?;
        }
        if let Some(priors) = priors {
            let priors = of_all(priors, leaves.len(), "priors")?;
            for (leaf, found) in leaves.iter_mut().zip(priors) {
                // Priors are empty at chance nodes, and if the memory is full.
                if !leaf.priors.is_empty() {
                    fill(&mut leaf.priors, &found, "priors", "legal moves")?;
                }
            }
        }
        Ok(())
    }

    /// Splits what Python has returned into the rows of values and, if priors are used, the rows of
    /// priors.
    fn split(&self, found: &Bound<'_, PyAny>) -> PyResult<(Rows, Option<Rows>)> {
        let wrong = || match self.has_priors {
            true => PyTypeError::new_err(
                "with has_priors, evaluate_batch() should return (values, priors): values with a \
                 row for each state and a number for each player, priors with a row for each state \
                 and a number for each legal move",
            ),
            false => PyTypeError::new_err(
                "evaluate_batch() should return values: a row for each state with a number for \
                 each player",
            ),
        };
        let pair = found.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let pair = match pair {
            Some(pair) => Some((table(&pair.get_item(0)?), pair.get_item(1)?)),
            None => None,
        };
        match (self.has_priors, pair) {
            (true, Some((values, priors))) => {
                let priors = table(&priors).map_err(|_| wrong())?;
                Ok((values.map_err(|_| wrong())?, Some(priors)))
            }
            (true, None) => Err(wrong()),
            // A tuple of two rows does not match here, because a row is not a table.
            (false, Some((Ok(values), priors))) => {
                self.tell(&priors)?;
                Ok((values, None))
            }
            (false, _) => Ok((table(found).map_err(|_| wrong())?, None)),
        }
    }

    /// Warns, once, that priors are not used.
    fn tell(&self, priors: &Bound<'_, PyAny>) -> PyResult<()> {
        // Relaxed: a flag that carries no data.
        if !priors.is_none() && !self.told.swap(true, Ordering::Relaxed) {
            let what =
                "the priors from evaluate_batch() are not used; set has_priors = True to use them";
            priors.py().import("warnings")?.call_method1("warn", (what,))?;
        }
        Ok(())
    }
}

type Rows = Vec<Vec<f32>>;

/// Converts a list, a tuple or an array to rows.
fn table(found: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f32>>> {
    match found.hasattr(intern!(found.py(), "tolist"))? {
        true => found.call_method0(intern!(found.py(), "tolist"))?.extract(),
        false => found.extract(),
    }
}

/// Checks that there is a row for each state.
fn of_all(rows: Rows, states: usize, what: &str) -> PyResult<Rows> {
    match rows.len() == states {
        true => Ok(rows),
        false => {
            let has = rows.len();
            let what =
                format!("evaluate_batch() returned {has} rows of {what} for {states} states");
            Err(PyValueError::new_err(what))
        }
    }
}
