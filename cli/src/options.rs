//! The options of a search, made from the library's table.
//!
//! Nothing is listed here: an option that is added to [`OPTIONS`] appears on
//! the command line, in the help and in the error messages.

use crate::exit::Failure;
use crate::presets;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use proofwood::{Chance, Config, OPTIONS, OptionSpec};

/// The options that were given, not yet read.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchOptions {
    preset: Option<String>,
    given: Vec<(&'static OptionSpec, String)>,
}

impl SearchOptions {
    /// The configuration: `config` with the preset and the options that were
    /// given.
    pub(crate) fn apply(&self, config: Config) -> Result<Config, Failure> {
        self.apply_to(None, config)
    }

    /// The same for a search of the game with this description.
    pub(crate) fn apply_to(
        &self,
        game: Option<&str>,
        mut config: Config,
    ) -> Result<Config, Failure> {
        if let Some(preset) = &self.preset {
            presets::apply(preset, game, &mut config)?;
        }
        // In open loop there are no proofs unless somebody asks for them, and is
        // refused.
        let mut asked = config.clone();
        if let Some((spec, text)) = self.given.iter().find(|(spec, _)| spec.name == "chance") {
            (spec.set)(&mut asked, text)?;
        }
        if asked.chance == Chance::Open {
            config = config.open_loop();
        }
        for (spec, text) in &self.given {
            (spec.set)(&mut config, text)?;
        }
        config.check()?;
        Ok(config)
    }

    /// The options that were given, by name, with their text.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(spec, text)| (spec.name, text.as_str()))
    }

    /// The preset that was given.
    pub(crate) fn preset(&self) -> Option<&str> {
        self.preset.as_deref()
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

const PRESET: &str = "preset";

fn preset() -> Arg {
    Arg::new(PRESET)
        .long(PRESET)
        .value_name("NAME")
        .help(presets::help())
        .help_heading("Search options")
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
    if argument.get_id() == PRESET {
        return argument.help(format!("{} [default {default} here]", presets::help()));
    }
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
        Ok(SearchOptions {
            preset: matches.get_one::<String>(PRESET).cloned(),
            given: OPTIONS.iter().filter_map(given).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SearchOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SearchOptions {
    fn augment_args(command: Command) -> Command {
        command.arg(preset()).args(OPTIONS.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Writes the options that differ from the defaults, as they could be typed;
/// always the number of threads, whose default is another on every machine.
pub(crate) fn written(config: &Config) -> String {
    let usual = Config::default();
    let differs =
        |spec: &&OptionSpec| spec.name == "threads" || (spec.get)(config) != (spec.get)(&usual);
    let differing = OPTIONS.iter().filter(differs);
    let texts: Vec<String> =
        differing.map(|spec| format!("--{} {}", spec.name, (spec.get)(config))).collect();
    texts.join(" ")
}
