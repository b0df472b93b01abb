//! Colours for a light and for a dark background.
//!
//! Every shape has a class, and its light colour as an attribute, which every SVG renderer
//! supports. If the reader's screen is dark, a style sheet in the picture gives the classes their
//! dark colours.

use std::fmt::Write;
use svg::Node;

/// A class, with its colours on a light and on a dark background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    class: &'static str,
    pub(super) light: &'static str,
    dark: &'static str,
}

const fn paint(class: &'static str, light: &'static str, dark: &'static str) -> Paint {
    Paint { class, light, dark }
}

pub(super) const PAPER: Paint = paint("paper", "#ffffff", "#15181c");
pub(super) const INK: Paint = paint("ink", "#222222", "#e8e8e8");
pub(super) const GRID: Paint = paint("grid", "#e4e4e4", "#33383e");
/// The colour of axes and of marked values.
pub(super) const AXIS: Paint = paint("axis", "#777777", "#8b9199");
/// The colour of the last part of a bar, which is the remainder.
pub(super) const REST: Paint = paint("rest", "#dddddd", "#3d434a");

/// Colours that most people can tell apart, after Okabe and Ito 2008, but with grey instead of
/// their black, and without their yellow. Those that would be too faint on a white background are
/// darker here, and all are lighter on a dark background. With five markers there are 35 different
/// lines.
pub(super) const SERIES: [Paint; 7] = [
    paint("blue", "#0072b2", "#4a9fe0"),
    paint("red", "#d55e00", "#f0803c"),
    paint("green", "#009e73", "#2fc79a"),
    paint("pink", "#bf5f96", "#e39bc6"),
    paint("sky", "#3a93c8", "#8fd0f5"),
    paint("orange", "#b98000", "#f2b632"),
    paint("grey", "#5a5a5a", "#b4b4b4"),
];

pub(super) fn colour(number: usize) -> Paint {
    SERIES[number % SERIES.len()]
}

/// Gives a shape its colours: `fill` for its area and `stroke` for its outline.
pub(super) fn painted<N: Node>(mut shape: N, fill: Option<Paint>, stroke: Option<Paint>) -> N {
    let mut classes = Vec::new();
    for (what, paint) in [("fill", fill), ("stroke", stroke)] {
        if let Some(paint) = paint {
            shape.assign(what, paint.light);
            classes.push(format!("{what}-{}", paint.class));
        }
    }
    shape.assign("class", classes.join(" "));
    shape
}

pub(super) fn style() -> String {
    let mut style = String::from("@media (prefers-color-scheme: dark) {\n");
    for Paint { class, dark, .. } in [PAPER, INK, GRID, AXIS, REST].iter().chain(&SERIES) {
        let _ =
            writeln!(style, ".fill-{class} {{fill: {dark}}} .stroke-{class} {{stroke: {dark}}}");
    }
    style + "}"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The red, green and blue parts of a colour, from 0 to 1.
    fn parts(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let part = u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits");
            f64::from(part) / 255.0
        })
    }

    /// The contrast between two colours as the W3C defines it, from 1 to 21.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let luminance = |colour: [f64; 3]| {
            let linear = colour.map(|part| match part {
                part if part <= 0.04045 => part / 12.92,
                part => ((part + 0.055) / 1.055).powf(2.4),
            });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        };
        let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn everything_can_be_read_on_light_and_on_dark_paper() {
        for of in [|paint: Paint| parts(paint.light), |paint: Paint| parts(paint.dark)] {
            let paper = of(PAPER);
            assert!(contrast(of(INK), paper) >= 7.0);
            assert!(contrast(of(AXIS), paper) >= 3.0);
            assert!(contrast(of(INK), of(REST)) >= 4.5, "figures stand upon it");
            for paint in SERIES {
                assert!(contrast(of(paint), paper) >= 3.0, "{paint:?}");
                // Numbers are drawn on the bars, which are translucent.
                let share = super::super::bars::OPACITY;
                let mixed = std::array::from_fn(|part| {
                    of(paint)[part] * share + paper[part] * (1.0 - share)
                });
                assert!(contrast(of(INK), mixed) >= 4.5, "{paint:?}");
            }
        }
    }

    #[test]
    fn every_colour_has_its_dark_one() {
        let style = style();
        for Paint { class, dark, .. } in [PAPER, INK, GRID, AXIS, REST].iter().chain(&SERIES) {
            assert_eq!(style.matches(&format!("-{class} {{")).count(), 2, "{class}");
            assert!(style.contains(dark));
        }
    }
}
