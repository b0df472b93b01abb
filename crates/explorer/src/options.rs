//! Options by name, as in the book's page on options.

use crate::fault::Fault;
use proofwood::{Config, OPTIONS, OptionSpec, PROVER_OPTIONS, ProverConfig, machine_memory};
use serde_json::{Map, Value};
use std::time::Duration;

/// The greatest memory of a search or a table in WebAssembly, which has 4 GiB in all.
const PAGE_MEMORY: u64 = 1 << 30;
/// The default memory of a search in WebAssembly.
const USUAL_PAGE_MEMORY: u64 = 256 << 20;

/// A search's configuration with these options.
pub(crate) fn search(
    mut config: Config,
    threads: usize,
    given: &Map<String, Value>,
) -> Result<Config, Fault> {
    config = config.threads(threads);
    if cfg!(target_family = "wasm") {
        config = config.memory(USUAL_PAGE_MEMORY);
    }
    set(&mut config, OPTIONS, given)?;
    config.check().map_err(Fault::new)?;
    check_machine(config.threads, config.memory)?;
    Ok(config)
}

/// A prover's configuration with these options.
pub(crate) fn prover(threads: usize, given: &Map<String, Value>) -> Result<ProverConfig, Fault> {
    let mut config = ProverConfig::default().threads(threads);
    if cfg!(target_family = "wasm") {
        config = config.memory(USUAL_PAGE_MEMORY).table(USUAL_PAGE_MEMORY / 2);
    }
    set(&mut config, PROVER_OPTIONS, given)?;
    config.check().map_err(Fault::new)?;
    check_machine(config.threads, config.memory)?;
    check_machine(config.threads, config.table)?;
    Ok(config)
}

/// Refuses more threads or memory than the machine has.
fn check_machine(threads: usize, memory: u64) -> Result<(), Fault> {
    let most = match cfg!(target_family = "wasm") {
        true => PAGE_MEMORY,
        false => machine_memory().unwrap_or(u64::MAX),
    };
    if memory > most {
        return Err(Fault::new(format!("{memory} bytes of memory are too many: there are {most}")));
    }
    if cfg!(target_family = "wasm") && threads > 1 {
        return Err(Fault::new("a search in a page has one thread; leave out the option threads"));
    }
    Ok(())
}

fn set<C: Default>(
    config: &mut C,
    all: &[OptionSpec<C>],
    given: &Map<String, Value>,
) -> Result<(), Fault> {
    for (name, value) in given {
        let spec = all
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(|| Fault::new(format!("there is no option '{}' here", short(name))))?;
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(true) => "on".into(),
            Value::Bool(false) => "off".into(),
            Value::Number(number) => number.to_string(),
            _ => return Err(Fault::new(format!("the option {name} takes one value"))),
        };
        (spec.set)(config, &text).map_err(Fault::new)?;
    }
    Ok(())
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Converts a time in seconds, if one was given.
pub(crate) fn seconds(given: Option<f64>, what: &str) -> Result<Option<Duration>, Fault> {
    let Some(seconds) = given else { return Ok(None) };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() => Ok(Some(time)),
        // Equivalent to no limit.
        Err(_) if seconds > 0.0 => Ok(None),
        _ => Err(Fault::new(format!("{what} must be a number of seconds above 0, not {seconds}"))),
    }
}
