//! The options of a search, made from the library's table.
//!
//! Nothing is listed here: an option that is added to [`OPTIONS`] appears on
//! the command line, in the help and in the error messages.

use crate::exit::Failure;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use proofwood::{Chance, Config, OPTIONS, OptionSpec};

/// The options that were given, not yet read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchOptions {
    given: Vec<(&'static OptionSpec, String)>,
}

impl SearchOptions {
    /// The configuration: `config` with the options that were given. In open
    /// loop there are no proofs unless somebody asks for them, and is refused.
    pub(crate) fn apply(&self, config: Config) -> Result<Config, Failure> {
        let mut asked = config.clone();
        if let Some((spec, text)) = self.given.iter().find(|(spec, _)| spec.name == "chance") {
            (spec.set)(&mut asked, text)?;
        }
        let mut config = if asked.chance == Chance::Open { config.open_loop() } else { config };
        for (spec, text) in &self.given {
            (spec.set)(&mut config, text)?;
        }
        config.check()?;
        Ok(config)
    }

    /// Whether an option was given.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(spec, _)| spec.name == name)
    }

    /// Takes an option out, for a command that reads its value in its own way.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        let at = self.given.iter().position(|(spec, _)| spec.name == name)?;
        Some(self.given.remove(at).1)
    }
}

fn argument(spec: &'static OptionSpec) -> Arg {
    Arg::new(spec.name)
        .long(spec.name)
        .value_name("VALUE")
        .allow_negative_numbers(true)
        .help(help(spec, None))
        .help_heading("Search options")
}

/// The help of an option, with another default where a command has its own.
fn help(spec: &OptionSpec, default: Option<&str>) -> String {
    let (values, usual) = spec.values.rsplit_once("; default").unwrap_or((spec.values, ""));
    match default {
        _ if usual.is_empty() => format!("{} [{values}]", spec.help),
        None => format!("{} [{values}; default{usual}]", spec.help),
        Some(default) => format!("{} [{values}; default {default} here]", spec.help),
    }
}

/// Changes the help of an option whose default a command has changed.
pub(crate) fn with_default(argument: Arg, default: &str) -> Arg {
    match OPTIONS.iter().find(|spec| argument.get_id() == spec.name) {
        Some(spec) => argument.help(help(spec, Some(default))),
        None => argument,
    }
}

impl FromArgMatches for SearchOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SearchOptions, clap::Error> {
        let given = |spec: &'static OptionSpec| {
            matches.get_one::<String>(spec.name).map(|text| (spec, text.clone()))
        };
        Ok(SearchOptions { given: OPTIONS.iter().filter_map(given).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SearchOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SearchOptions {
    fn augment_args(command: Command) -> Command {
        command.args(OPTIONS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
