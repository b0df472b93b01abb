//! Answers as JSON text, with the same fields as in the output of `--json`. The Python part of the
//! package creates frozen dataclasses from them.

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use serde::Serialize;

pub(crate) fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
