//! Converts the library's errors to exceptions of the package, which have the library's messages.
//!
//! The exceptions are Python classes (`proofwood/_errors.py`), so that they can also be a
//! `ValueError` or a `KeyboardInterrupt`.

use crate::raised::{self, Raised};
use proofwood::certificate::{CertificateError, Refusal};
use proofwood::error::{BudgetError, ConfigError, EvaluatorError};
use proofwood::inspect::SavedError;
use proofwood::rules::{RulesError, RulesFault};
use proofwood::{SearchError, TextError};
use proofwood_any_game::Stuck;
use proofwood_games::SpecError;
use pyo3::{PyErr, PyResult, Python};
use std::panic::{AssertUnwindSafe, catch_unwind};

mod classes {
    #![allow(missing_docs)]
    pyo3::import_exception!(proofwood._errors, CertificateError);
    pyo3::import_exception!(proofwood._errors, OptionError);
    pyo3::import_exception!(proofwood._errors, Refused);
    pyo3::import_exception!(proofwood._errors, RulesError);
    pyo3::import_exception!(proofwood._errors, SearchError);
    pyo3::import_exception!(proofwood._errors, SpecError);
    pyo3::import_exception!(proofwood._errors, TextError);
}

pub(crate) fn option(message: impl ToString) -> PyErr {
    classes::OptionError::new_err(message.to_string())
}

pub(crate) fn spec(error: &SpecError) -> PyErr {
    classes::SpecError::new_err(error.to_string())
}

pub(crate) fn text(error: &TextError) -> PyErr {
    classes::TextError::new_err(error.to_string())
}

pub(crate) fn rules(error: &RulesError) -> PyErr {
    if let RulesFault::Panic { message } = &*error.fault
        && let Some(raised) = raised::find(message)
    {
        return raised;
    }
    classes::RulesError::new_err(error.to_string())
}

pub(crate) fn failed(message: impl ToString) -> PyErr {
    classes::SearchError::new_err(message.to_string())
}

pub(crate) fn refused(error: &Refusal) -> PyErr {
    classes::Refused::new_err(error.to_string())
}

pub(crate) fn certificate(error: CertificateError) -> PyErr {
    match error {
        CertificateError::Game(error) => search(error.into()),
        CertificateError::Asked(error) => match error.downcast::<SearchError>() {
            Ok(error) => search(*error),
            Err(error) => classes::CertificateError::new_err(error.to_string()),
        },
        error => classes::CertificateError::new_err(error.to_string()),
    }
}

pub(crate) fn checkpoint(error: SavedError) -> PyErr {
    classes::SearchError::new_err(error.to_string())
}

pub(crate) fn search(error: SearchError) -> PyErr {
    match error {
        SearchError::Config(error) => option(of_options(&error)),
        SearchError::Budget(error) => option(of_limits(error)),
        SearchError::Game(_) => classes::RulesError::new_err(error.to_string()),
        SearchError::Move(error) => text(&error),
        SearchError::Panic(message) => {
            raised::find(&message).unwrap_or_else(|| failed(SearchError::Panic(message)))
        }
        SearchError::Evaluator(EvaluatorError::Failed(error)) => {
            match error.downcast_ref::<Raised>() {
                Some(Raised(raised)) => Python::attach(|py| raised.clone_ref(py)),
                None => failed(error),
            }
        }
        error @ SearchError::Evaluator(_) => classes::RulesError::new_err(error.to_string()),
        SearchError::OneOutcome => {
            option("goal: all payoffs of this game have the same outcome; use goal='score'")
        }
        SearchError::NobodyLoses => option(
            "goal: every player wins in every playout, since no payoff of this game is a loss; \
             use goal='score', or return differences as payoffs",
        ),
        error => classes::SearchError::new_err(error.to_string()),
    }
}

pub(crate) fn stuck(error: Stuck) -> PyErr {
    match error {
        Stuck::Move(error) => text(&error),
        Stuck::Search(error) => search(error),
    }
}

/// Returns the text of an error about options. Instead of the library's names it uses the keywords
/// of the Python package.
pub(crate) fn of_options(error: &ConfigError) -> String {
    match error {
        ConfigError::Value { option, given, expected } => {
            let name = option.rsplit("::").next().unwrap_or(option);
            let name = if *option == "ProverConfig::table" { "tt" } else { name };
            // In other interfaces, a switch is written on or off.
            let expected = if expected == "on or off" { "True or False" } else { expected };
            format!("{name}: '{given}' should be {expected}")
        }
        ConfigError::NoEvaluation => "leaves: this game has no static evaluation; \
             connect-four, othello and loa8, for example, have one"
            .into(),
        ConfigError::NoNetwork(why) => format!("leaves: {why}"),
        ConfigError::ScoreNeedsBounds => {
            "goal: 'score' requires score_bounds=True, because only bounds prove a score".into()
        }
        ConfigError::PrecisionNeedsEstimates(prover) => {
            format!("precision: {prover} makes no estimates; use ppns or df-ppns")
        }
        other => other.to_string(),
    }
}

fn of_limits(error: BudgetError) -> String {
    match error {
        BudgetError::Zero(limit) => format!("{limit}: the limit should be greater than 0"),
        BudgetError::Playouts => format!("playouts: {error}"),
        other => other.to_string(),
    }
}

/// Calls the engine. If Python code called by the engine raises an exception, it is returned as the
/// error.
pub(crate) fn catch<T>(call: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| of_panic(&*panic))
}

pub(crate) fn of_panic(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    raised::find(&text).unwrap_or_else(|| failed(format!("the engine failed: {text}")))
}
