//! Line charts as SVG files.

use crate::exit::Failure;
use crate::files::Whole;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A chart with a few labelled places along the bottom.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    /// What the places stand for, and each one's label.
    pub(crate) across: &'a str,
    pub(crate) places: Vec<String>,
    pub(crate) up: &'a str,
    /// The least and the greatest value shown.
    pub(crate) range: (f64, f64),
    /// A value that is marked by a grey line.
    pub(crate) mark: Option<f64>,
    pub(crate) series: Vec<Series>,
}

/// One line of a chart.
pub(crate) struct Series {
    pub(crate) name: String,
    /// Lines with the same number have the same colour.
    pub(crate) colour: usize,
    /// Thin and without points: somebody else's figures.
    pub(crate) thin: bool,
    pub(crate) points: Vec<Point>,
}

/// A place, its value, and the ends of its interval.
pub(crate) type Point = (usize, f64, Option<(f64, f64)>);

const SIZE: (u32, u32) = (760, 420);
/// Colours that most people can tell apart (Okabe and Ito 2008).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

impl Chart<'_> {
    /// Draws the chart into a file.
    pub(crate) fn write(&self, file: &mut Whole) -> Result<(), Failure> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| Failure::Failed(format!("cannot draw: {error}")))?;
        file.write(text.as_bytes())
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let (low, high) = self.range;
        let last = self.places.len().saturating_sub(1) as f64;
        // Room for the names of the lines on the right.
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 20))
            .margin(12)
            .margin_right(170)
            .x_label_area_size(42)
            .y_label_area_size(56)
            .build_cartesian_2d(-0.2..last + 0.2, low..high)?;
        let label = |place: &f64| {
            let near = place.round();
            let is_place = (place - near).abs() < 1e-9 && near >= 0.0;
            let found = self.places.get(near as usize).filter(|_| is_place);
            found.cloned().unwrap_or_default()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(2 * self.places.len() + 1)
            .x_label_formatter(&label)
            .y_label_formatter(&|value| format!("{value:.0}"))
            .x_desc(self.across)
            .y_desc(self.up)
            .draw()?;
        if let Some(mark) = self.mark {
            let ends = [(-0.2, mark), (last + 0.2, mark)];
            chart.draw_series(LineSeries::new(ends, BLACK.mix(0.4)))?;
        }
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[series.colour % COLOURS.len()];
            let style = match series.thin {
                true => colour.mix(0.45).stroke_width(1),
                false => colour.stroke_width(2),
            };
            let line = series.points.iter().map(|&(place, value, _)| (place as f64, value));
            chart.draw_series(LineSeries::new(line.clone(), style))?;
            if !series.thin {
                chart.draw_series(line.map(|point| Circle::new(point, 3, colour.filled())))?;
                let bars = series.points.iter().filter_map(|&(place, _, ends)| {
                    let (from, to) = ends?;
                    // Beside each other, so that all can be seen.
                    let x = place as f64 + (number as f64 - 1.5) * 0.03;
                    Some(PathElement::new([(x, from), (x, to)], colour.stroke_width(1)))
                });
                chart.draw_series(bars)?;
            }
            let y = 60 + 20 * number as i32;
            let x = SIZE.0 as i32 - 160;
            area.draw(&PathElement::new([(x, y), (x + 20, y)], style))?;
            let font = ("sans-serif", 13).into_font().color(&BLACK);
            let font = font.pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(series.name.clone(), (x + 26, y), font))?;
        }
        area.present()?;
        drop(chart);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_lines_and_names() {
        let chart = Chart {
            title: "Reversi",
            across: "C_pn",
            places: vec!["0".into(), "0.5".into(), "5".into()],
            up: "win rate",
            range: (0.0, 100.0),
            mark: Some(50.0),
            series: vec![
                Series {
                    name: "PNSum".into(),
                    colour: 0,
                    thin: false,
                    points: vec![(0, 50.0, Some((40.0, 60.0))), (2, 70.0, None)],
                },
                Series {
                    name: "paper".into(),
                    colour: 0,
                    thin: true,
                    points: vec![(1, 60.0, None)],
                },
            ],
        };
        let mut text = String::new();
        chart.draw(&mut text).unwrap();
        for part in ["<svg", "Reversi", "C_pn", "0.5", "win rate", "PNSum", "paper", "</svg>"] {
            assert!(text.contains(part), "{part}");
        }
        assert_eq!(text.matches("<circle").count(), 2);
    }
}
