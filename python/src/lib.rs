//! The compiled part of the Python package `proofwood`: games, positions and searches, with answers
//! as JSON. Users import the Python part of the package.
//!
//! - `options`: converts keywords to configurations, according to the library's tables;
//! - `position`: games and positions by name;
//! - `running`: running searches and provers; `wait`: waits for them and handles signals;
//! - `game`: rules in Python; `evaluate`: evaluates their leaves; `raised`: exceptions that they
//!   raise; `thread_state`: makes calls to Python cheap;
//! - `certificates`, `answers`, `errors`: results.

mod answers;
mod certificates;
mod errors;
mod evaluate;
mod game;
mod options;
mod position;
mod raised;
mod running;
mod thread_state;
mod wait;

use pyo3::prelude::*;

/// The compiled part of `proofwood`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<position::Rules>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<running::Search>()?;
    module.add_class::<running::Proof>()?;
    module.add_function(wrap_pyfunction!(position::games, module)?)?;
    module.add_function(wrap_pyfunction!(position::game_info, module)?)?;
    module.add_function(wrap_pyfunction!(options::option_tables, module)?)?;
    module.add_function(wrap_pyfunction!(certificates::check_file, module)?)
}
