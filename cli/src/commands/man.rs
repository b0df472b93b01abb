//! `proofwood man`: the help as manual pages.

use crate::exit::{Failure, Outcome};
use crate::files::{Asked, Force, Whole};
use crate::terminal::print::Printer;
use clap::Command;
use clap_mangen::Man as Page;
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
    /// Prints or writes pages, made from the definition of our command line.
    pub(crate) fn run(self, program: Command, printer: &mut Printer) -> Result<Outcome, Failure> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        match self.out {
            Some(folder) => {
                std::fs::create_dir_all(&folder)
                    .map_err(|error| Failure::writing(folder.display(), &error))?;
                write(&program, &folder, self.force)?;
            }
            None => {
                let found = find(&program, &self.command)?;
                printer.text(&String::from_utf8_lossy(&page(found)?))?;
            }
        }
        Ok(Outcome::Done)
    }
}

/// The command that these words lead to.
fn find<'p>(program: &'p Command, words: &[String]) -> Result<&'p Command, Failure> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let known = command.get_subcommands().filter(|below| !below.is_hide_set());
            let names: Vec<&str> = known.map(Command::get_name).collect();
            Failure::Input(match names.is_empty() {
                true => format!("'{}' has no command '{word}'", command.get_name()),
                false => format!("there is no command '{word}'; there are {}", names.join(", ")),
            })
        })
    })
}

/// Writes the page of a command, and those of the commands below it.
fn write(command: &Command, folder: &Path, force: Force) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    Whole::claim(Asked::new("--out", &path, force))?.write(&page(command)?)?;
    let mut known = command.get_subcommands().filter(|below| !below.is_hide_set());
    known.try_for_each(|below| write(below, folder, force))
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    Page::new(command.clone())
        .source(concat!("proofwood ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .map_err(|error| Failure::Failed(format!("cannot write a manual page: {error}")))?;
    Ok(text)
}
