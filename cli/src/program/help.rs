//! The help of all commands: `-h` fits one screen, `--help` shows everything.
//!
//! [`finish`] applies the common settings to every command.

use crate::input::groups::{USAGE, grouped};
use crate::input::words;
use clap::{Arg, ArgAction, Command};

/// The maximum width of a line in a help text, in columns.
const WIDTH: usize = 76;

/// The maximum number of options that `-h` shows in full. A command with more subcommands than this
/// lists them in groups.
const FEW: usize = 6;

/// The maximum length of the text beside an option, in characters.
const ROOM: usize = 48;

/// Short help texts of options for `-h`.
const SHORT: &[(&str, &str)] = &[
    ("time", "Time, such as 500ms, 10s or 2m"),
    ("playouts", "Number of playouts"),
    ("threads", "Worker threads"),
    ("memory", "Memory, such as 64M or 2G"),
    ("preset", "Start from: play, prove, uct, paper or tuned"),
    ("rounds", "Number of rounds"),
    ("game", "The game, such as othello:6; `proofwood games` lists all"),
    ("games", "Number of games"),
    ("moves", "Moves to play first, such as \"f5 d6\""),
    ("json", "Print JSON"),
    ("help", "Print this help; --help shows all options"),
];

/// The options that `-h` shows for a command with many options.
const SHOWN: &[&str] = &[
    "time",
    "playouts",
    "threads",
    "memory",
    "goal",
    "preset",
    "algorithm",
    "moves",
    "positions",
    "json",
    "a",
    "b",
    "games",
    "record",
    "engine",
    "depth",
    "number",
    "html",
    "dot",
    "rounds",
    "help",
];

/// Options of individual commands that `-h` omits for lack of room.
const NO_ROOM: &[(&str, &str)] = &[("solve", "playouts"), ("bench", "playouts")];

/// Returns the template of the program's help, with the commands in groups.
fn template(command: &Command) -> String {
    let mut text = format!("{{about-with-newline}}\nUsage: {USAGE}\n");
    for (title, commands) in grouped(command) {
        text += &format!("\n{title}:\n");
        for (name, about) in commands {
            text += &format!("  {name:<12} {about}\n");
        }
    }
    text + "\nOptions:\n{options}{after-help}"
}

/// Applies the common settings to a command and its subcommands.
pub(crate) fn finish(command: Command) -> Command {
    let mut command = command.max_term_width(WIDTH);
    let all = command.get_arguments().count();
    let name = command.get_name().to_string();
    let no_room = |arg: &Arg| NO_ROOM.contains(&(name.as_str(), arg.get_id().as_str()));
    command = command.mut_args(|arg| {
        let hidden = no_room(&arg);
        let arg = words::complete(short(arg, all));
        if hidden { arg.hide_short_help(true) } else { arg }
    });
    if let Some(help) = command.get_after_help().map(ToString::to_string) {
        // This text does not fit on the screen with the output of `-h`.
        command = command.after_help("").after_long_help(paragraphs(&help));
    }
    if command.get_subcommands().count() > FEW {
        let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
        let version = version.help("Print the version");
        let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
        let help = help.help("Print this help; --help shows examples and exit statuses");
        let help = help.long_help("Print help");
        command = command.disable_help_flag(true).disable_version_flag(true);
        let template = template(&command);
        command = command.override_usage(USAGE).help_template(template);
        command =
            command.after_help("\nRun `proofwood help COMMAND` for the options of a command.");
        return command.args([help, version]).mut_subcommands(finish);
    }
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let (_, text) = SHORT[SHORT.len() - 1];
    let help = help
        .help_heading(None::<&str>)
        .help(text)
        .long_help("Print help; -h prints the most important options");
    command.disable_help_flag(true).arg(help).mut_subcommands(finish)
}

