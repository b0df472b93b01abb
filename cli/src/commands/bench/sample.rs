//! `proofwood bench sample`: measures one search in a separate process.

use crate::terminal::print::Printer;
use proofwood::{Budget, Config};
use proofwood_session::bench::sample::measure_here;
use proofwood_session::input::limits::{read, read_count, read_time};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};

/// Measure one search, for internal use by bench
#[derive(clap::Args, Debug)]
pub(crate) struct Sample {
    game: String,
    #[arg(long)]
    playouts: Option<String>,
    #[arg(long)]
    time: Option<String>,
    #[command(flatten)]
    options: SearchOptions,
}

impl Sample {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let config = self.options.apply(Config::default())?;
        let mut budget = Budget::default();
        budget.playouts = read("--playouts", self.playouts.as_deref(), read_count)?;
        budget.time = read("--time", self.time.as_deref(), read_time)?;
        let (_, rules) = find_game(&self.game)?;
        printer.json(&measure_here(&*rules, &config, &budget)?)?;
        Ok(Ended::Done)
    }
}
