//! Charts as SVG files, all in one style: the legend is outside the plot, colour-blind readers can
//! distinguish the colours, every line has its own marker, the grid is faint, and ticks are at
//! round numbers. The colours also suit dark screens.

mod axis;
mod bars;
mod page;
mod paint;

pub(crate) use axis::Axis;
pub(crate) use bars::Bars;

use page::{Page, round};
use paint::{AXIS, PAPER, colour, painted};
use proofwood_session::Trouble;
use proofwood_session::files::Whole;
use svg::node::element::{Circle, Group, Line, Polygon, Polyline};

pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    /// A value to mark with a grey line.
    pub(crate) mark: Option<f64>,
    pub(crate) legend: &'a str,
    /// Whether to draw lines slightly apart, so that no line covers another.
    pub(crate) beside: bool,
    pub(crate) series: Vec<Series>,
}

#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Lines with the same number have the same colour and the same marker.
    pub(crate) colour: usize,
    pub(crate) style: LineStyle,
    /// The points; a value that is not a number makes a gap.
    pub(crate) points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineStyle {
    /// A line from point to point, with a marker at each.
    Line,
    /// A thin, dashed line with small markers, for published figures.
    Thin,
    /// The steps of a count: horizontal up to the next point, then vertical. They begin at 0 and
    /// end at the right edge.
    Steps,
}

/// The horizontal position of a point, its value, and the ends of the value's interval.
pub(crate) type Point = (f64, f64, Option<(f64, f64)>);

/// Width and height of the plot, in pixels.
const PLOT: (f64, f64) = (560.0, 340.0);
/// The distance between lines that are drawn side by side, in pixels.
const APART: f64 = 2.4;
const MARKERS: usize = 6;

impl Chart<'_> {
    pub(crate) fn write(&self, file: &mut Whole) -> Result<(), Trouble> {
        file.write(self.svg().as_bytes())
    }

    pub(crate) fn svg(&self) -> String {
        let mut page = Page::new(self.title, &self.across, &self.up, PLOT);
        if let Some(mark) = self.mark {
            let (_, y) = page.place(0.0, self.up.at(mark));
            page.line((0.0, y), (PLOT.0, y), AXIS);
        }
        for number in 0..self.series.len() {
            let group = self.line(&page, number);
            page.plot(group);
        }
        // Markers are drawn above all lines, so that no marker is hidden.
        for number in 0..self.series.len() {
            let group = self.markers(&page, number);
            page.plot(group);
        }
        let names = self.series.iter().map(|series| {
            let line = series.stroked(&[(0.0, 0.0), (30.0, 0.0)]);
            (series.name.clone(), Group::new().add(line).add(series.marker((15.0, 0.0))))
        });
        let several = self.beside && self.series.len() > 1;
        let note: &[&str] =
            if several { &["lines that run together", "stand side by side"] } else { &[] };
        page.legend(self.legend, names.collect(), note);
        page.finish()
    }

    /// A line of the plot, with its intervals.
    fn line(&self, page: &Page, number: usize) -> Group {
        let series = &self.series[number];
        let corners: Vec<(f64, f64)> = match series.style {
            LineStyle::Steps => series.corners(),
            _ => series.points.iter().map(|&(across, value, _)| (across, value)).collect(),
        };
        let mut group = Group::new();
        for run in corners.split(|(_, value)| value.is_nan()).filter(|run| !run.is_empty()) {
            let run: Vec<_> = run.iter().map(|&at| self.place(page, number, at)).collect();
            group = group.add(series.stroked(&run));
        }
        for &(across, value, ends) in &series.points {
            let Some((from, to)) = ends else { continue };
            // Intervals are drawn side by side, so that all are visible.
            let x = self.place(page, number, (across, value)).0 + self.aside(number) * 3.0;
            let y = |value| round(page.place(0.0, self.up.at(value)).1);
            let bar = Line::new().set("x1", round(x)).set("x2", round(x));
            let bar = bar.set("y1", y(from)).set("y2", y(to));
            group = group.add(painted(bar, None, Some(colour(series.colour))));
        }
        group
    }

    /// The markers of a line. If there are few points, each has a marker; if there are many, only
    /// some have one, and neighbouring lines have theirs at different points.
    fn markers(&self, page: &Page, number: usize) -> Group {
        let series = &self.series[number];
        let points = series.points.len();
        let every =
            if series.style == LineStyle::Steps { points.div_ceil(MARKERS).max(1) } else { 1 };
        let first = number * every / self.series.len();
        let marked = series.points.iter().skip(first).step_by(every);
        let marked = marked.filter(|(_, value, _)| !value.is_nan());
        marked.fold(Group::new(), |group, &(across, value, _)| {
            group.add(series.marker(self.place(page, number, (across, value))))
        })
    }

    /// The offset of a line from the middle line, as a number of lines.
    fn aside(&self, number: usize) -> f64 {
        number as f64 - (self.series.len() as f64 - 1.0) / 2.0
    }

    /// The place of a point of the line, in pixels.
    fn place(&self, page: &Page, number: usize, (across, value): (f64, f64)) -> (f64, f64) {
        let (x, y) = page.place(self.across.at(across), self.up.at(value));
        let aside = if self.beside { self.aside(number) * APART } else { 0.0 };
        match self.series[number].style {
            // Both ends are at the edge.
            LineStyle::Steps if across.is_infinite() => (x, y + aside),
            LineStyle::Steps => ((x + aside).clamp(0.0, PLOT.0), y + aside),
            // The distance is greater, so that markers do not cover each other.
            _ => (x + 3.0 * aside, y + aside),
        }
    }
}

