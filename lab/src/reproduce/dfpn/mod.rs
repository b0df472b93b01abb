//! `proofwood-lab reproduce df-pn`: df-pn and PDS with and without the 1 + ε trick.

mod charts;
mod methods;
mod paper;
mod record;
mod tables;

use super::record::RunFile;
use methods::{Method, RunLimits, Task};
use paper::Paper;
use proofwood::Budget;
use proofwood_any_game::Position;
use proofwood_cli::display::screen;
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_session::files::{Folder, Force};
use proofwood_session::input::limits::{read, read_count, read_time, whole};
use proofwood_session::input::spec::find_game;
use proofwood_session::{Ended, Trouble};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use tables::Results;

/// Compare df-pn and PDS with and without the 1 + ε trick
///
/// Repeats the experiments of Pawlewicz and Lew (2006): Atari Go on 6x6 with a crosscut over the
/// size of the transposition table (Table 1, Figure 5), and two sets of Lines of Action (Tables 2
/// to 4, Figures 6 and 7). The paper's sets are not available: forced wins in 3, 5 and 7 plies
/// replace the easy set, and harder wins from this engine's games against itself replace the hard
/// set. The question is always whether the side to move wins.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood-lab reproduce df-pn
  proofwood-lab reproduce df-pn --only loa-hard --count 100 --entries 14
  proofwood-lab reproduce df-pn --only atari-go --sizes 5,8,10 --methods dfpn-e
  proofwood-lab reproduce df-pn --paper --out all

The usual limits end in minutes, and runs end by nodes, which do not depend on how
busy a machine is. --paper has those of the paper: tables of 2^12 to 2^22 entries
and two hours a run for Atari Go, 2^20 entries and 5 or 30 minutes a run for the two
sets. Each run has one thread. An entry has 16 bytes.

DIR takes every run (runs.jsonl) and the figures. What is in DIR is not run again: a
run that was ended goes on where it was.

Exit status: 0 when all was run, 130 when Ctrl-C came first.")]
pub(crate) struct DfPn {
    /// Experiments to run: atari-go, loa-easy, loa-hard, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = EXPERIMENTS,
        hide_possible_values = true)]
    only: Vec<String>,
    /// Methods to run: dfpn-e, dfpn, pds-e, pds, separated by commas; -e means with 1 + ε
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    methods: Vec<String>,
    /// Sizes of the table for Atari Go; N stands for 2^N entries [default: 12,14,16,18,20,22]
    #[arg(long, value_name = "LIST", value_delimiter = ',',
        value_parser = whole::<u32>(2..=32), allow_negative_numbers = true)]
    sizes: Vec<u32>,
    /// Size of the table for Lines of Action; N stands for 2^N entries [default: 16]
    #[arg(long, alias = "table", value_name = "NUMBER",
        value_parser = whole::<u32>(2..=32), allow_negative_numbers = true)]
    entries: Option<u32>,
    /// Maximum number of positions from each set [default: 60]
    #[arg(long, alias = "positions", value_name = "NUMBER",
        value_parser = whole::<u32>(1..=100_000), allow_negative_numbers = true)]
    count: Option<u32>,
    /// Start leaves with their number of moves; the paper starts them with 1
    #[arg(long, value_name = "on|off", default_value = "off", value_parser = ["on", "off"],
        hide_possible_values = true)]
    mobility: String,
    /// Limit of nodes for each run [default: 2e8 for Atari Go, 2e7 for Lines of Action]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    nodes: Option<String>,
    /// Time limit of each run [default: 10m]
    #[arg(short, long, value_name = "TIME", allow_negative_numbers = true)]
    time: Option<String>,
    /// Use the paper's sizes and limits, all positions, and no limit on nodes
    #[arg(long)]
    paper: bool,
    /// Write every run (runs.jsonl) and the figures into a folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print every run as a JSON object on a line instead of tables
    #[arg(long)]
    json: bool,
}

const EXPERIMENTS: [&str; 3] = ["atari-go", "loa-easy", "loa-hard"];

/// The output, the runs so far, and the user's interrupt.
struct Desk<'p> {
    printer: &'p mut Printer,
    record: RunFile<methods::Done>,
    folder: Option<Folder>,
    interrupt: Interrupt,
}

