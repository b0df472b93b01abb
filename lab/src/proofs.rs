//! `proofwood-lab proofs`: the speed-up of proofs by more threads.

use proofwood::{Budget, CancelToken, ProverConfig, StopReason};
use proofwood_any_game::Position;
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::display::screen;
use proofwood_cli::solving::live;
use proofwood_cli::terminal::interrupt::Interrupt;
use proofwood_cli::terminal::print::Printer;
use proofwood_cli::terminal::progress::Watch;
use proofwood_measure::{Clock, geometric_mean, median};
use proofwood_session::files::{Asked, Force, Whole, check_distinct, csv_file};
use proofwood_session::input::limits::{read, read_time, whole};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::position_file::{Entry, PositionFile};
use proofwood_session::input::provers::ProverOptions;
use proofwood_session::input::solver::Solver;
use proofwood_session::input::spec::find_game;
use proofwood_session::input::threads::thread_list;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Measure the speed-up of proofs by more threads
///
/// Proves each position of a file several times with each number of threads and compares the
/// medians of the time to the proof and of the nodes. The ratio of the nodes to those of one thread
/// is the work inflation. The numbers of threads take turns, so that a busy moment of the machine
/// affects all of them.
#[derive(clap::Args, Debug)]
#[command(mut_arg("threads", |argument| argument.value_name("LIST").help(
    "Thread counts, separated by commas; the first is what others are compared with \
     [default: 1,2]")))]
#[command(mut_arg("algorithm", |argument| argument.help(
    "How to prove: dfpn and pds go depth first with a table in place of a tree; pns and pn2 grow \
     a tree where it proves most; mcpns and ppns do so by playouts from each new position, and \
     df-ppns is ppns depth first with a table [dfpn | pds | df-ppns | pns | pn2 | mcpns | ppns] \
     [default: dfpn]")))]
#[command(after_help = "Examples:
  proofwood-lab proofs lab/data/hard_proofs.csv --rounds 5 --csv out.csv
  proofwood-lab proofs set.csv --algorithm pns --threads 1,2,4

FILE is a file of positions as for solve --positions; where it has no column game,
give --game. Positions that the least number of threads settles in less than --least
are shown, and left out of the means; so are those that a run does not settle in
--time.

Exit status: 0 when all was measured, 130 after Ctrl-C.")]
pub(crate) struct Proofs {
    /// File of positions
    #[arg(value_name = "FILE")]
    positions: String,
    /// Game of the positions whose line does not name one
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Proofs of each position with each number of threads; the median is used
    #[arg(long, alias = "runs", value_name = "NUMBER", default_value_t = 5,
        value_parser = whole::<u32>(1..=1000), allow_negative_numbers = true)]
    rounds: u32,
    /// Time limit of a proof
    #[arg(short, long, value_name = "TIME", default_value = "60s", allow_negative_numbers = true)]
    time: String,
    /// Minimum time that a position must take with the first number of threads to count in the
    /// means
    #[arg(long, value_name = "TIME", default_value = "1s", allow_negative_numbers = true)]
    least: String,
    /// Print one JSON object per position
    #[arg(long)]
    json: bool,
    /// Write the positions' figures to a table, too
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    provers: ProverOptions,
    #[command(flatten)]
    options: SearchOptions,
}

/// The results for a position with `threads` threads.
#[derive(Clone, Debug, Serialize)]
struct Row {
    line: u64,
    id: String,
    game: String,
    threads: usize,
    solved: bool,
    /// The median wall time.
    seconds: f64,
    /// The median processor time.
    processor_seconds: f64,
    /// The median number of nodes.
    nodes: u64,
    /// The wall time with the first number of threads divided by the wall time with this one.
    speed_up: f64,
    /// The nodes with this number of threads divided by the nodes with the first one.
    inflation: f64,
    /// Whether the row counts in the means.
    counts: bool,
}

/// A position, with the fields that all its rows have in common.
type ToProve = (Row, Box<dyn Position>);

struct Run {
    solved: bool,
    seconds: f64,
    processor_seconds: f64,
    nodes: f64,
}

