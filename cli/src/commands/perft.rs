//! `proofwood perft`: counting move sequences, to check rules.

use crate::exit::{Failure, Outcome};
use crate::figures;
use crate::output::PerftJson;
use crate::positions::Start;
use crate::print::Printer;
use std::time::Instant;

/// Count the sequences of moves up to a depth
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood perft othello --depth 6
  proofwood perft connect-four --depth 8 --moves 444 --json

A game that ends before the depth is reached adds nothing to the count.")]
pub(crate) struct Perft {
    #[command(flatten)]
    start: Start,
    /// The number of moves, 0 to 1000
    #[arg(short, long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(..=1000))]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Perft {
    /// Counts depth by depth and prints each count as it is known.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
        let found = self.start.find()?;
        let started = Instant::now();
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            // Where no game is as long, none is longer.
            let count = match counts.last() {
                Some(0) => 0,
                _ => found.position.perft(depth),
            };
            counts.push(count);
            if !self.json {
                let time = figures::time(started.elapsed());
                printer.text(&format!("depth {depth:>3}  {count:>20}  {time:>12}\n"))?;
            }
        }
        let nodes = counts.last().copied().unwrap_or(1);
        if self.json {
            let position = found.position.text();
            printer.json(&PerftJson {
                game: &found.game,
                position: Some(position.as_str()).filter(|text| !text.is_empty()),
                depth: self.depth,
                nodes,
                nodes_by_depth: &counts,
                seconds: started.elapsed().as_secs_f64(),
            })?;
        } else {
            printer.text(&format!("nodes {nodes}\n"))?;
        }
        Ok(Outcome::Done)
    }
}