impl DfPn {
    /// Runs the experiments in order. Prints the tables of each when it is complete or, for the
    /// last one, when the user stops it.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let paper = Paper::read()?;
        let methods = methods::chosen(&self.methods)?;
        let limits = EXPERIMENTS.map(|experiment| self.limits(experiment));
        let claim = |path: &PathBuf| Folder::claim("--out", path, self.force);
        let folder = self.out.as_ref().map(claim).transpose()?;
        let record = RunFile::of_folder(folder.as_ref())?;
        let mut desk = Desk { printer, record, folder, interrupt: Interrupt::catch()? };
        for (experiment, limits) in EXPERIMENTS.into_iter().zip(limits) {
            if !self.only.is_empty() && !self.only.iter().any(|name| name == experiment) {
                continue;
            }
            let limits = limits?;
            match experiment {
                "atari-go" => self.sizes(&methods, &limits, &paper, &mut desk)?,
                _ => self.set(experiment, &methods, &limits, &paper, &mut desk)?,
            };
            if desk.interrupt.is_raised() {
                return Ok(Ended::Interrupted);
            }
        }
        Ok(Ended::Done)
    }

    fn limits(&self, experiment: &str) -> Result<RunLimits, Trouble> {
        let minutes = match experiment {
            _ if !self.paper => 10,
            "atari-go" => 120,
            "loa-easy" => 5,
            _ => 30,
        };
        let nodes = match experiment {
            _ if self.paper => u64::MAX,
            "atari-go" => 200_000_000,
            _ => 20_000_000,
        };
        let time = read("--time", self.time.as_deref(), read_time)?;
        Ok(RunLimits {
            nodes: read("--nodes", self.nodes.as_deref(), read_count)?.unwrap_or(nodes),
            time: time.unwrap_or(Duration::from_secs(60 * minutes)),
        })
    }

    /// The input of a run at a position, except for the method.
    fn task(&self, experiment: &str, position: &str, entries: u64) -> Task {
        Task {
            experiment: experiment.into(),
            position: position.into(),
            method: String::new(),
            entries,
            mobility: self.mobility == "on",
        }
    }

    /// Runs Atari Go with each size of the table, beginning with the largest.
    fn sizes(
        &self,
        methods: &[Method],
        limits: &RunLimits,
        paper: &Paper,
        desk: &mut Desk<'_>,
    ) -> Result<(), Trouble> {
        let mut sizes = match (&self.sizes[..], self.paper) {
            ([], true) => (12..=22).collect(),
            ([], false) => vec![12, 14, 16, 18, 20, 22],
            (sizes, _) => sizes.to_vec(),
        };
        sizes.sort_unstable();
        sizes.dedup();
        let (_, rules) = find_game("atari-go:6,crosscut")?;
        let start = rules.start();
        let mut rows = Vec::new();
        for &size in sizes.iter().rev() {
            let task = self.task("atari-go", "crosscut", 1 << size);
            rows.push(desk.row(&task, methods, &*start, limits, self.json)?);
        }
        rows.reverse();
        let results = Results { methods: methods.to_vec(), rows };
        if !self.json {
            desk.printer.text(&tables::sizes(&results, &sizes, paper))?;
        }
        if let Some(folder) = &desk.folder {
            charts::sizes(&results, &sizes, paper).write(&mut folder.file("atari-go.svg")?)?;
        }
        Ok(())
    }

    /// Runs a set of positions of Lines of Action.
    fn set(
        &self,
        experiment: &str,
        methods: &[Method],
        limits: &RunLimits,
        paper: &Paper,
        desk: &mut Desk<'_>,
    ) -> Result<(), Trouble> {
        let size = self.entries.unwrap_or(if self.paper { 20 } else { 16 });
        let most = self.count.unwrap_or(if self.paper { u32::MAX } else { 60 });
        let (_, rules) = find_game("loa8")?;
        let mut rows = Vec::new();
        for (id, text) in positions(experiment)?.into_iter().take(most as usize) {
            let position = rules.read(&text).map_err(|error| {
                Trouble::Failed(format!("{experiment}, position {id}: {error}"))
            })?;
            let task = self.task(experiment, &id, 1 << size);
            rows.push(desk.row(&task, methods, &*position, limits, self.json)?);
            if desk.interrupt.is_raised() {
                break;
            }
        }
        let results = Results { methods: methods.to_vec(), rows };
        if !self.json {
            let title = if experiment == "loa-easy" { "easy" } else { "hard" };
            let title = format!(
                "\n### Lines of Action, {title}: {} positions, table of 2^{size} entries\n",
                results.rows.len()
            );
            let title = screen::fit(&title);
            let tables = tables::solved(&results, experiment, paper);
            desk.printer.text(&(title + &tables + &tables::faster(&results, paper)))?;
        }
        if let Some(folder) = &desk.folder {
            let title = match experiment {
                "loa-easy" => "Lines of Action, easy positions",
                _ => "Lines of Action, hard positions",
            };
            let name = format!("{experiment}-table-{size}.svg");
            charts::solved(title, &results).write(&mut folder.file(&name)?)?;
        }
        Ok(())
    }
}

