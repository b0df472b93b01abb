//! `proofwood scale --logical --machines`: what a proof by many machines wastes.

use super::{Scale, read_positions};
use crate::display::grid::{grid, right};
use crate::display::numbers;
use crate::display::screen::{self, Line};
use crate::exit::{Failure, Outcome};
use crate::files::{Asked, Whole, csv_file};
use crate::input::limits::read;
use crate::input::threads::read_threads;
use crate::machines::{Crew, CrewDone, prove_by_crew};
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood::{Algorithm, Budget, Outcome as Sought, ProverConfig, Turn, read_bytes};
use proofwood_any_game::{Position, Rules};
use serde::Serialize;

/// The largest job is so many times the shortest one.
const LARGEST: u64 = 1000;

/// What so many workers did with all positions together.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Row {
    game: String,
    prover: String,
    workers: usize,
    machines: usize,
    positions: u64,
    settled: u64,
    nodes: u64,
    /// The first row's nodes by these, where all was settled.
    efficiency: Option<f64>,
    /// Nodes that one worker could have made until the end.
    span: u64,
    /// The first row's span by this one, where all was settled.
    speed_up: Option<f64>,
    /// The share of the time in which workers had no job.
    idle: f64,
    jobs: u64,
    stopped: u64,
    tree: u64,
    told: u64,
}

impl Scale {
    /// Row after row with virtual workers.
    pub(super) fn run_machines(
        &self,
        prover: &str,
        game: &str,
        rules: &dyn Rules,
        printer: &mut Printer,
    ) -> Result<Outcome, Failure> {
        let wrong = |why: &str| Failure::Input(format!("--machines {prover}: {why}"));
        let algorithm: Algorithm = prover.parse().map_err(|error| wrong(&format!("{error}")))?;
        if !matches!(algorithm, Algorithm::Auto | Algorithm::Ab | Algorithm::Dfpn | Algorithm::Pds)
        {
            return Err(wrong("it takes auto, ab, dfpn or pds"));
        }
        let positions = match &self.positions {
            Some(path) => read_positions(path, game, rules)?,
            None => vec![rules.start()],
        };
        let table = read("--tt", Some(&self.tt), read_bytes)?.unwrap_or_default();
        let config = ProverConfig::default().algorithm(algorithm).threads(1).table(table);
        let list = self.logical.as_deref().map(read_threads).transpose()?.unwrap_or_default();
        let claim = |path| Whole::claim(Asked::new("--csv", path, self.force));
        let mut csv = self.csv.as_deref().map(claim).transpose()?;
        let interrupt = Interrupt::catch()?;
        let mut rows: Vec<Row> = Vec::new();
        for workers in list {
            let together = usize::from(self.together).min(workers);
            let job = (self.job_nodes, self.job_nodes * LARGEST);
            let crew = Crew { workers, together, job, slice: self.job_nodes };
            let progress = Progress::new();
            let mut row =
                Row { game: game.into(), prover: prover.into(), workers, ..Row::default() };
            row.machines = workers.div_ceil(together);
            for (number, position) in positions.iter().enumerate() {
                let place = format!("proof {} of {}", number + 1, positions.len());
                progress.show(&Line::new().item(0, place).item(1, format!("{workers} workers")));
                let budget = Budget::default().cancel(interrupt.token());
                row.add(prove(game, rules, &**position, &config, crew, &budget)?);
            }
            if interrupt.is_raised() {
                break;
            }
            row.idle = 1.0 - row.nodes as f64 / (row.span * workers as u64).max(1) as f64;
            let first = rows.first().unwrap_or(&row);
            if row.settled == row.positions && first.settled == first.positions {
                let ratio = |first: u64, own: u64| Some(first as f64 / own.max(1) as f64);
                let (nodes, span) = (ratio(first.nodes, row.nodes), ratio(first.span, row.span));
                (row.efficiency, row.speed_up) = (nodes, span);
            }
            rows.push(row);
        }
        match self.json {
            true => rows.iter().try_for_each(|row| printer.json(row))?,
            false => printer.text(&text(game, prover, &rows))?,
        }
        if let Some(file) = &mut csv {
            csv_file(file, &rows)?;
        }
        Ok(if interrupt.is_raised() { Outcome::Interrupted } else { Outcome::Done })
    }
}

/// Proves whether the side to move wins.
fn prove(
    game: &str,
    rules: &dyn Rules,
    position: &dyn Position,
    config: &ProverConfig,
    crew: Crew,
    budget: &Budget,
) -> Result<CrewDone, Failure> {
    let fits = rules.players() == 2 && rules.zero_sum() && !position.has_chance();
    let (Turn::Player(mover), true) = (position.turn(), fits) else {
        let what = "--machines is for positions of games of two players with zero sum and no \
                    chance that are not over";
        return Err(Failure::Input(what.into()));
    };
    let Some(threshold) = rules.threshold(mover, Sought::Win) else {
        return Err(Failure::Input("nobody wins this game".into()));
    };
    let config = config.clone().goal(proofwood::ProofGoal::Win).player(mover);
    prove_by_crew(game, position, (mover, threshold), &config, crew, budget)
}

impl Row {
    fn add(&mut self, done: CrewDone) {
        self.positions += 1;
        self.settled += u64::from(done.settled);
        self.nodes += done.nodes;
        self.span += done.span;
        self.jobs += done.jobs;
        self.stopped += done.stopped;
        self.tree += done.tree;
        self.told += done.told;
    }
}

/// The table.
fn text(game: &str, prover: &str, rows: &[Row]) -> String {
    let header = [
        right("workers", 0),
        right("machines", 4),
        right("settled", 2),
        right("nodes", 0),
        right("efficiency", 0),
        right("speed-up", 1),
        right("idle", 3),
        right("jobs", 3),
        right("stopped", 5),
        right("tree", 5),
        right("told", 5),
    ];
    let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, |r| format!("{r:.2}"));
    let count = |number: u64| numbers::count(number as f64);
    let text = grid(
        &header,
        rows.iter().map(|row| {
            vec![
                row.workers.to_string(),
                row.machines.to_string(),
                format!("{} of {}", row.settled, row.positions),
                count(row.nodes),
                ratio(row.efficiency),
                ratio(row.speed_up),
                format!("{:.0} %", 100.0 * row.idle),
                count(row.jobs),
                count(row.stopped),
                count(row.tree),
                count(row.told),
            ]
        }),
    );
    let legend = format!(
        "\n{game}, {prover}: workers on other machines, as solve --on has them, in virtual time, in \
         which a node takes as long as any other and a message none. Efficiency is the nodes of \
         the first row by those of this one.\n"
    );
    text + &screen::fit(&legend)
}
