//! The options of a search, made from the library's table.
//!
//! Nothing is listed here: an option that is added to [`OPTIONS`] appears on
//! the command line, in the help and in the error messages.

use super::limits::there_is;
use super::presets;
use super::words::Words;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use proofwood::{Config, OPTIONS, OptionSpec, OptionValues};
use proofwood_session::Trouble;

/// The options that were given, not yet read.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    preset: Option<String>,
    given: Vec<(&'static OptionSpec<Config>, String)>,
}

impl SearchOptions {
    /// The configuration: `config` with the preset and the options that were
    /// given.
    pub fn apply(&self, config: Config) -> Result<Config, Trouble> {
        self.apply_to(None, config)
    }

    /// The same for a search of the game with this description.
    pub fn apply_to(&self, game: Option<&str>, mut config: Config) -> Result<Config, Trouble> {
        if let Some(preset) = &self.preset {
            presets::apply(preset, game, &mut config)?;
        }
        for (spec, text) in &self.given {
            presets::set_one(spec, text, &mut config)?;
            if spec.name == "memory" {
                there_is("--memory", text, config.memory)?;
            }
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
    pub fn gives(&self, name: &str) -> bool {
        self.given.iter().any(|(spec, _)| spec.name == name)
    }

    /// Gives an option, or the preset, in place of what was given for it before; false
    /// where there is none of this name.
    pub(crate) fn give(&mut self, name: &str, text: &str) -> bool {
        if name == PRESET {
            self.preset = Some(text.into());
            return true;
        }
        let Some(spec) = OPTIONS.iter().find(|spec| spec.name == name) else { return false };
        self.given.retain(|(given, _)| given.name != name);
        self.given.push((spec, text.into()));
        true
    }

    /// Takes an option out, for a command that reads its value in its own way.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.given.iter().position(|(spec, _)| spec.name == name)?;
        Some(self.given.remove(at).1)
    }
}

const PRESET: &str = "preset";

fn preset() -> Arg {
    Arg::new(PRESET)
        .long(PRESET)
        .value_name("NAME")
        .value_parser(presets::words())
        .hide_possible_values(true)
        .help(presets::help())
        .help_heading("Search options")
}

/// Options that are rarely used, or change what few people want to change.
const ADVANCED: [&str; 5] = ["noise", "disprove-rest", "keep-choice", "stack", "audit"];

/// The argument that gives an option, under a heading of the help.
pub(super) fn argument<C: Default>(spec: &OptionSpec<C>, heading: &'static str) -> Arg {
    let values = spec.values();
    Arg::new(spec.name)
        .long(spec.name)
        .value_name(value_name(&values))
        .value_parser(Words::in_values(&values))
        .hide_possible_values(true)
        .allow_negative_numbers(true)
        .help(help(spec, &spec.default_value()))
        .help_heading(match ADVANCED.contains(&spec.name) {
            true => "Advanced",
            false => heading,
        })
}

/// What an option's value is called, after the values that it takes.
fn value_name(values: &OptionValues) -> &'static str {
    match values {
        OptionValues::Words(words) if words[..] == ["on", "off"] => "on|off",
        OptionValues::Words(_) => "NAME",
        OptionValues::Bytes(..) => "BYTES",
        OptionValues::WordsOrFile(..) => "NAME|FILE",
        _ => "NUMBER",
    }
}

/// The help of an option, with the default that it has in a command.
fn help<C: Default>(spec: &OptionSpec<C>, default: &str) -> String {
    let more = if spec.more.is_empty() { "" } else { " " };
    format!("{}{more}{} [{}] [default: {default}]", spec.help, spec.more, spec.values())
}

/// Changes the help of an option whose default a command has changed.
pub fn with_default(argument: Arg, default: &str) -> Arg {
    if argument.get_id() == PRESET {
        return argument.help(format!("{} [default: {default}]", presets::help()));
    }
    match OPTIONS.iter().find(|spec| argument.get_id() == spec.name) {
        Some(spec) => argument.help(help(spec, default)),
        None => argument,
    }
}

impl FromArgMatches for SearchOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SearchOptions, clap::Error> {
        let given = |spec: &'static OptionSpec<Config>| {
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
        command.arg(preset()).args(OPTIONS.iter().map(|spec| argument(spec, "Search options")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The options that differ from the defaults, by name, with their text; always the number of
/// threads, whose default is another on every machine.
pub(crate) fn differing(config: &Config) -> Vec<(&'static str, String)> {
    let usual = Config::default();
    let all = OPTIONS.iter().map(|spec| (spec.name, (spec.get)(config), (spec.get)(&usual)));
    let differing = all.filter(|(name, text, usual)| *name == "threads" || text != usual);
    differing.map(|(name, text, _)| (name, text)).collect()
}

/// Options and limits as they could be typed.
pub(crate) fn typed(given: &[(&str, String)]) -> String {
    let texts: Vec<String> = given.iter().map(|(name, text)| format!("--{name} {text}")).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_written_as_they_are_typed() {
        let config = Config::default().threads(1).memory(256 << 20);
        let text = typed(&differing(&config));
        assert_eq!(text, "--threads 1 --memory 256M");
        let mut read = Config::default();
        presets::set(&text, &mut read).unwrap();
        assert_eq!(read, config);
        presets::set("--threads 2 --c 1 --c default --bias sum --bias default", &mut read).unwrap();
        assert_eq!(typed(&differing(&read)), "--threads 2 --memory 256M");
    }

    #[test]
    fn values_have_names() {
        for (option, name) in
            [("c", "NUMBER"), ("solver", "on|off"), ("bias", "NAME"), ("memory", "BYTES")]
        {
            let spec = OPTIONS.iter().find(|spec| spec.name == option).unwrap();
            assert_eq!(value_name(&spec.values()), name, "{option}");
        }
    }
}
