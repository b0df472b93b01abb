//! `proofwood completions`: what a shell needs to complete our words.

use crate::exit::{Failure, Outcome};
use crate::print::Printer;
use clap_complete::Shell;

/// Print the completions for a shell: commands, options and their values
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood completions bash > ~/.local/share/bash-completion/completions/proofwood
  proofwood completions zsh > ~/.zfunc/_proofwood
  proofwood completions fish > ~/.config/fish/completions/proofwood.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script, made from the definition of our command line.
    pub(crate) fn run(
        self,
        mut program: clap::Command,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "proofwood", &mut script);
        printer.text(&String::from_utf8_lossy(&script))?;
        Ok(Outcome::Done)
    }
}
