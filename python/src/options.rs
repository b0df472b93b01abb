//! Reads the keywords of a call: its limits, and the options in the library's tables.
//!
//! Options are not listed here: every option in a table is a keyword, whose name has underscores
//! instead of hyphens.

use crate::errors;
use proofwood::internals::machine_memory;
use proofwood::options::{OPTIONS, OptionSpec, OptionValues, PROVER_OPTIONS, read_bytes};
use proofwood::{Algorithm, Budget, Config, Goal, ProverConfig};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::str::FromStr;
use std::time::Duration;

const LIMITS: &[&str] = &["time", "cpu_time", "playouts", "nodes", "bytes"];

#[derive(Clone, Debug, Default)]
pub(crate) struct Keywords {
    pub(crate) budget: Budget,
    pub(crate) limited: bool,
    /// The options that were given, by their names in the tables, with their values as text.
    given: Vec<(String, String)>,
}

pub(crate) enum Solver {
    Playouts(Config),
    Prover(ProverConfig),
}

impl Keywords {
    /// Reads the keywords of a call to `function`; `known` tells whether a name is that of an
    /// option.
    pub(crate) fn read(
        function: &str,
        keywords: &Bound<'_, PyDict>,
        known: &dyn Fn(&str) -> bool,
    ) -> PyResult<Keywords> {
        let mut read = Keywords::default();
        for (key, value) in keywords {
            let key: String = key.extract()?;
            let name = key.replace('_', "-");
            let is_limit = LIMITS.contains(&&*key);
            if !is_limit && !known(&name) {
                return Err(unexpected(keywords.py(), function, &key, known));
            }
            if value.is_none() {
                continue;
            }
            match is_limit {
                true => read.limit(&key, &value)?,
                false => read.given.push((name, text(&value)?)),
            }
        }
        Ok(read)
    }

    fn limit(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let budget = &mut self.budget;
        match name {
            "time" => budget.time = Some(time(name, value)?),
            "cpu_time" => budget.cpu_time = Some(time(name, value)?),
            "playouts" => budget.playouts = Some(count(name, value)?),
            "nodes" => budget.nodes = Some(count(name, value)?),
            _ => budget.bytes = Some(bytes(name, value)?),
        }
        self.limited = true;
        Ok(())
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, text)| &**text)
    }

    pub(crate) fn search(&self, mut config: Config) -> PyResult<Config> {
        for (name, text) in &self.given {
            set(OPTIONS, name, text, &mut config)?;
        }
        there_is("memory", self.text("memory"), config.memory)?;
        config.check().map_err(|error| errors::option(errors::of_options(&error)))?;
        Ok(config)
    }

    /// Chooses the solver of a position: the named prover, or for the name `gpn` the search with
    /// playouts. Without a name, it chooses the search with playouts if an option or limit applies
    /// only to that search, or if the game has chance and no option applies only to provers.
    /// Otherwise it chooses provers that run in turns.
    pub(crate) fn solver(mut self, has_chance: bool) -> PyResult<Solver> {
        let named = self.text("algorithm").map(|name| name.trim().to_ascii_lowercase());
        let of_playouts = |name: &str| !is_in(PROVER_OPTIONS, name);
        let plays = self.budget.playouts.is_some()
            || self.budget.bytes.is_some()
            || self.given.iter().any(|(name, _)| of_playouts(name));
        let of_provers = self.given.iter().any(|(name, _)| !is_in(OPTIONS, name));
        let gpn = match &named {
            Some(name) => name == "gpn",
            None => plays || (has_chance && !of_provers),
        };
        self.given.retain(|(name, _)| name != "algorithm");
        if gpn {
            if let Some((name, _)) = self.given.iter().find(|(name, _)| !is_in(OPTIONS, name)) {
                let name = name.replace('-', "_");
                let what = format!(
                    "{name}: this option is for provers, not for gpn; omit it, or choose another \
                     algorithm"
                );
                return Err(errors::option(what));
            }
            let usual = match has_chance && self.text("score-bounds") != Some("off") {
                true => Config::proving().goal(Goal::Score),
                false => Config::proving(),
            };
            return Ok(Solver::Playouts(self.search(usual)?));
        }
        let mut config = ProverConfig::default().algorithm(Algorithm::Auto);
        if let Some(name) = &named {
            config.algorithm = Algorithm::from_str(name)
                .map_err(|error| errors::option(format!("algorithm: {error} or gpn")))?;
        }
        for (name, text) in &self.given {
            if of_playouts(name) {
                let (name, algorithm) = (name.replace('-', "_"), config.algorithm);
                let what =
                    format!("{name}: this option is for algorithm='gpn', not for {algorithm}");
                return Err(errors::option(what));
            }
            set(PROVER_OPTIONS, name, text, &mut config)?;
        }
        there_is("memory", self.text("memory"), config.memory)?;
        there_is("tt", self.text("tt"), config.table)?;
        config.check().map_err(|error| errors::option(errors::of_options(&error)))?;
        Ok(Solver::Prover(config))
    }
}

