//! The figures: the time over the size of the table, and the number of solved positions over the
//! nodes.

use super::paper::Paper;
use super::tables::{Results, nodes, seconds};
use crate::chart::{Axis, Chart, LineStyle, Point, Series};

/// Figure 5: the seconds until the proof over the size of the table.
pub(super) fn sizes(results: &Results, sizes: &[u32], paper: &Paper) -> Chart<'static> {
    let mut series = Vec::new();
    for (colour, method) in results.methods.iter().enumerate() {
        let runs = (0..).zip(&results.rows).filter_map(|(place, row)| {
            let done = row[colour].as_ref().filter(|done| done.solved)?;
            Some((f64::from(place), seconds(done), None))
        });
        let theirs = (0..).zip(sizes).filter_map(|(place, size)| {
            let seconds = paper.value("atari-go", method.name, &size.to_string())?;
            Some((f64::from(place), seconds, None))
        });
        let (ours, theirs): (Vec<Point>, Vec<Point>) = (runs.collect(), theirs.collect());
        let none = if ours.is_empty() { ": no proof" } else { "" };
        let line = |name, style, points| Series { name, colour, style, points };
        series.push(line(format!("{}{none}", method.name), LineStyle::Line, ours));
        series.push(line(format!("{}, the paper", method.name), LineStyle::Thin, theirs));
    }
    let places: Vec<String> = sizes.iter().map(|size| format!("2^{size}")).collect();
    let all = series.iter().flat_map(|line| &line.points).map(|point| point.1);
    Chart {
        title: "Atari Go 6x6 with a crosscut",
        across: Axis::places("entries of the table", &places),
        up: Axis::times("processor time to the proof", all),
        mark: None,
        legend: "method",
        beside: false,
        series,
    }
}

/// Figures 6 and 7: the number of solved positions over the nodes.
pub(super) fn solved<'a>(title: &'a str, results: &Results) -> Chart<'a> {
    let taken = |number: usize| {
        let runs = results.rows.iter().filter_map(|row| row[number].as_ref());
        let mut taken: Vec<f64> = runs.filter(|done| done.solved).map(nodes).collect();
        taken.sort_by(f64::total_cmp);
        taken
    };
    let taken: Vec<Vec<f64>> = (0..results.methods.len()).map(taken).collect();
    let most = taken.iter().map(Vec::len).max().unwrap_or(0);
    let series = results.methods.iter().zip(&taken).enumerate();
    Chart {
        title,
        across: Axis::counts("nodes", taken.iter().flatten().copied()),
        up: Axis::whole("positions solved", most as f64),
        mark: None,
        legend: "method",
        beside: true,
        series: series
            .map(|(number, (method, taken))| Series::counted(method.name, number, taken))
            .collect(),
    }
}
