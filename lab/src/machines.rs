//! `proofwood-lab machines`: what a proof loses with many machines.

use crate::simulation::{Simulation, Totals};
use proofwood::ProverConfig;
use proofwood_any_game::Position;
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen::{self, Line};
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Progress;
use proofwood_session::contest::trials::read_positions;
use proofwood_session::files::{Asked, Force, Whole, check_distinct, csv_file};
use proofwood_session::input::limits::whole;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Measure what a proof loses with many machines, in simulated time
///
/// Each machine does its part of a proof as with `solve --on`, but one machine works after another.
/// Prints the number of nodes, and the time that the machines save.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood-lab machines connect-four:5x5 --machines 1,8,8x16 --algorithm dfpn
  proofwood-lab machines loa8 --positions set.csv --machines 1,64 --goal win

Exit status: 0 when all was measured, 130 after Ctrl-C.")]
pub(crate) struct Simulated {
    /// Game with its options after a colon; `proofwood games` lists them all
    game: String,
    /// Numbers of machines, separated by commas; 64x16 stands for 64 machines with 16 jobs each at
    /// a time
    #[arg(long, value_name = "LIST", default_value = "1,8,64")]
    machines: String,
    /// File of positions to prove [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    positions: Option<String>,
    /// Nodes per second of each job
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000_000,
        value_parser = whole::<u64>(1..=1_000_000_000), allow_negative_numbers = true)]
    speed: u64,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    /// Write the table to a file, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    options: SearchOptions,
    #[command(flatten)]
    provers: ProverOptions,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    game: String,
    machines: usize,
    /// The number of jobs that each machine does at a time.
    jobs_at_a_time: usize,
    positions: usize,
    solved: usize,
    /// The number of nodes of all proofs together.
    nodes: u64,
    /// The first row's `nodes` divided by this row's, if both solved all positions.
    nodes_ratio: Option<f64>,
    /// The number of nodes of jobs whose results were not needed.
    for_nothing: u64,
    jobs: u64,
    told: u64,
    seconds: f64,
    /// The first row's seconds divided by this row's.
    speed_up: Option<f64>,
    /// The speed-up relative to the first row, divided by the ratio of the numbers of simultaneous
    /// jobs.
    efficiency: Option<f64>,
}

impl Simulated {
    /// Measures one row after another in simulated time, then prints the table.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let (game, rules) = find_game(&self.game)?;
        let worker_counts =
            self.machines.split(',').map(read_worker_count).collect::<Result<Vec<_>, _>>()?;
        let solver = self.provers.solver(Some(&game), self.options.clone(), false)?;
        let (Solver::Prover(config) | Solver::Fitting { prover: config, .. }) = &solver else {
            return Err(Trouble::Input("--machines takes a prover: add --algorithm auto".into()));
        };
        let claim = |path: &PathBuf| {
            if let Some(positions) = &self.positions {
                check_distinct("--csv", path, Path::new(positions))?;
            }
            Whole::claim(Asked::new("--csv", path, self.force))
        };
        let csv = self.csv.as_ref().map(claim).transpose()?;
        let positions = match &self.positions {
            Some(path) => read_positions(path, &game, &*rules)?,
            None => vec![rules.start()],
        };
        let interrupt = Interrupt::catch()?;
        let mut rows: Vec<Row> = Vec::new();
        for (machines, jobs) in worker_counts {
            let simulation = Simulation {
                game: &game,
                rules: &*rules,
                config,
                machines,
                jobs,
                nodes_per_second: self.speed,
                cancel: interrupt.token(),
            };
            let row = measure(&simulation, &positions, rows.first())?;
            if interrupt.is_raised() {
                break;
            }
            rows.push(row);
        }
        match self.json {
            true => rows.iter().try_for_each(|row| printer.json(row))?,
            false => printer.text(&text(&game, config, self.speed, &rows))?,
        }
        if let Some(mut file) = csv {
            csv_file(&mut file, &rows)?;
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }
}

