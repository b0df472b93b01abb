//! `proofwood-lab reproduce`: published experiments, with our results and the papers'.

mod dfpn;
mod paper;
mod ppns;
mod record;
mod table1;

use proofwood_cli::terminal::print::Printer;
use proofwood_session::{Ended, Trouble};

/// Repeat the experiments of a paper
///
/// Prints a table with our figures and those of the paper. With --out, writes every run, and the
/// figures as SVG, to a folder.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood-lab reproduce table1 --best
  proofwood-lab reproduce ppns --count 10 --time 2s
  proofwood-lab reproduce df-pn --help")]
pub(crate) struct Reproduce {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, clap::Subcommand)]
enum Experiment {
    Table1(table1::Table1),
    Ppns(ppns::Ppns),
    #[command(name = "df-pn")]
    DfPn(dfpn::DfPn),
}

impl Reproduce {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        match self.experiment {
            Experiment::Table1(command) => command.run(printer),
            Experiment::Ppns(experiment) => experiment.run(printer),
            Experiment::DfPn(experiment) => experiment.run(printer),
        }
    }
}