pub(crate) fn of_search(name: &str) -> bool {
    is_in(OPTIONS, name)
}

pub(crate) fn of_solve(name: &str) -> bool {
    of_search(name) || is_in(PROVER_OPTIONS, name)
}

fn is_in<C>(table: &[OptionSpec<C>], name: &str) -> bool {
    table.iter().any(|spec| spec.name == name)
}

fn set<C: Default>(
    table: &[OptionSpec<C>],
    name: &str,
    text: &str,
    config: &mut C,
) -> PyResult<()> {
    let Some(spec) = table.iter().find(|spec| spec.name == name) else { return Ok(()) };
    let usual = text.trim().eq_ignore_ascii_case("default").then(|| (spec.get)(&C::default()));
    (spec.set)(config, usual.as_deref().unwrap_or(text))
        .map_err(|error| errors::option(errors::of_options(&error)))
}

/// Refuses more memory than the machine has, since a system that overcommits memory might grant it.
fn there_is(name: &str, text: Option<&str>, bytes: u64) -> PyResult<()> {
    match (text, machine_memory()) {
        (Some(text), Some(most)) if bytes > most => Err(errors::option(format!(
            "{name}: '{text}' is more memory than the machine has: {most} bytes"
        ))),
        _ => Ok(()),
    }
}

/// Converts a value to the text that the tables read.
fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(switch) = value.cast::<PyBool>() {
        return Ok(if switch.is_true() { "on" } else { "off" }.into());
    }
    Ok(value.str()?.to_string())
}

fn time(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = value.extract::<f64>().ok().and_then(|s| Duration::try_from_secs_f64(s).ok());
    let time = seconds.or_else(|| value.extract().ok()).filter(|time| !time.is_zero());
    time.ok_or_else(|| wrong(name, value, "a positive number of seconds, or a timedelta"))
}

fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let whole = |number: f64| number.fract() == 0.0 && (1.0..=1e18).contains(&number);
    let float = || value.extract::<f64>().ok().filter(|&n| whole(n)).map(|n| n as u64);
    let count = value.extract::<u64>().ok().or_else(float).filter(|&count| count > 0);
    count.ok_or_else(|| wrong(name, value, "a positive whole number"))
}

/// Reads a number of bytes, given as a number or as a text such as `64M`.
pub(crate) fn bytes(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let text = value.cast::<PyString>().ok().and_then(|text| read_bytes(&text.to_string()).ok());
    let bytes = text.or_else(|| value.extract::<u64>().ok()).filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| wrong(name, value, "a number of bytes such as 65536, '64M' or '2G'"))
}

fn wrong(name: &str, value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let given = value.repr().map_or_else(|_| "it".into(), |text| text.to_string());
    errors::option(format!("{name}: {given} should be {expected}"))
}

/// Returns Python's usual error for an unknown keyword.
fn unexpected(py: Python<'_>, function: &str, key: &str, known: &dyn Fn(&str) -> bool) -> PyErr {
    let tables = OPTIONS.iter().map(|spec| spec.name);
    let names = tables.chain(PROVER_OPTIONS.iter().map(|spec| spec.name));
    let names = names.filter(|name| known(name)).map(|name| name.replace('-', "_"));
    let names: Vec<String> = names.chain(LIMITS.iter().map(ToString::to_string)).collect();
    let near = py
        .import("difflib")
        .and_then(|difflib| difflib.call_method1("get_close_matches", (key, names, 1)))
        .and_then(|near| near.extract::<Vec<String>>())
        .unwrap_or_default();
    let hint = near.first().map_or_else(String::new, |near| format!(" did you mean '{near}'?"));
    PyTypeError::new_err(format!(
        "{function}() got an unexpected keyword argument '{key}';{hint} proofwood.options() lists \
         all options"
    ))
}

/// The keyword, the kind of value, the values in words, the default in words, and the help.
type Row = (String, &'static str, String, String, String);

/// Returns a table as rows of keyword, kind of value, values, default, and help.
fn rows<C: Default>(table: &'static [OptionSpec<C>]) -> Vec<Row> {
    let row = |spec: &OptionSpec<C>| {
        let values = spec.values();
        let more = if spec.more.is_empty() { "" } else { " " };
        let help = format!("{}{more}{}", spec.help, spec.more);
        (spec.name.replace('-', "_"), kind(&values), values.to_string(), spec.default_value(), help)
    };
    table.iter().map(row).collect()
}

fn kind(values: &OptionValues) -> &'static str {
    match values {
        OptionValues::Words(words) if words[..] == ["on", "off"] => "switch",
        OptionValues::Words(_) => "words",
        OptionValues::Whole(..) => "whole",
        OptionValues::Number(..) => "number",
        OptionValues::Bytes(..) => "bytes",
        _ => "text",
    }
}

/// Returns the tables of options: one for a search and one for provers.
#[pyfunction]
pub(crate) fn option_tables() -> [Vec<Row>; 2] {
    [rows(OPTIONS), rows(PROVER_OPTIONS)]
}
