//! `proofwood man`: writes the help as manual pages.

use crate::input::groups::{USAGE, grouped};
use crate::terminal::print::Printer;
use clap::Command;
use clap_mangen::Man as Page;
use proofwood_session::files::{Asked, Force, Whole};
use proofwood_session::{Ended, Trouble};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them into a folder
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood man | man -l -
  proofwood man search | man -l -
  proofwood man --out ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// The command whose page to print; that of the program when none is given
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
                printer.text(&String::from_utf8_lossy(&page(found)?))?;
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
                false => format!("there is no command '{word}'; there are {}", names.join(", ")),
            })
        })
    })
}

fn write(command: &Command, folder: &Path, force: Force) -> Result<(), Trouble> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    Whole::claim(Asked::new("--out", &path, force))?.write(&page(command)?)?;
    let mut known = command.get_subcommands().filter(|below| !below.is_hide_set());
    known.try_for_each(|below| write(below, folder, force))
}

fn page(command: &Command) -> Result<Vec<u8>, Trouble> {
    render(command).map_err(|error| Trouble::Failed(format!("cannot write a manual page: {error}")))
}

fn render(command: &Command) -> std::io::Result<Vec<u8>> {
    let shown = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let page = Page::new(shown).source(concat!("proofwood ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    let usage = match command.get_subcommands().next() {
        Some(_) if command.get_name() == "proofwood" => USAGE.to_string(),
        _ => command.clone().render_usage().to_string(),
    };
    writeln!(text, ".SH SYNOPSIS")?;
    for line in usage.trim_start_matches("Usage:").trim().lines() {
        writeln!(text, "{}\n.br", escaped(line.trim()))?;
    }
    page.render_description_section(&mut text)?;
    let groups = match command.get_name() {
        "proofwood" => grouped(command),
        _ => Vec::new(),
    };
    if !groups.is_empty() {
        writeln!(text, ".SH COMMANDS")?;
    }
    for (title, commands) in groups {
        writeln!(text, ".SS {title}")?;
        for (name, about) in commands {
            writeln!(text, ".TP\n\\fB{name}\\fR\n{}", escaped(&about))?;
        }
    }
    page.render_options_section(&mut text)?;
    if command.get_name() != "proofwood" && command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    let more = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut section = "";
    for paragraph in more.split("\n\n") {
        let (title, rest) = match paragraph.split_once(':') {
            Some(("Examples", rest)) => ("EXAMPLES", rest),
            Some(("Exit status", rest)) => ("\"EXIT STATUS\"", rest),
            _ => ("NOTES", paragraph),
        };
        writeln!(text, "{}", if title == section { ".PP".into() } else { format!(".SH {title}") })?;
        section = title;
        // Lines that begin with spaces are not filled.
        let mut as_is = false;
        for line in rest.trim_start_matches('\n').lines() {
            if line.starts_with("  ") != as_is {
                as_is = !as_is;
                writeln!(text, "{}", if as_is { ".nf" } else { ".fi" })?;
            }
            writeln!(text, "{}", escaped(line.trim()))?;
        }
        if as_is {
            writeln!(text, ".fi")?;
        }
    }
    Ok(text)
}

fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line,
    }
}