/// Shortens an option's help for `-h` to one line, or hides it there. A command with few `options`
/// shows all of them in full.
fn short(arg: Arg, options: usize) -> Arg {
    if options <= FEW {
        return arg;
    }
    let id = arg.get_id().to_string();
    let long = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    if !SHOWN.contains(&id.as_str()) && !arg.is_positional() {
        return arg.hide_short_help(true).long_help(long);
    }
    let known = SHORT.iter().find(|(name, _)| *name == id);
    let text = match known {
        // `bench` takes several games where other commands take one.
        Some((_, text)) if !(arg.is_positional() && id == "games") => text.to_string(),
        _ => first_words(&long),
    };
    let default = long.rsplit_once("[default: ").map_or("", |(_, default)| default);
    let with_default = format!("{text} [default: {default}");
    let text = match default {
        default if default.is_empty() || with_default.len() > ROOM => text,
        _ => with_default,
    };
    arg.help(text).long_help(long)
}

/// Returns the beginning of a help text that fits beside an option.
fn first_words(help: &str) -> String {
    let help = help.split(['[', ':', ';']).next().unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    match help.len() <= ROOM {
        true => help,
        false => help.split(',').next().unwrap_or_default().to_string(),
    }
}

/// Joins the lines of each paragraph, so that the terminal can wrap them. Lines that begin with
/// spaces are left unchanged.
fn paragraphs(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines() {
        let goes_on = !line.is_empty()
            && !line.starts_with(' ')
            && joined.lines().last().is_some_and(|last| !last.is_empty() && !last.starts_with(' '))
            && !joined.ends_with(":\n");
        if goes_on {
            joined.pop();
            joined.push(' ');
        }
        joined.push_str(line);
        joined.push('\n');
    }
    joined.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::columns;
    use crate::input::groups::GROUPS;
    use crate::program::command_line;
    use std::collections::{BTreeMap, BTreeSet};

    /// Returns every visible command with its full name.
    fn commands() -> Vec<(String, Command)> {
        fn collect(words: &str, command: &Command, all: &mut Vec<(String, Command)>) {
            all.push((words.to_string(), command.clone()));
            let below = command.get_subcommands().filter(|below| !below.is_hide_set());
            for below in below.filter(|below| below.get_name() != "help") {
                collect(&format!("{words} {}", below.get_name()), below, all);
            }
        }
        let mut program = command_line();
        program.build();
        let mut all = Vec::new();
        collect("proofwood", &program, &mut all);
        assert!(all.len() > 20, "{}", all.len());
        all
    }

    #[test]
    fn every_command_is_in_one_group() {
        let named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let program = command_line();
        for command in program.get_subcommands() {
            let times = named.iter().filter(|name| **name == command.get_name()).count();
            assert_eq!(times, 1, "{}", command.get_name());
        }
        assert_eq!(named.len(), program.get_subcommands().count() + 1, "and help");
        for (_, commands) in grouped(&program) {
            let wide = commands.iter().find(|(_, about)| about.len() + 15 > WIDTH);
            assert_eq!(wide, None);
        }
    }

    fn options(command: &Command) -> impl Iterator<Item = (&str, &Arg)> {
        command.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg)))
    }

    #[test]
    fn short_help_is_one_screen() {
        let mut wrong = Vec::new();
        for (words, mut command) in commands() {
            let help = command.render_help().to_string();
            let widest = help.lines().map(columns).max().unwrap_or(0);
            let lines = help.trim_end().lines().count();
            // The list of commands has a line for each, and two more for each group.
            let room = match words == "proofwood" {
                true => 10 + commands().len() + 2 * GROUPS.len(),
                false => 24,
            };
            if lines > room || widest > 80 || !help.contains("--help") {
                wrong.push(format!("{words}: {lines} lines, {widest} wide\n{help}"));
            }
            let has = |name: &&str| command.get_arguments().any(|arg| arg.get_id() == *name);
            let important = ["time", "threads", "memory", "goal", "preset"].into_iter().filter(has);
            let lacks = important.filter(|name| !help.contains(&format!("--{name} ")));
            wrong.extend(lacks.map(|name| format!("{words} -h lacks {name}:\n{help}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn long_help_is_broken_at_one_width() {
        let mut wrong = Vec::new();
        for (words, mut command) in commands() {
            let help = command.render_long_help().to_string();
            let wide = help.lines().filter(|line| columns(line) > WIDTH);
            wrong.extend(wide.map(|line| format!("{words}: {line}")));
            let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
            let examples = examples.lines().take_while(|line| !line.is_empty());
            let broken = examples.filter(|line| !line.starts_with("  proofwood"));
            wrong.extend(broken.map(|line| format!("{words}, a broken example: {line}")));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The placeholders that options may use for their values.
    const VALUES: &[&str] = &[
        "TIME",
        "NUMBER",
        "BYTES",
        "NAME",
        "NAME|FILE",
        "NAME=VALUE",
        "VALUE",
        "on|off",
        "FILE",
        "DIR",
        "LIST",
        "GAME",
        "MOVES",
        "TEXT",
        "OPTIONS",
        "COMMAND",
        "PLAYERS",
        "URL",
        "RUN",
    ];

    /// Returns each option's name with its short forms and placeholders in all commands. A list
    /// counts as a single value, and a folder counts as a file.
    fn meanings() -> BTreeMap<String, BTreeSet<(Option<char>, String)>> {
        let mut meanings: BTreeMap<String, BTreeSet<_>> = BTreeMap::new();
        for (words, command) in commands() {
            for (name, arg) in options(&command) {
                let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
                let value = value.map_or_else(String::new, |names| names[0].to_string());
                let known = value.is_empty() || VALUES.contains(&value.as_str());
                assert!(known, "{words} --{name} {value}");
                match value.as_str() {
                    "LIST" => {}
                    "DIR" => {
                        let meanings = meanings.entry(name.into()).or_default();
                        meanings.insert((arg.get_short(), "FILE".into()));
                    }
                    _ => {
                        meanings.entry(name.into()).or_default().insert((arg.get_short(), value));
                    }
                }
            }
        }
        meanings
    }

    #[test]
    fn one_name_means_one_thing() {
        let meanings = meanings();
        let several = meanings.iter().filter(|(_, meanings)| meanings.len() > 1);
        assert_eq!(several.collect::<Vec<_>>(), []);
    }

    #[test]
    fn defaults_have_one_form() {
        for (words, mut command) in commands() {
            let help = command.render_long_help().to_string();
            let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in help.split('[').skip(1) {
                let inside = part.split(']').next().unwrap_or_default();
                let is_form = inside.starts_with("default: ") && !inside.ends_with(" here");
                assert!(is_form || !inside.contains("default"), "{words}: [{inside}]");
            }
            assert!(!help.contains("possible values"), "{words}: {help}");
            let mut times = options(&command).filter(|(name, _)| *name == "time");
            assert!(times.all(|(_, arg)| arg.get_short() == Some('t')), "{words}: -t");
        }
    }

    /// Checks that a former name of an option is accepted but not shown.
    #[test]
    fn an_old_name_is_taken_and_not_shown() {
        let words = "proofwood scale othello --limit 1s --positions set.csv".split_whitespace();
        command_line().try_get_matches_from(words).unwrap();
        let mut all = commands().into_iter();
        let (_, mut scale) = all.find(|(words, _)| words == "proofwood scale").unwrap();
        assert!(!scale.render_long_help().to_string().contains("--limit <"));
    }

    #[test]
    fn paragraphs_are_joined_and_examples_are_not() {
        let text = "Examples:\n  proofwood a\n  proofwood b\n\nOne\ntwo.\n\nThree\nfour:\n  five\n";
        let joined = "Examples:\n  proofwood a\n  proofwood b\n\nOne two.\n\nThree four:\n  five";
        assert_eq!(paragraphs(text), joined);
    }

    #[test]
    fn the_first_words_are_short() {
        assert_eq!(
            first_words("Solve every position of a file, - for standard input"),
            "Solve every position of a file"
        );
        assert_eq!(first_words("Print one JSON object [default: none]"), "Print one JSON object");
    }
}
