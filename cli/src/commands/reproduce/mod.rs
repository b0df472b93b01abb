//! `proofwood reproduce`: published experiments, run again.

mod paper;
mod table1;

use crate::exit::{Failure, Outcome};
use crate::print::Printer;

/// Run published experiments again and print both results side by side
#[derive(clap::Args, Debug)]
pub(crate) struct Reproduce {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, clap::Subcommand)]
enum Experiment {
    Table1(table1::Table1),
}

impl Reproduce {
    /// Runs the experiment.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        match self.experiment {
            Experiment::Table1(command) => command.run(printer),
        }
    }
}
