//! `proofwood-lab cactus`: positions solved over time.

use crate::chart::{Axis, Chart, Series};
use proofwood_cli::display::grid::{grid, left, right};
use proofwood_cli::terminal::print::Printer;
use proofwood_session::files::{Asked, Force, Whole, check_distinct};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare runs over a set of positions by the number of positions solved over time
///
/// Reads files that `solve --positions` has written with --out. The curve of a run reaches n at the
/// time of its n-th fastest answer.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood solve hex:4 --positions set.csv --algorithm dfpn -o dfpn.jsonl
  proofwood solve hex:4 --positions set.csv --algorithm pds -o pds.jsonl
  proofwood-lab cactus dfpn.jsonl pds.jsonl --svg cactus.svg

A file's name without its ending names its line.")]
pub(crate) struct Cactus {
    /// Files of results
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the plot to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Times {
    name: String,
    positions: usize,
    /// The number of lines that contain an error instead of a result.
    errors: usize,
    /// The time of each solved position in seconds, in ascending order.
    solved_seconds: Vec<f64>,
}

#[derive(Deserialize)]
struct ResultLine {
    solved: Option<bool>,
    seconds: Option<f64>,
    error: Option<String>,
}

/// The times, in seconds, for which the table counts the solved positions.
const WITHIN: [f64; 8] = [0.01, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0, 600.0];

impl Cactus {
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let claim = |path: &PathBuf| {
            self.files.iter().try_for_each(|input| check_distinct("--svg", path, input))?;
            Whole::claim(Asked::new("--svg", path, self.force))
        };
        let svg = self.svg.as_ref().map(claim).transpose()?;
        let times: Vec<Times> =
            self.files.iter().map(|path| Times::read(path)).collect::<Result<_, _>>()?;
        match self.json {
            true => times.iter().try_for_each(|times| printer.json(times))?,
            false => printer.text(&text(&times))?,
        }
        if let Some(mut file) = svg {
            chart(&times).write(&mut file)?;
        }
        Ok(Ended::Done)
    }
}

impl Times {
    fn read(path: &Path) -> Result<Times, Trouble> {
        let name = path.display();
        let file = File::open(path).map_err(|error| Trouble::reading(&name, &error))?;
        let (mut positions, mut errors, mut solved_seconds) = (0, 0, Vec::new());
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let line = line.map_err(|error| Trouble::reading(&name, &error))?;
            let wrong = |why: &dyn Display| {
                Trouble::Input(format!("{name}, line {number}: this is no result: {why}"))
            };
            let result: ResultLine = serde_json::from_str(&line).map_err(|error| wrong(&error))?;
            match result {
                ResultLine { error: Some(_), .. } => errors += 1,
                ResultLine { solved: Some(solved), seconds: Some(seconds), .. } => {
                    positions += 1;
                    solved_seconds.extend(solved.then_some(seconds.max(0.0)));
                }
                _ => return Err(wrong(&"it does not say what was solved in how many seconds")),
            }
        }
        if positions + errors == 0 {
            return Err(Trouble::Input(format!("{name} holds no results")));
        }
        solved_seconds.sort_by(f64::total_cmp);
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Times { name, positions, errors, solved_seconds })
    }

    /// Returns the number of positions solved within `seconds`.
    fn within(&self, seconds: f64) -> usize {
        self.solved_seconds.partition_point(|&taken| taken <= seconds)
    }
}

fn text(times: &[Times]) -> String {
    let longest = times.iter().filter_map(|times| times.solved_seconds.last()).copied();
    let longest = longest.fold(0.0, f64::max);
    // The columns in which the runs differ, and one more.
    let shown = (WITHIN.partition_point(|&within| within < longest) + 1).min(WITHIN.len());
    let within: Vec<String> =
        WITHIN[..shown].iter().map(|&s| numbers::time(Duration::from_secs_f64(s))).collect();
    let mut header = vec![left("run", 0)];
    // If there is little room, the shortest times are dropped first.
    header.extend((1..).zip(&within).map(|(n, text)| right(text, (shown + 2 - n) as u8)));
    header.extend([right("solved", 0), right("of", 1)]);
    let rows = times.iter().map(|times| {
        let counts = WITHIN[..shown].iter().map(|&seconds| times.within(seconds).to_string());
        let all = [times.solved_seconds.len(), times.positions].map(|count| count.to_string());
        [times.name.clone()].into_iter().chain(counts).chain(all).collect()
    });
    let mut text = grid(&header, rows);
    for Times { name, errors, .. } in times.iter().filter(|times| times.errors > 0) {
        let lines = if *errors == 1 { "line" } else { "lines" };
        text.push_str(&format!("{name}: {errors} {lines} could not be answered\n"));
    }
    text
}

/// A chart with a step curve for each run, over the logarithm of time.
fn chart(all: &[Times]) -> Chart<'_> {
    /// The shortest time in the chart; faster proofs are drawn at this time.
    const SHORTEST: f64 = 1e-3;
    let seconds = all.iter().flat_map(|times| &times.solved_seconds);
    let most = all.iter().map(|times| times.solved_seconds.len()).max().unwrap_or(0);
    Chart {
        title: "Positions solved over time",
        across: Axis::times("time for a position", seconds.map(|&taken| taken.max(SHORTEST))),
        up: Axis::whole("positions solved", most as f64),
        mark: None,
        legend: "run",
        beside: true,
        series: all
            .iter()
            .enumerate()
            .map(|(number, times)| Series::counted(&times.name, number, &times.solved_seconds))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(name: &str, solved_seconds: &[f64]) -> Times {
        Times {
            name: name.into(),
            positions: 4,
            errors: 0,
            solved_seconds: solved_seconds.to_vec(),
        }
    }

    #[test]
    fn every_run_has_its_line() {
        let all = [times("dfpn", &[0.0, 0.5, 20.0]), times("pds", &[]), times("pns", &[1.0])];
        let svg = chart(&all).svg();
        for part in ["<svg", "dfpn", "pds", "pns", "time", "positions solved", "</svg>"] {
            assert!(svg.contains(part), "{part}");
        }
        assert!(chart(&[times("none", &[])]).svg().contains("none"));
    }

    #[test]
    fn the_table_counts() {
        let text = text(&[times("dfpn", &[0.05, 0.5, 2.0]), times("pds", &[])]);
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[1], ["dfpn", "0", "1", "2", "3", "3", "4"], "{text}");
        assert_eq!(rows[2], ["pds", "0", "0", "0", "0", "0", "4"], "{text}");
    }
}