impl Proofs {
    pub(crate) fn run(mut self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let threads = thread_list(&mut self.options, &[1, 2])?;
        let time = read("--time", Some(&self.time), read_time)?.unwrap_or_default();
        let least = read("--least", Some(&self.least), read_time)?.unwrap_or_default();
        let provers = self.provers.clone().or_algorithm("dfpn");
        let Solver::Prover(config) = provers.solver(None, self.options.clone(), false)? else {
            let why = "--algorithm gpn: for the search with playouts there is proofwood scale";
            return Err(Trouble::Input(why.into()));
        };
        let interrupt = Interrupt::catch()?;
        let budget = Budget::default().time(time);
        let positions = interrupt.wait_for(|| self.read())?;
        let claim = |path: &PathBuf| {
            check_distinct("--csv", path, Path::new(&self.positions))?;
            Whole::claim(Asked::new("--csv", path, self.force))
        };
        let csv = self.csv.as_ref().map(claim).transpose()?;
        let mut rows: Vec<Row> = Vec::new();
        let all = positions.len();
        for (about, position) in positions {
            let label = format!("{} {}", about.game, about.id);
            let token = interrupt.token();
            let Some(runs) = self.measure(&*position, &config, &threads, &budget, token, &label)?
            else {
                break;
            };
            let new = compared(about, &threads, &runs, least);
            if self.json {
                new.iter().try_for_each(|row| printer.json(row))?;
            }
            rows.extend(new);
        }
        if !self.json {
            printer.text(&text(&rows, &threads))?;
            if interrupt.is_raised() {
                let done = rows.len() / threads.len();
                printer
                    .text(&format!("\nInterrupted: {done} of {all} positions are measured.\n"))?;
            }
        }
        if let Some(mut file) = csv {
            csv_file(&mut file, &rows)?;
        }
        Ok(if interrupt.is_raised() { Ended::Interrupted } else { Ended::Done })
    }

    /// Reads all positions before the first proof, so that an error in a line is reported at once.
    fn read(&self) -> Result<Vec<ToProve>, Trouble> {
        let mut file = PositionFile::open(&self.positions)?;
        let mut positions = Vec::new();
        while let Some(entry) = file.next()? {
            let (game, position) = self.find(&entry, &file)?;
            let id = entry.id.clone().unwrap_or_else(|| entry.line.to_string());
            positions.push((Row { line: entry.line, id, game, ..Row::default() }, position));
        }
        match positions.is_empty() {
            true => Err(file.is_empty()),
            false => Ok(positions),
        }
    }

    /// Finds the game and the position of a line.
    fn find(
        &self,
        entry: &Entry,
        file: &PositionFile,
    ) -> Result<(String, Box<dyn Position>), Trouble> {
        let wrong = |why: String| file.wrong(entry, &why).0;
        let name = entry.game.as_deref().or(self.game.as_deref());
        let name = name.ok_or_else(|| wrong("it names no game; give one with --game".into()))?;
        let (game, rules) = find_game(name).map_err(|failure| wrong(failure.to_string()))?;
        let text = entry.text.as_ref().map_err(|why| wrong(why.clone()))?;
        let position = text.find(&*rules).map_err(wrong)?;
        Ok((game, position))
    }

    /// Runs each number of threads `rounds` times; `None` after Ctrl-C.
    fn measure(
        &self,
        position: &dyn Position,
        config: &ProverConfig,
        threads: &[usize],
        budget: &Budget,
        token: &CancelToken,
        label: &str,
    ) -> Result<Option<Vec<Vec<Run>>>, Trouble> {
        let budget = budget.clone().cancel(token);
        let mut runs: Vec<Vec<Run>> = threads.iter().map(|_| Vec::new()).collect();
        for _ in 0..self.rounds {
            for (runs, &threads) in runs.iter_mut().zip(threads) {
                let mut search = position.prove(&config.clone().threads(threads))?;
                let clock = Clock::start();
                let watch = Watch::of(label);
                let answer = live::prove(&mut *search, &budget, watch)?;
                if answer.stop_reason == Some(StopReason::Cancelled) {
                    return Ok(None);
                }
                runs.push(Run {
                    solved: answer.solved,
                    seconds: answer.elapsed.as_secs_f64(),
                    processor_seconds: clock.took().cpu.as_secs_f64(),
                    nodes: answer.nodes as f64,
                });
            }
        }
        Ok(Some(runs))
    }
}

impl Default for Row {
    fn default() -> Row {
        Row {
            line: 0,
            id: String::new(),
            game: String::new(),
            threads: 1,
            solved: false,
            seconds: 0.0,
            processor_seconds: 0.0,
            nodes: 0,
            speed_up: 1.0,
            inflation: 1.0,
            counts: false,
        }
    }
}