impl Desk<'_> {
    /// The runs of all methods at one position. Those that are recorded are not repeated.
    fn row(
        &mut self,
        task: &Task,
        methods: &[Method],
        position: &dyn Position,
        limits: &RunLimits,
        json: bool,
    ) -> Result<Vec<Option<methods::Done>>, Trouble> {
        let mut row = Vec::new();
        for method in methods {
            let task = Task { method: method.name.into(), ..task.clone() };
            if self.record.within(&task, limits).is_none() && !self.interrupt.is_raised() {
                let label = format!(
                    "{} {}, {}, {} entries",
                    task.experiment, task.position, task.method, task.entries
                );
                let budget = Budget::default().cancel(self.interrupt.token());
                if let Some(done) = methods::run(&task, *method, position, limits, budget, &label)?
                {
                    self.record.add(done)?;
                }
            }
            let done = self.record.within(&task, limits).cloned();
            if let (true, Some(done)) = (json, &done) {
                self.printer.json(done)?;
            }
            row.push(done);
        }
        agree(task, &row)?;
        Ok(row)
    }
}

/// Checks that no two proofs contradict each other, which would be a bug.
fn agree(task: &Task, row: &[Option<methods::Done>]) -> Result<(), Trouble> {
    let mut solved = row.iter().flatten().filter(|done| done.solved);
    let Some(first) = solved.next() else { return Ok(()) };
    match solved.find(|done| done.value != first.value) {
        None => Ok(()),
        Some(other) => Err(Trouble::Failed(format!(
            "{}, position {}: {} proves {} and {} proves {}",
            task.experiment,
            task.position,
            first.task.method,
            first.value,
            other.task.method,
            other.value
        ))),
    }
}

/// Reads the ids and texts of a set's positions.
fn positions(experiment: &str) -> Result<Vec<(String, String)>, Trouble> {
    #[derive(Deserialize)]
    struct Forced {
        id: String,
        side_to_move: String,
        board_rank8_first: String,
    }
    #[derive(Deserialize)]
    struct Won {
        id: String,
        position: String,
    }
    const EASY: &str = include_str!("../../../data/loa_forced_wins.csv");
    const HARD: &str = include_str!("../../../data/loa_won.csv");
    let rows: Result<Vec<(String, String)>, csv::Error> = match experiment {
        "loa-easy" => csv::Reader::from_reader(EASY.as_bytes())
            .deserialize()
            .map(|row| {
                row.map(|Forced { id, side_to_move, board_rank8_first }| {
                    (id, format!("{board_rank8_first} {side_to_move}"))
                })
            })
            .collect(),
        _ => csv::Reader::from_reader(HARD.as_bytes())
            .deserialize()
            .map(|row| row.map(|Won { id, position }| (id, position)))
            .collect(),
    };
    rows.map_err(|error| Trouble::Failed(format!("the positions of {experiment}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_can_be_read() {
        let rules = proofwood_any_game::find("loa8").unwrap();
        for (experiment, least) in [("loa-easy", 107), ("loa-hard", 50)] {
            let positions = positions(experiment).unwrap();
            assert!(positions.len() >= least, "{experiment}: {}", positions.len());
            for (id, text) in positions {
                assert!(rules.read(&text).is_ok(), "{experiment} {id} {text}");
            }
        }
    }
}
