//! Answers as JSON text with the fields of the program's `--json`, from which the Python part
//! creates frozen dataclasses.

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use serde::Serialize;

pub(crate) fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
