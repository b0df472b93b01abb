//! Replaces the module `machines` in a program built without that feature.

use crate::terminal::print::Printer;
use proofwood_session::solving::machines::Remote;
use proofwood_session::{Ended, Trouble};

/// The option `--on`, which is accepted only so that its error can name the missing feature.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct On {
    #[arg(long, value_name = "URL", hide = true)]
    on: Option<String>,
}

impl On {
    pub(crate) fn url(&self) -> Option<&str> {
        self.on.as_deref()
    }
}

/// The commands for many machines, each of which fails with an error that names the missing
/// feature.
#[derive(clap::Subcommand, Debug)]
pub(crate) enum Command {
    #[command(hide = true)]
    Serve(Rest),
    #[command(hide = true)]
    Work(Rest),
    #[command(hide = true)]
    Status(Rest),
}

/// Arguments of a command for many machines; they are ignored.
#[derive(clap::Args, Debug)]
pub(crate) struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<String>,
}

fn missing() -> Trouble {
    let what = "this program was built without the feature machines; to install one with it: \
                cargo install proofwood-cli --features machines (from the sources: --path cli)";
    Trouble::Input(what.into())
}

impl Command {
    /// Returns the error that names the missing feature.
    pub(crate) fn run(self, _: &mut Printer) -> Result<Ended, Trouble> {
        let (Command::Serve(Rest { rest })
        | Command::Work(Rest { rest })
        | Command::Status(Rest { rest })) = self;
        drop(rest);
        Err(missing())
    }
}

/// Returns an error if `--on` is given, because it needs the missing feature.
pub fn connect(on: &On) -> Result<Option<Box<dyn Remote>>, Trouble> {
    if on.url().is_some() { Err(missing()) } else { Ok(None) }
}
