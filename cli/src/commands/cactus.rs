//! `proofwood cactus`: how many positions were settled within which time.

use crate::exit::{Failure, Outcome};
use crate::files::{Asked, Force, Whole, check_distinct};
use crate::print::Printer;
use crate::{figures, table};
use comfy_table::CellAlignment;
use plotters::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare runs over a set of positions: settled over time
///
/// Reads the files that solve --positions has written with --out. The n-th
/// position counts from the time that the n-th fastest answer took.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood solve hex:4 --positions set.csv --time 60s --algorithm dfpn --out dfpn.jsonl
  proofwood solve hex:4 --positions set.csv --time 60s --algorithm pds --out pds.jsonl
  proofwood cactus dfpn.jsonl pds.jsonl --svg cactus.svg

A file's name without its ending names its line.")]
pub(crate) struct Cactus {
    /// Files of results
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw the plot into a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object a file
    #[arg(long)]
    json: bool,
}

/// The times of one file.
#[derive(Debug, Serialize)]
struct Times {
    name: String,
    /// Results in the file.
    positions: usize,
    /// Lines of positions that could not be answered; they are no results.
    errors: usize,
    /// Seconds that the settled ones took, in ascending order.
    settled_seconds: Vec<f64>,
}

/// What is read of a result.
#[derive(Deserialize)]
struct ResultLine {
    settled: Option<bool>,
    seconds: Option<f64>,
    error: Option<String>,
}

/// Times up to which settled positions are counted in the table.
const WITHIN: [f64; 8] = [0.01, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0, 600.0];

impl Cactus {
    /// Reads, prints and draws.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Outcome, Failure> {
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
            let mut text = String::new();
            draw(&times, &mut text)
                .map_err(|error| Failure::Failed(format!("cannot draw: {error}")))?;
            file.write(text.as_bytes())?;
        }
        Ok(Outcome::Done)
    }
}

impl Times {
    fn read(path: &Path) -> Result<Times, Failure> {
        let name = path.display();
        let file = File::open(path).map_err(|error| Failure::reading(&name, &error))?;
        let (mut positions, mut errors, mut settled_seconds) = (0, 0, Vec::new());
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let line = line.map_err(|error| Failure::reading(&name, &error))?;
            let wrong = |why: &dyn Display| {
                Failure::Input(format!("{name}, line {number}: this is no result: {why}"))
            };
            let result: ResultLine = serde_json::from_str(&line).map_err(|error| wrong(&error))?;
            match result {
                ResultLine { error: Some(_), .. } => errors += 1,
                ResultLine { settled: Some(settled), seconds: Some(seconds), .. } => {
                    positions += 1;
                    settled_seconds.extend(settled.then_some(seconds.max(0.0)));
                }
                _ => return Err(wrong(&"it does not say what was settled in how many seconds")),
            }
        }
        if positions + errors == 0 {
            return Err(Failure::Input(format!("{name} holds no results")));
        }
        settled_seconds.sort_by(f64::total_cmp);
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Times { name, positions, errors, settled_seconds })
    }

    /// How many were settled within so many seconds.
    fn within(&self, seconds: f64) -> usize {
        self.settled_seconds.partition_point(|&taken| taken <= seconds)
    }
}

/// The table for people.
fn text(times: &[Times]) -> String {
    let longest = times.iter().filter_map(|times| times.settled_seconds.last()).copied();
    let longest = longest.fold(0.0, f64::max);
    // As far as it tells the runs apart, and one step more.
    let shown = (WITHIN.partition_point(|&within| within < longest) + 1).min(WITHIN.len());
    let within: Vec<String> =
        WITHIN[..shown].iter().map(|&s| figures::time(Duration::from_secs_f64(s))).collect();
    let mut header = vec![("run", CellAlignment::Left)];
    header.extend(within.iter().map(|text| (text.as_str(), CellAlignment::Right)));
    header.extend([("settled", CellAlignment::Right), ("of", CellAlignment::Right)]);
    let rows = times.iter().map(|times| {
        let counts = WITHIN[..shown].iter().map(|&seconds| times.within(seconds).to_string());
        let all = [times.settled_seconds.len(), times.positions].map(|count| count.to_string());
        [times.name.clone()].into_iter().chain(counts).chain(all).collect()
    });
    let mut text = table::grid(&header, rows);
    for Times { name, errors, .. } in times.iter().filter(|times| times.errors > 0) {
        let lines = if *errors == 1 { "line" } else { "lines" };
        text.push_str(&format!("{name}: {errors} {lines} could not be answered\n"));
    }
    text
}

/// Draws all runs as steps over the logarithm of time.
fn draw(all: &[Times], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    const SIZE: (u32, u32) = (800, 480);
    const SHORTEST: f64 = 1e-3;
    let seconds = || all.iter().flat_map(|times| &times.settled_seconds).copied();
    let first = seconds().fold(f64::INFINITY, f64::min).clamp(SHORTEST, 1.0);
    let last = seconds().fold(first * 10.0, f64::max) * 1.1;
    let most = all.iter().map(|times| times.positions).max().unwrap_or(0).max(1);
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d((first..last).log_scale(), 0..most)?;
    chart.configure_mesh().x_desc("seconds").y_desc("positions settled").draw()?;
    for (number, times) in all.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let style = colour.stroke_width(2);
        let mut points = vec![(first, 0)];
        for (count, &taken) in times.settled_seconds.iter().enumerate() {
            let at = taken.max(first);
            points.extend([(at, count), (at, count + 1)]);
        }
        points.push((last, times.settled_seconds.len()));
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(times.name.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    drop(chart);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(name: &str, settled_seconds: &[f64]) -> Times {
        Times {
            name: name.into(),
            positions: 4,
            errors: 0,
            settled_seconds: settled_seconds.to_vec(),
        }
    }

    #[test]
    fn every_run_has_its_line() {
        let all = [times("dfpn", &[0.0, 0.5, 20.0]), times("pds", &[]), times("pns", &[1.0])];
        let mut svg = String::new();
        draw(&all, &mut svg).expect("a plot");
        for part in ["<svg", "dfpn", "pds", "pns", "seconds", "positions settled", "</svg>"] {
            assert!(svg.contains(part), "{part}");
        }
        let mut empty = String::new();
        draw(&[times("none", &[])], &mut empty).expect("a plot");
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
