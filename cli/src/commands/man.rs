//! `proofwood man`: writes the help as manual pages.

use crate::input::groups::{USAGE, grouped};
use crate::terminal::print::Printer;
use clap::{Arg, Command};
use proofwood_session::files::{Asked, Force, Whole};
use proofwood_session::{Ended, Trouble};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them into a folder
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood man | man -l -
  proofwood man search | man -l -
  proofwood man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Command whose page to print [default: the program itself]
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Write the pages of the program and of all commands into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

impl Man {
    pub(crate) fn run(self, program: Command, printer: &mut Printer) -> Result<Ended, Trouble> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        match self.out {
            Some(folder) => {
                std::fs::create_dir_all(&folder)
                    .map_err(|error| Trouble::writing(folder.display(), &error))?;
                write(&program, &folder, self.force)?;
            }
            None => {
                let found = find(&program, &self.command)?;
                printer.text(&page(found))?;
            }
        }
        Ok(Ended::Done)
    }
}

fn find<'p>(program: &'p Command, words: &[String]) -> Result<&'p Command, Trouble> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let known = command.get_subcommands().filter(|below| !below.is_hide_set());
            let names: Vec<&str> = known.map(Command::get_name).collect();
            Trouble::Input(match names.is_empty() {
                true => format!("'{}' has no command '{word}'", command.get_name()),
                false => {
                    format!("there is no command '{word}'; the commands are {}", names.join(", "))
                }
            })
        })
    })
}

fn write(command: &Command, folder: &Path, force: Force) -> Result<(), Trouble> {
    let path = folder.join(format!("{}.1", name(command)));
    Whole::claim(Asked::new("--out", &path, force))?.write(page(command).as_bytes())?;
    let mut known = command.get_subcommands().filter(|below| !below.is_hide_set());
    known.try_for_each(|below| write(below, folder, force))
}

fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> String {
    let is_program = command.get_name() == "proofwood";
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(".TH {} 1 \"\" \"proofwood {version}\"\n", name(command));
    text +=
        &format!(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", escaped(name(command)), escaped(&about));
    let usage = match is_program {
        true => USAGE.to_string(),
        false => command.clone().render_usage().to_string(),
    };
    for line in usage.trim_start_matches("Usage:").trim().lines() {
        let _ = writeln!(text, "{}\n.br", escaped(line.trim()));
    }
    text += ".SH DESCRIPTION\n";
    let description = command.get_long_about().map_or(about, ToString::to_string);
    for line in description.lines() {
        text += &if line.is_empty() { ".PP\n".into() } else { escaped(line) + "\n" };
    }
    if is_program {
        text += ".SH COMMANDS\n";
        for (title, commands) in grouped(command) {
            let _ = writeln!(text, ".SS {title}");
            for (name, about) in commands {
                let _ = writeln!(text, ".TP\n\\fB{name}\\fR\n{}", escaped(&about));
            }
        }
    }
    let shown: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in &shown {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        let _ = writeln!(text, ".SH \"{}\"", heading.unwrap_or("Options").to_uppercase());
        let below = shown.iter().filter(|arg| arg.get_help_heading() == heading);
        below.for_each(|arg| text += &option(arg));
    }
    if !is_program && command.has_subcommands() {
        text += ".SH SUBCOMMANDS\n";
        for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
            let about = below.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, ".TP\n{}(1)\n{}", escaped(name(below)), escaped(&about));
        }
    }
    let more = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut section = "";
    for paragraph in more.split("\n\n") {
        let (title, rest) = match paragraph.split_once(':') {
            Some(("Examples", rest)) => ("EXAMPLES", rest),
            Some(("Exit status", rest)) => ("\"EXIT STATUS\"", rest),
            _ => ("NOTES", paragraph),
        };
        text += &if title == section { ".PP\n".into() } else { format!(".SH {title}\n") };
        section = title;
        // Lines that begin with spaces are not filled.
        let mut as_is = false;
        for line in rest.trim_start_matches('\n').lines() {
            if line.starts_with("  ") != as_is {
                as_is = !as_is;
                text += if as_is { ".nf\n" } else { ".fi\n" };
            }
            text += &(escaped(line.trim()) + "\n");
        }
        if as_is {
            text += ".fi\n";
        }
    }
    text
}

/// Formats an option or an argument and its help.
fn option(arg: &Arg) -> String {
    let short = arg.get_short().filter(|_| arg.get_long().is_some());
    let short = short.map_or_else(String::new, |short| format!("-{short}, "));
    let mut text = format!(".TP\n\\fB{}\\fR\n", escaped(&format!("{short}{arg}")));
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    for line in help.lines() {
        text += &(escaped(line) + "\n");
    }
    if !arg.is_hide_possible_values_set() && arg.get_action().takes_values() {
        let values = arg.get_possible_values();
        let values: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        if !values.is_empty() {
            let _ = writeln!(text, "[possible values: {}]", escaped(&values.join(", ")));
        }
    }
    if let ([value], false) = (arg.get_default_values(), arg.is_hide_default_value_set()) {
        let _ = writeln!(text, "[default: {}]", escaped(&value.to_string_lossy()));
    }
    text
}

fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}