impl Series {
    /// A count that grows by one at each of `values`, which are in ascending order.
    pub(crate) fn counted(name: &str, colour: usize, values: &[f64]) -> Series {
        let points = (1..).zip(values).map(|(count, &value)| (value, f64::from(count), None));
        Series { name: name.into(), colour, style: LineStyle::Steps, points: points.collect() }
    }

    fn corners(&self) -> Vec<(f64, f64)> {
        let (mut corners, mut level) = (vec![(f64::NEG_INFINITY, 0.0)], 0.0);
        for &(across, value, _) in &self.points {
            corners.extend([(across, level), (across, value)]);
            level = value;
        }
        corners.push((f64::INFINITY, level));
        corners
    }

    fn stroked(&self, places: &[(f64, f64)]) -> Polyline {
        let line =
            Polyline::new().set("points", points(places.iter().copied())).set("fill", "none");
        let line = painted(line, None, Some(colour(self.colour)));
        match self.style {
            LineStyle::Thin => line.set("stroke-width", 1.2).set("stroke-dasharray", "5 3"),
            _ => line.set("stroke-width", 2),
        }
    }

    fn marker(&self, (x, y): (f64, f64)) -> Group {
        let size = if self.style == LineStyle::Thin { 2.6 } else { 4.2 };
        let corners: &[(f64, f64)] = match self.colour % 5 {
            0 => &[],
            1 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            2 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            3 => &[(0.0, -1.3), (1.1, 0.0), (0.0, 1.3), (-1.1, 0.0)],
            _ => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
        };
        let group = Group::new().set("stroke-width", 0.8);
        let group = painted(group, Some(colour(self.colour)), Some(PAPER));
        match corners {
            [] => group.add(Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", size)),
            corners => group.add(Polygon::new().set(
                "points",
                points(corners.iter().map(|(dx, dy)| (x + dx * size, y + dy * size))),
            )),
        }
    }
}

fn points(places: impl Iterator<Item = (f64, f64)>) -> String {
    places.map(|(x, y)| format!("{},{}", round(x), round(y))).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::paint::SERIES;
    use super::*;

    fn series(name: &str, colour: usize, style: LineStyle, points: Vec<Point>) -> Series {
        Series { name: name.into(), colour, style, points }
    }

    /// The points of each polyline in an SVG text.
    fn lines(text: &str) -> Vec<Vec<(f64, f64)>> {
        let lines = text.split("<polyline").skip(1).map(|line| {
            let (_, points) = line.split_once("points=\"").expect("points");
            let points = points.split('"').next().unwrap_or_default().split(' ');
            let place = |point: &str| {
                let (x, y) = point.split_once(',').expect("two coordinates");
                (x.parse().unwrap(), y.parse().unwrap())
            };
            points.map(place).collect()
        });
        lines.collect()
    }

    #[test]
    fn a_chart_has_its_lines_and_names() {
        let places = ["0", "0.5", "5"].map(String::from);
        let ours = vec![(0.0, 50.0, Some((40.0, 60.0))), (2.0, 70.0, None)];
        let chart = Chart {
            title: "Reversi",
            across: Axis::places("C_pn", &places),
            up: Axis::percent("win rate, %"),
            mark: Some(50.0),
            legend: "formula",
            beside: false,
            series: vec![
                series("PNSum", 0, LineStyle::Line, ours),
                series("paper", 0, LineStyle::Thin, vec![(1.0, 60.0, None)]),
            ],
        };
        let text = chart.svg();
        for part in ["<svg", "Reversi", "C_pn", "0.5", "win rate, %", "PNSum", "paper", "formula"] {
            assert!(text.contains(part), "{part}");
        }
        // Three points and two markers in the legend.
        assert_eq!(text.matches("<circle").count(), 3 + 2);
        assert_eq!(text.matches("stroke=\"#0072b2\"").count(), 2 + 2 + 1, "an interval, too");
    }

    #[test]
    fn steps_go_on_to_the_edge_and_hide_nothing() {
        let same = [0.01, 0.1, 1.0];
        let chart = Chart {
            title: "",
            across: Axis::times("time", same.into_iter()),
            up: Axis::whole("solved", 3.0),
            mark: None,
            legend: "run",
            beside: true,
            series: ["a", "b", "c"]
                .iter()
                .zip(0..)
                .map(|(n, c)| Series::counted(n, c, &same))
                .collect(),
        };
        let text = chart.svg();
        let drawn = lines(&text);
        let plot: Vec<_> = drawn.iter().filter(|line| line.len() > 2).collect();
        assert_eq!(plot.len(), 3);
        for line in &plot {
            assert_eq!((line[0].0, line[line.len() - 1].0), (0.0, PLOT.0), "{line:?}");
        }
        // The values are equal, but the lines are drawn apart.
        for (one, other) in [(0, 1), (1, 2)] {
            for (a, b) in plot[one].iter().zip(plot[other]) {
                assert!((a.1 - b.1).abs() >= 2.0, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn a_gap_is_not_drawn() {
        let values = [90.0, f64::NAN, f64::NAN, 10.0, 20.0];
        let points = (0..).zip(values).map(|(x, y)| (f64::from(x), y, None)).collect();
        let chart = Chart {
            title: "",
            across: Axis::whole("", 4.0),
            up: Axis::percent(""),
            mark: None,
            legend: "",
            beside: false,
            series: vec![series("a", 0, LineStyle::Line, points)],
        };
        let text = chart.svg();
        let lengths: Vec<usize> = lines(&text).iter().map(Vec::len).collect();
        // The last line is that of the legend, which has a marker, too.
        assert_eq!(lengths, [1, 2, 2]);
        assert_eq!(text.matches("<circle").count(), 3 + 1);
        assert!(!text.contains("NaN"), "{text}");
    }

    #[test]
    fn neighbours_differ_in_colour_and_marker() {
        for number in 0..SERIES.len() {
            let next = (number + 1) % SERIES.len();
            assert_ne!(colour(number), colour(next));
            assert_ne!(number % 5, (number + 1) % 5);
        }
        // A series without values is valid.
        let nothing = Series::counted("", 0, &[]);
        assert_eq!(nothing.corners(), [(f64::NEG_INFINITY, 0.0), (f64::INFINITY, 0.0)]);
    }
}
