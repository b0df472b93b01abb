//! The figures: time over the size of the table, and positions over nodes.

use super::methods::Done;
use super::paper::Paper;
use super::tables::{Results, nodes, seconds};
use crate::exit::Failure;
use crate::figures::{count, time};
use crate::files::Whole;
use plotters::prelude::*;
use std::io;
use std::time::Duration;

/// An axis: its name, and how a value on it is written.
type Axis = (&'static str, fn(&f64) -> String);

/// A line; thin ones are the paper's.
struct Line {
    name: String,
    method: usize,
    thin: bool,
    points: Vec<(f64, f64)>,
}

/// Figure 5: seconds to the proof by the size of the table.
pub(super) fn sizes(
    file: &mut Whole,
    results: &Results,
    sizes: &[u32],
    paper: &Paper,
) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for (number, method) in results.methods.iter().enumerate() {
        let runs = sizes.iter().zip(&results.rows).filter_map(|(&size, row)| {
            let done = row[number].as_ref().filter(|done| done.settled)?;
            Some((f64::from(size), seconds(done).log10()))
        });
        let theirs = sizes.iter().filter_map(|size| {
            let seconds = paper.value("atari-go", method.name, &size.to_string())?;
            Some((f64::from(*size), seconds.log10()))
        });
        let line = |name, thin, points| Line { name, method: number, thin, points };
        lines.push(line(method.name.to_string(), false, runs.collect()));
        lines.push(line(format!("{}, the paper", method.name), true, theirs.collect()));
    }
    let across: Axis = ("entries of the table", |size| format!("2^{size:.0}"));
    let up: Axis = ("time", |power| time(Duration::from_secs_f64(10f64.powf(*power))));
    draw(file, "Atari Go 6x6 with a crosscut", across, up, &lines)
}

/// Figures 6 and 7: positions settled over nodes.
pub(super) fn settled(file: &mut Whole, title: &str, results: &Results) -> Result<(), Failure> {
    let line = |number: usize| {
        let settled = |row: &Vec<Option<Done>>| row[number].clone().filter(|done| done.settled);
        let runs = results.rows.iter().filter_map(settled);
        let mut taken: Vec<f64> = runs.map(|done| nodes(&done).log10()).collect();
        taken.sort_by(f64::total_cmp);
        let points = (0..).zip(taken).flat_map(|(count, at): (u32, f64)| {
            [(at, f64::from(count)), (at, f64::from(count + 1))]
        });
        let name = results.methods[number].name.to_string();
        Line { name, method: number, thin: false, points: points.collect() }
    };
    let lines: Vec<Line> = (0..results.methods.len()).map(line).collect();
    let across: Axis = ("nodes", |power| count(10f64.powf(*power)));
    draw(file, title, across, ("positions settled", |positions| format!("{positions:.0}")), &lines)
}

fn draw(
    file: &mut Whole,
    title: &str,
    across: Axis,
    up: Axis,
    lines: &[Line],
) -> Result<(), Failure> {
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        // Room at both ends; anything where there is no point.
        let (low, high) = if ends.0 <= ends.1 { ends } else { (0.0, 1.0) };
        let room = ((high - low) / 20.0).max(0.1);
        low - room..high + room
    };
    let (x, y) = (range(&mut points().map(|(x, _)| x)), range(&mut points().map(|(_, y)| y)));
    let paint = |text: &mut String| -> Result<(), DrawingAreaErrorKind<io::Error>> {
        let root = SVGBackend::with_string(text, (900, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .x_desc(across.0)
            .y_desc(up.0)
            .x_label_formatter(&across.1)
            .y_label_formatter(&up.1)
            .draw()?;
        for line in lines {
            let colour = Palette99::pick(line.method).mix(if line.thin { 0.5 } else { 1.0 });
            let style = colour.stroke_width(if line.thin { 1 } else { 2 });
            chart
                .draw_series(LineSeries::new(line.points.iter().copied(), style))?
                .label(line.name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], style));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        root.present()
    };
    let mut text = String::new();
    paint(&mut text).map_err(|error| Failure::Failed(format!("cannot draw: {error}")))?;
    file.write(text.as_bytes())
}
