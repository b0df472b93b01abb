//! Measures the processor time until a position is proven.

use crate::Failure;
use crate::child::Prove;
use crate::engines::{Engine, Proof};
use crate::input;
use crate::table::grid;
use proofwood_measure::median;
use serde::Deserialize;
use std::io::IsTerminal;

/// Measure the processor time until each of eight positions is proven
///
/// The positions are from Connect Four, and their values are known from exhaustive search. Each
/// engine runs on one thread and first proves another position, so that its code is loaded. An
/// engine that finds no proof in time gets no figure; a wrong answer is marked.
#[derive(clap::Args, Debug)]
pub(crate) struct Solve {
    /// Processor time for a position, in seconds
    #[arg(long, default_value_t = 60.0, value_parser = input::seconds)]
    limit: f64,
    /// Number of rounds in which everything is measured
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// Measure only the positions with these numbers, counted from 0
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    positions: Vec<usize>,
}

const POSITIONS: &str = include_str!("../../../tests/data/positions/solver_positions.csv");

#[derive(Debug, Deserialize)]
struct Known {
    game: String,
    id: usize,
    position: String,
    exact_value_side_to_move: String,
}

impl Solve {
    /// Measures everything in turn and prints a table. After Ctrl-C, the table has only the
    /// finished positions.
    pub(crate) fn run(self) -> Result<(), Failure> {
        input::catch_interrupt()?;
        let mut reader = csv::Reader::from_reader(POSITIONS.as_bytes());
        let mut rows = Vec::new();
        for known in reader.deserialize() {
            let known: Known = known?;
            let wanted = self.positions.is_empty() || self.positions.contains(&known.id);
            if known.game != "connect_four" || !wanted {
                continue;
            }
            let value = known.exact_value_side_to_move;
            let proofs = match self.measure(&known.position) {
                // Ctrl-C ends the measurement under way, too.
                Err(_) if input::interrupted() => break,
                proofs => proofs?,
            };
            let cells = proofs.iter().map(|proofs| self.cell(proofs, &value));
            rows.push([known.position, value.clone()].into_iter().chain(cells).collect());
            if std::io::stderr().is_terminal() {
                eprintln!("position {} done", known.id);
            }
        }
        let titles = Engine::SOLVERS.map(Engine::title);
        let header: Vec<&str> = ["position", "value"].into_iter().chain(titles).collect();
        print!("{}", grid(&header, 2, rows));
        println!(
            "processor milliseconds, one thread, median of {}; in brackets playouts\n\
             —: not proven in {} s",
            self.rounds, self.limit
        );
        Ok(())
    }

    fn measure(&self, position: &str) -> Result<Vec<Vec<Proof>>, Failure> {
        let mut proofs = vec![Vec::new(); Engine::SOLVERS.len()];
        for _ in 0..self.rounds {
            for (engine, proofs) in Engine::SOLVERS.iter().zip(&mut proofs) {
                // An engine that failed once is not run again.
                if proofs.iter().all(|proof: &Proof| proof.claim.value.is_some()) {
                    proofs.push(Prove::of(*engine, position, self.limit)?);
                }
            }
        }
        Ok(proofs)
    }

    fn cell(&self, proofs: &[Proof], value: &str) -> String {
        let claims = || proofs.iter().map(|proof| proof.claim.value.as_deref());
        if claims().any(|claim| claim.is_none()) {
            return "—".into();
        }
        if let Some(wrong) = claims().flatten().find(|&claim| claim != value) {
            return format!("WRONG: {wrong}");
        }
        let milliseconds = median(proofs.iter().map(|proof| proof.cpu)) * 1e3;
        match median(proofs.iter().map(|proof| proof.claim.playouts as f64)) {
            0.0 => format!("{milliseconds:.2}"),
            playouts => format!("{milliseconds:.2} ({playouts})"),
        }
    }
}
