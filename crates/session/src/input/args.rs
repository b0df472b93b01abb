//! Command-line arguments for the options.
//!
//! Each row of the library's option tables becomes an argument, so a new option appears on the
//! command line and in the help without further code.

use super::options::{PRESET, SearchOptions};
use super::presets;
use super::provers::{ProverOptions, specs};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use proofwood::options::{OPTIONS, OptionSpec, OptionValues};
use proofwood::{Config, ProverConfig};
use std::ffi::OsStr;

/// A parser that accepts any text and suggests some valid words. Invalid text is refused later,
/// with an error of our own.
#[derive(Clone, Debug)]
pub struct Words(Vec<String>);

impl Words {
    /// Creates a parser that suggests these words.
    pub fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Words {
        Words(words.into_iter().map(str::to_string).collect())
    }

    /// Creates a parser that suggests the words among an option's values.
    pub fn in_values(values: &OptionValues) -> Words {
        match values {
            OptionValues::Words(words) | OptionValues::WordsOrFile(words, _) => {
                Words::of(words.iter().copied())
            }
            _ => Words(Vec::new()),
        }
    }

    /// Returns the suggestions.
    pub fn texts(&self) -> &[String] {
        &self.0
    }

    /// Returns whether there are no suggestions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.is_empty() {
            true => None,
            false => Some(Box::new(self.0.iter().map(PossibleValue::new))),
        }
    }
}

fn preset() -> Arg {
    Arg::new(PRESET)
        .long(PRESET)
        .value_name("NAME")
        .value_parser(Words::of(presets::names()))
        .hide_possible_values(true)
        .help(presets::help())
        .help_heading("Search options")
}

const ADVANCED: [&str; 5] = ["noise", "disprove-rest", "keep-choice", "stack", "audit"];

/// Returns the argument for an option, under a heading of the help.
fn argument<C: Default>(spec: &OptionSpec<C>, heading: &'static str) -> Arg {
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

fn value_name(values: &OptionValues) -> &'static str {
    match values {
        OptionValues::Words(words) if words[..] == ["on", "off"] => "on|off",
        OptionValues::Words(_) => "NAME",
        OptionValues::Bytes(..) => "BYTES",
        OptionValues::WordsOrFile(..) => "NAME|FILE",
        _ => "NUMBER",
    }
}

fn help<C: Default>(spec: &OptionSpec<C>, default: &str) -> String {
    let text = match spec.more {
        "" => spec.help.trim_end_matches('.').into(),
        more => format!("{} {}", spec.help, more.trim_end_matches('.')),
    };
    format!("{text} [{}] [default: {default}]", spec.values())
}

/// Changes the default shown in an option's help, for a command that uses another default.
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

/// Returns the argument for a prover option. The values of `--algorithm` include the search with
/// playouts.
fn prover_argument(spec: &'static OptionSpec<ProverConfig>) -> Arg {
    let plain = argument(spec, "Provers");
    let (OptionValues::Words(mut names), "algorithm") = (spec.values(), spec.name) else {
        return plain;
    };
    names.push("gpn");
    let rest = spec.help.trim_start_matches("Proof algorithm: ");
    let values = OptionValues::Words(names);
    plain
        .help(format!(
            "Proof algorithm: {rest}; gpn is the search with playouts [{values}] [default: auto]"
        ))
        .value_parser(Words::in_values(&values))
}

impl Args for ProverOptions {
    fn augment_args(command: Command) -> Command {
        command.args(specs().map(prover_argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ProverOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ProverOptions, clap::Error> {
        let given = |spec: &'static OptionSpec<ProverConfig>| {
            matches.get_one::<String>(spec.name).map(|text| (spec, text.clone()))
        };
        Ok(ProverOptions { given: specs().filter_map(given).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ProverOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Formats an error from clap in our own style, on one line.
pub fn wrong(error: &clap::Error) -> String {
    let list = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    let first = |kind| list(kind).into_iter().next().unwrap_or_default();
    let option = first(ContextKind::InvalidArg);
    // The name without the placeholder for a value.
    let name = option.split([' ', '=']).next().unwrap_or_default();
    let value = first(ContextKind::InvalidValue);
    let meant = |kind| match &list(kind)[..] {
        [] => String::new(),
        // The best suggestion comes last.
        [.., meant] => format!("; did you mean '{meant}'?"),
    };
    match (error.kind(), std::error::Error::source(error)) {
        (ErrorKind::ValueValidation, Some(reason)) => format!("{name}: '{value}' {reason}"),
        (ErrorKind::InvalidValue, _) if value.is_empty() => format!("{name}: a value is missing"),
        (ErrorKind::InvalidValue, _) => {
            let good = list(ContextKind::ValidValue).join(", ");
            format!("{name}: '{value}' should be one of {good}")
        }
        (ErrorKind::UnknownArgument, _) if name.starts_with('-') => {
            let meant = meant(ContextKind::SuggestedArg);
            format!("there is no option '{name}' here{meant}")
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let meant = meant(ContextKind::SuggestedSubcommand);
            format!("there is no command '{}'{meant}", first(ContextKind::InvalidSubcommand))
        }
        (ErrorKind::MissingRequiredArgument, _) => {
            format!("give {}", list(ContextKind::InvalidArg).join(" and "))
        }
        (ErrorKind::ArgumentConflict, _) if first(ContextKind::PriorArg) == option => {
            format!("{name} is given twice")
        }
        _ => paragraphs(&error.to_string()),
    }
}

/// Returns the paragraphs of clap's message that describe the error, joined into one line.
fn paragraphs(text: &str) -> String {
    let wrong: Vec<&str> = text
        .split("\n\n")
        .map(|paragraph| paragraph.trim().trim_start_matches("error: "))
        .take_while(|paragraph| !paragraph.starts_with("Usage:"))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more"))
        // Omit advice on values that begin with a dash, which is rarely helpful.
        .filter(|paragraph| !paragraph.starts_with("tip: to pass"))
        .collect();
    let wrong = wrong.join("; ");
    let words: Vec<&str> = wrong.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_of_the_argument_parser_fit_on_a_line() {
        let text = "error: unexpected argument '--foo' found\n\n  tip: try\n  '--goal'\n\n\
                    Usage: proofwood search\n\nFor more information, try '--help'.\n";
        assert_eq!(paragraphs(text), "unexpected argument '--foo' found; tip: try '--goal'");
    }

    #[test]
    fn words_are_found_among_values() {
        let words = |name| {
            let spec = OPTIONS.iter().find(|spec| spec.name == name).unwrap();
            Words::in_values(&spec.values()).0
        };
        assert_eq!(words("solver"), ["on", "off"]);
        assert_eq!((words("c"), words("memory")), (vec![], vec![]));
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