/// Makes the rows of one position from its runs; `about` has the fields that they share.
fn compared(about: Row, threads: &[usize], runs: &[Vec<Run>], least: Duration) -> Vec<Row> {
    let of = |runs: &[Run], what: fn(&Run) -> f64| median(runs.iter().map(what)).max(1e-9);
    let solved = |runs: &Vec<Run>| runs.iter().all(|run| run.solved);
    // The median of an even number of runs may lie between two of them.
    let nodes = |runs: &[Run]| of(runs, |run| run.nodes).round();
    let (time, first_nodes) = (of(&runs[0], |run| run.seconds), nodes(&runs[0]));
    let counts = time >= least.as_secs_f64() && runs.iter().all(solved);
    let rows = threads.iter().zip(runs).map(|(&threads, runs)| Row {
        threads,
        solved: solved(runs),
        seconds: of(runs, |run| run.seconds),
        processor_seconds: of(runs, |run| run.processor_seconds),
        nodes: nodes(runs) as u64,
        speed_up: time / of(runs, |run| run.seconds),
        inflation: nodes(runs) / first_nodes,
        counts,
        ..about.clone()
    });
    rows.collect()
}

fn text(rows: &[Row], threads: &[usize]) -> String {
    let header = [
        left("game", 4),
        left("position", 0),
        right("threads", 0),
        right("time", 2),
        right("nodes", 3),
        right("speed-up", 1),
        right("inflation", 1),
        left("", 1),
    ];
    let text = grid(
        &header,
        rows.iter().map(|row| {
            let seconds = Duration::from_secs_f64(row.seconds);
            let verdict = match (row.solved, row.counts) {
                (false, _) => "not solved",
                (true, false) => "left out",
                (true, true) => "",
            };
            vec![
                row.game.clone(),
                row.id.clone(),
                row.threads.to_string(),
                numbers::time(seconds),
                numbers::count(row.nodes as f64),
                format!("{:.2}", row.speed_up),
                format!("{:.2}", row.inflation),
                verdict.to_string(),
            ]
        }),
    );
    let mut means = String::new();
    for &threads in &threads[1..] {
        let counted: Vec<&Row> =
            rows.iter().filter(|row| row.threads == threads && row.counts).collect();
        if counted.is_empty() {
            means += &format!(
                "\n{threads} threads: no position counts; all were left out, or not solved\n"
            );
            continue;
        }
        let mean = |what: fn(&Row) -> f64| geometric_mean(counted.iter().map(|row| what(row)));
        means += &format!(
            "\n{threads} threads, {}: {:.2} times faster, {:.2} times the nodes \
             (geometric means)\n",
            numbers::number(counted.len() as u64, "position"),
            mean(|row| row.speed_up),
            mean(|row| row.inflation)
        );
    }
    text + &screen::fit(&means)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(solved: bool, times: [f64; 3], nodes: f64) -> Vec<Run> {
        times.map(|seconds| Run { solved, seconds, processor_seconds: seconds, nodes }).into()
    }

    #[test]
    fn medians_are_compared() {
        let one = runs(true, [4.0, 3.0, 90.0], 100.0);
        let rows = |two| {
            let threads = [one_again(&one), two];
            compared(Row::default(), &[1, 2], &threads, Duration::from_secs(1))
        };
        let fast = rows(runs(true, [2.0, 2.0, 0.1], 120.0));
        assert_eq!((fast[1].speed_up, fast[1].inflation, fast[1].counts), (2.0, 1.2, true));
        let open = rows(runs(false, [2.0, 2.0, 0.1], 120.0));
        assert!(!open[1].solved && !open[0].counts);
        let all: Vec<Row> = fast.into_iter().chain(open).collect();
        let text = text(&all, &[1, 2]);
        assert!(text.contains("2 threads, 1 position: 2.00 times faster, 1.20 times"), "{text}");
    }

    #[test]
    fn the_table_fits() {
        let row = Row {
            game: "chinese-checkers:players=2".into(),
            id: "position-17".into(),
            threads: 128,
            solved: true,
            seconds: 4000.0,
            nodes: 123_456_789,
            speed_up: 101.25,
            inflation: 12.34,
            ..Row::default()
        };
        let rows = [row.clone(), Row { counts: true, ..row.clone() }, Row { threads: 1, ..row }];
        let print = || text(&rows, &[1, 128]);
        proofwood_cli::display::screen::fits::check_text(print, &["position-17", "128"]);
    }

    fn one_again(runs: &[Run]) -> Vec<Run> {
        runs.iter().map(|run| Run { ..*run }).collect()
    }
}
