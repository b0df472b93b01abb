//! Figures as SVG.

use crate::exit::Failure;
use crate::files::Whole;
use plotters::prelude::*;
use std::io;

/// Bars side by side, each cut into parts: `(name, parts)`, with the parts'
/// names in `legend`.
pub(crate) fn stacked_bars(
    file: &mut Whole,
    title: &str,
    legend: &[&str],
    bars: &[(String, Vec<f64>)],
) -> Result<(), Failure> {
    let most = bars.iter().map(|(_, parts)| parts.iter().sum::<f64>()).fold(1.0, f64::max);
    let draw = |text: &mut String| -> Result<(), DrawingAreaErrorKind<io::Error>> {
        let root = SVGBackend::with_string(text, (900, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(60)
            .y_label_area_size(50)
            .build_cartesian_2d(-0.5..bars.len() as f64 - 0.5, 0.0..most * 1.15)?;
        let name = |x: &f64| {
            let number = x.round();
            let is_bar = (x - number).abs() < 0.01 && number >= 0.0;
            let bar = bars.get(number as usize).filter(|_| is_bar);
            bar.map_or(String::new(), |(name, _)| name.clone())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * bars.len() + 1)
            .x_label_formatter(&name)
            .y_desc("positions")
            .draw()?;
        for (part, &label) in legend.iter().enumerate() {
            let colour = Palette99::pick(part).to_rgba();
            let boxes = bars.iter().enumerate().map(|(bar, (_, parts))| {
                let below: f64 = parts[..part].iter().sum();
                let (left, right) = (bar as f64 - 0.35, bar as f64 + 0.35);
                Rectangle::new([(left, below), (right, below + parts[part])], colour.filled())
            });
            chart.draw_series(boxes)?.label(label).legend(move |(x, y)| {
                Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled())
            });
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        root.present()
    };
    let mut text = String::new();
    draw(&mut text).map_err(|error| Failure::Failed(format!("cannot draw: {error}")))?;
    file.write(text.as_bytes())
}

/// Lines with a marker at each point: `(name, points)`.
pub(crate) fn lines(
    file: &mut Whole,
    title: &str,
    (x_name, y_name): (&str, &str),
    lines: &[(String, Vec<(f64, f64)>)],
) -> Result<(), Failure> {
    let points = || lines.iter().flat_map(|(_, points)| points.iter().copied());
    let (left, right) =
        points().fold((f64::INFINITY, 0.0f64), |(l, r), (x, _)| (l.min(x), r.max(x)));
    let top = points().map(|(_, y)| y).fold(1.0, f64::max);
    let draw = |text: &mut String| -> Result<(), DrawingAreaErrorKind<io::Error>> {
        let root = SVGBackend::with_string(text, (900, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(50)
            .build_cartesian_2d(left - 1.0..right + 1.0, 0.0..top * 1.05)?;
        chart.configure_mesh().x_desc(x_name).y_desc(y_name).draw()?;
        for (number, (name, points)) in lines.iter().enumerate() {
            let colour = Palette99::pick(number).to_rgba();
            chart
                .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?
                .label(name.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 15, y)], colour));
            let markers = points.iter().map(|&point| Circle::new(point, 3, colour.filled()));
            chart.draw_series(markers)?;
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        root.present()
    };
    let mut text = String::new();
    draw(&mut text).map_err(|error| Failure::Failed(format!("cannot draw: {error}")))?;
    file.write(text.as_bytes())
}
