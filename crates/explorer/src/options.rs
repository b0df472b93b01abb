//! Sets options by their names, which the book's page on options lists.

use proofwood::internals::machine_memory;
use proofwood::options::{OPTIONS, OptionSpec, PROVER_OPTIONS};
use proofwood::{Config, ProverConfig};
use proofwood_any_game::query::{Given, Wrong};
use std::collections::BTreeMap;
use std::fmt::Display;

/// The greatest memory of a search or a table in WebAssembly, where all memory together is limited
/// to 4 GiB.
const PAGE_MEMORY: u64 = 1 << 30;
const USUAL_PAGE_MEMORY: u64 = 256 << 20;

pub(crate) fn search(
    mut config: Config,
    threads: usize,
    given: &BTreeMap<String, Given>,
) -> Result<Config, Wrong> {
    config = config.threads(threads);
    if cfg!(target_family = "wasm") {
        config = config.memory(USUAL_PAGE_MEMORY);
    }
    set(&mut config, OPTIONS, given)?;
    config.check().map_err(Wrong::new)?;
    check_machine(config.threads, config.memory)?;
    Ok(config)
}

pub(crate) fn prover(
    threads: usize,
    given: &BTreeMap<String, Given>,
) -> Result<ProverConfig, Wrong> {
    let mut config = ProverConfig::default().threads(threads);
    if cfg!(target_family = "wasm") {
        config = config.memory(USUAL_PAGE_MEMORY).table(USUAL_PAGE_MEMORY / 2);
    }
    set(&mut config, PROVER_OPTIONS, given)?;
    config.check().map_err(Wrong::new)?;
    check_machine(config.threads, config.memory)?;
    check_machine(config.threads, config.table)?;
    Ok(config)
}

/// Refuses more memory than the machine has, and more than one thread in WebAssembly.
fn check_machine(threads: usize, memory: u64) -> Result<(), Wrong> {
    let most = match cfg!(target_family = "wasm") {
        true => PAGE_MEMORY,
        false => machine_memory().unwrap_or(u64::MAX),
    };
    if memory > most {
        return Err(Wrong::new(format!(
            "the memory limit here can be at most {most} bytes, not {memory}"
        )));
    }
    if cfg!(target_family = "wasm") && threads > 1 {
        return Err(Wrong::new(
            "a search in a web page has only one thread; leave out the option threads",
        ));
    }
    Ok(())
}

fn set<C: Default>(
    config: &mut C,
    all: &[OptionSpec<C>],
    given: &BTreeMap<String, Given>,
) -> Result<(), Wrong> {
    for (name, value) in given {
        let wrong = |why: &dyn Display| Wrong::of("options", format!("options: {why}"));
        let spec = all.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| wrong(&format!("there is no option '{name}' here")))?;
        (spec.set)(config, &value.to_string()).map_err(|error| wrong(&error))?;
    }
    Ok(())
}
