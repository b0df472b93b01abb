//! The workspace of an evaluator, and checks of its values and priors.

use crate::error::{EvaluatorError, ForeignError, GameError, SearchError};
use std::any::Any;
use std::error::Error;
use std::fmt;

/// The reason why an evaluator returns no value.
///
/// The `?` operator converts any error to [`NoValue::Failed`].
#[derive(Debug)]
#[non_exhaustive]
pub enum NoValue {
    /// The search is stopping, as [`Context::stopped`](crate::evaluate::Context::stopped) reported.
    Stopped,
    /// The evaluator failed with this error.
    Failed(Box<dyn Error + Send + Sync>),
}

impl<E: Error + Send + Sync + 'static> From<E> for NoValue {
    fn from(error: E) -> NoValue {
        NoValue::Failed(Box::new(error))
    }
}

impl NoValue {
    /// Converts the reason to an error, for a search that was not stopped.
    #[cold]
    pub(crate) fn unasked(self) -> SearchError {
        let NoValue::Failed(error) = self else {
            return SearchError::Evaluator(EvaluatorError::GaveUp);
        };
        // A rollout may find an error in the game's own rules.
        let error = match error.downcast::<GameError>() {
            Ok(of_game) => return SearchError::Game(*of_game),
            Err(error) => error,
        };
        SearchError::Evaluator(match error.downcast() {
            Ok(known) => *known,
            Err(foreign) => EvaluatorError::Failed(ForeignError::new(foreign)),
        })
    }
}

/// Checks that an evaluator's values are numbers from −1 to 1 and, in zero-sum games, opposite.
pub(crate) fn check_values(values: &[f32], zero_sum: bool) -> Result<(), SearchError> {
    /// The allowed error, which suffices for half-precision floats.
    const SLACK: f32 = 0.01;
    // Written so that NaN is refused, too.
    if let Some(player) = values.iter().position(|value| !(-1.0..=1.0).contains(value)) {
        let error = EvaluatorError::Value { player, value: values[player] };
        return Err(SearchError::Evaluator(error));
    }
    match *values {
        [first, second] if zero_sum && (first + second).abs() > SLACK => {
            Err(SearchError::Evaluator(EvaluatorError::ZeroSum(first, second)))
        }
        _ => Ok(()),
    }
}

/// Checks an evaluator's priors and divides them by their sum.
pub(crate) fn check_priors(priors: &mut [f32]) -> Result<(), SearchError> {
    // Written so that NaN is refused, too.
    let wrong = |prior: &f32| !(0.0..=f32::MAX).contains(prior);
    if let Some(number) = priors.iter().position(wrong) {
        let error = EvaluatorError::Prior { number, prior: priors[number] };
        return Err(SearchError::Evaluator(error));
    }
    // Summed in `f64`, since the sum may be too large for an `f32`.
    let sum: f64 = priors.iter().map(|&prior| f64::from(prior)).sum();
    let even = 1.0 / priors.len() as f32;
    for prior in priors {
        *prior = if sum > 0.0 { (f64::from(*prior) / sum) as f32 } else { even };
    }
    Ok(())
}

/// A thread's storage, which persists between evaluations and between searches: one value of each
/// requested type.
///
/// ```
/// # use proofwood::Game;
/// # use proofwood::evaluate::Context;
/// # fn evaluate<G: Game>(context: &mut Context<'_, G>) {
/// /// Input of a network.
/// struct Planes(Vec<f32>);
///
/// let planes = context.workspace.get_or_insert_with(|| Planes(vec![0.0; 1024]));
/// planes.0.fill(0.0);
/// # }
/// ```
#[derive(Default)]
pub struct Workspace(Vec<Box<dyn Any + Send>>);

impl Workspace {
    /// Returns this thread's value of the type `T`, which `make` creates on the first call.
    pub fn get_or_insert_with<T: Send + 'static>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        let kept = self.0.iter().position(|value| value.is::<T>());
        let place = kept.unwrap_or_else(|| {
            self.0.push(Box::new(make()));
            self.0.len() - 1
        });
        match self.0[place].downcast_mut() {
            Some(value) => value,
            None => unreachable!("it was found by its type"),
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("values", &self.0.len()).finish()
    }
}