/// Reads the number of machines and the number of jobs that each does at a time, such as `64` or
/// `64x16`.
fn read_worker_count(text: &str) -> Result<(usize, usize), Trouble> {
    let (machines, jobs) = text.trim().split_once('x').unwrap_or((text.trim(), "1"));
    let number = |text: &str| text.parse().ok().filter(|number| (1..=1024).contains(number));
    let worker_count = number(machines).zip(number(jobs));
    worker_count.ok_or_else(|| {
        let what = "as 64, or as 64x16 where each does 16 jobs at a time; both 1 to 1024";
        Trouble::Input(format!("--machines: {text:?} is no number of machines {what}"))
    })
}

fn measure(
    simulation: &Simulation<'_>,
    positions: &[Box<dyn Position>],
    first: Option<&Row>,
) -> Result<Row, Trouble> {
    let (progress, mut done, mut solved) = (Progress::new(), Totals::default(), 0);
    for (number, position) in positions.iter().enumerate() {
        let doing = format!("proof {} of {}", number + 1, positions.len());
        progress.show(
            &Line::new().item(1, worker_count(simulation.machines, simulation.jobs)).item(0, doing),
        );
        simulation.prove(&**position, &mut done)?;
        solved += usize::from(done.solved);
    }
    let seconds = done.time as f64 / simulation.nodes_per_second as f64;
    let mut row = Row {
        game: simulation.game.into(),
        machines: simulation.machines,
        jobs_at_a_time: simulation.jobs,
        positions: positions.len(),
        solved,
        nodes: done.nodes,
        for_nothing: done.for_nothing,
        jobs: done.jobs,
        told: done.told,
        seconds,
        ..Row::default()
    };
    let first = first.unwrap_or(&row).clone();
    if first.solved == positions.len() && solved == positions.len() {
        let slots = |row: &Row| (row.machines * row.jobs_at_a_time) as f64;
        let speed_up = first.seconds / row.seconds.max(1e-9);
        row.nodes_ratio = Some(row.nodes as f64 / first.nodes.max(1) as f64);
        row.speed_up = Some(speed_up);
        row.efficiency = Some(speed_up * slots(&first) / slots(&row));
    }
    Ok(row)
}

fn worker_count(machines: usize, jobs: usize) -> String {
    match jobs {
        1 => machines.to_string(),
        jobs => format!("{machines} x {jobs}"),
    }
}

fn text(game: &str, config: &ProverConfig, speed: u64, rows: &[Row]) -> String {
    let header = [
        left("machines", 0),
        right("solved", 5),
        right("nodes", 3),
        right("ratio", 1),
        right("for nothing", 4),
        right("jobs", 6),
        right("told", 7),
        right("speed-up", 2),
        right("efficiency", 1),
    ];
    let of = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.2}"));
    let table = grid(
        &header,
        rows.iter().map(|row| {
            vec![
                worker_count(row.machines, row.jobs_at_a_time),
                format!("{} of {}", row.solved, row.positions),
                numbers::count(row.nodes as f64),
                of(row.nodes_ratio),
                numbers::count(row.for_nothing as f64),
                numbers::count(row.jobs as f64),
                numbers::count(row.told as f64),
                of(row.speed_up),
                of(row.efficiency),
            ]
        }),
    );
    let (name, speed) = (config.algorithm, numbers::count(speed as f64));
    let legend = format!(
        "\n{game}, {name}, in simulated time: each job makes {speed} nodes a second, and messages \
         take no time.\n"
    );
    table + &screen::fit(&legend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_counts_are_read() {
        assert_eq!(read_worker_count("8").unwrap(), (8, 1));
        assert_eq!(read_worker_count(" 64x16").unwrap(), (64, 16));
        for wrong in ["", "0", "x", "8x", "8x0", "1025", "2x3x4", "-1"] {
            assert!(read_worker_count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_table_fits() {
        let row = Row {
            machines: 1024,
            jobs_at_a_time: 16,
            positions: 100,
            solved: 99,
            nodes: 123_456_789_000,
            nodes_ratio: Some(12.34),
            for_nothing: 23_456_789_000,
            jobs: 123_456,
            told: 1_234_567,
            seconds: 12.0,
            speed_up: Some(327.68),
            efficiency: Some(0.32),
            ..Row::default()
        };
        let rows = [row.clone(), row];
        let print = || text("connect-four", &ProverConfig::default(), 1_000_000, &rows);
        proofwood_cli::display::screen::fits::check_text(print, &["machines", "1024 x 16", "0.32"]);
    }
}
