//! The parts that all charts share: page, title, axes with their grid, and a legend outside the
//! plot.

use super::axis::Axis;
use super::paint::{AXIS, GRID, INK, PAPER, Paint, painted, style};
use proofwood_cli::display::screen::columns;
use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

/// The distances, in pixels, between the plot and the top of the page (`TOP`), at the edges of the
/// page (`EDGE`), below the plot (`BELOW`), and between the rows of the legend (`ROW`).
const TOP: f64 = 44.0;
const EDGE: f64 = 16.0;
const BELOW: f64 = 54.0;
const ROW: f64 = 21.0;

/// A page with a plot on it.
pub(super) struct Page {
    document: Group,
    title: String,
    /// The left edge of the plot.
    left: f64,
    /// The width of the plot.
    pub(super) width: f64,
    /// The height of the plot.
    pub(super) height: f64,
    /// The right edge of everything drawn so far; `bottom` is the lower edge.
    right: f64,
    bottom: f64,
}

/// The part of a text that lies at the given place.
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Page {
    pub(super) fn new(title: &str, across: &Axis, up: &Axis, (width, height): (f64, f64)) -> Page {
        let widest = up.ticks.iter().map(|(_, name)| wide(name)).fold(0.0, f64::max);
        let named = if up.name.is_empty() { 0.0 } else { 24.0 };
        let left = EDGE + named + widest + 8.0;
        let (right, bottom) = (left + width + EDGE, TOP + height + BELOW);
        let mut page = Page {
            document: Group::new(),
            title: title.into(),
            left,
            width,
            height,
            right,
            bottom,
        };
        for (value, name) in &across.ticks {
            let x = across.at(*value) * width;
            page.line((x, 0.0), (x, height + 4.0), GRID);
            page.text((x, height + 18.0), name, 12, &Anchor::Middle);
        }
        for (value, name) in &up.ticks {
            let y = (1.0 - up.at(*value)) * height;
            // Names without a scale have no grid.
            let end = if up.name.is_empty() { 0.0 } else { width };
            page.line((-4.0, y), (end, y), GRID);
            page.text((-8.0, y + 4.0), name, 12, &Anchor::End);
        }
        page.line((0.0, 0.0), (0.0, height), AXIS);
        page.line((0.0, height), (width, height), AXIS);
        page.text((width / 2.0, height + 42.0), &across.name, 14, &Anchor::Middle);
        if !up.name.is_empty() {
            let (x, y) = (EDGE + 10.0, TOP + height / 2.0);
            let text = text(&up.name, 14).set("x", x).set("y", y).set("text-anchor", "middle");
            page.add(text.set("transform", format!("rotate(-90 {x} {y})")));
        }
        page
    }

    /// Converts fractions of the plot's width and height into a place.
    pub(super) fn place(&self, across: f64, up: f64) -> (f64, f64) {
        (across * self.width, (1.0 - up) * self.height)
    }

    pub(super) fn add(&mut self, node: impl Into<Box<dyn svg::Node>>) {
        let group = std::mem::replace(&mut self.document, Group::new());
        self.document = group.add(node);
    }

    /// Adds a group at its place in the plot.
    pub(super) fn plot(&mut self, group: Group) {
        self.add(group.set("transform", format!("translate({} {TOP})", round(self.left))));
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        let line = Line::new()
            .set("x1", round(self.left + from.0))
            .set("y1", round(TOP + from.1))
            .set("x2", round(self.left + to.0))
            .set("y2", round(TOP + to.1))
            .set("stroke-width", 1);
        self.add(painted(line, None, Some(paint)));
    }

    pub(super) fn text(&mut self, at: (f64, f64), what: &str, size: u32, anchor: &Anchor) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text(what, size)
            .set("x", round(self.left + at.0))
            .set("y", round(TOP + at.1))
            .set("text-anchor", anchor);
        self.add(text);
    }

    /// Draws a legend to the right of the plot: a title, the names, each with its sign, and a note.
    pub(super) fn legend(&mut self, title: &str, names: Vec<(String, Group)>, note: &[&str]) {
        let left = self.width + 18.0;
        self.text((left, 10.0), title, 13, &Anchor::Start);
        let mut y = 10.0;
        let mut widest = wide(title).max(note.iter().map(|line| wide(line)).fold(0.0, f64::max));
        for (name, sign) in names {
            y += ROW;
            let (x, at) = (round(self.left + left), round(TOP + y - 4.0));
            self.add(sign.set("transform", format!("translate({x} {at})")));
            self.text((left + 38.0, y), &name, 13, &Anchor::Start);
            widest = widest.max(38.0 + wide(&name));
        }
        y += ROW / 2.0;
        for line in note {
            y += 15.0;
            self.text((left, y), line, 11, &Anchor::Start);
        }
        self.right = self.left + left + widest + EDGE;
        self.bottom = self.bottom.max(TOP + y + EDGE);
    }

    pub(super) fn finish(self) -> String {
        let (width, height) = (self.right.ceil(), self.bottom.ceil());
        let page = Rectangle::new().set("width", width).set("height", height);
        let title = text(&self.title, 18)
            .set("x", round(self.left + self.width / 2.0))
            .set("y", 26)
            .set("text-anchor", "middle");
        let picture = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("role", "img")
            .set("font-family", "sans-serif")
            .add(Title::new(self.title))
            .add(Style::new(style()))
            .add(painted(page, Some(PAPER), None))
            .add(title)
            .add(self.document);
        format!("{picture}\n")
    }
}

fn text(what: &str, size: u32) -> Text {
    painted(Text::new(what).set("font-size", size), Some(INK), None)
}

/// The approximate width of a text, in pixels.
fn wide(text: &str) -> f64 {
    7.2 * columns(text) as f64
}

/// Rounds a coordinate to a tenth of a pixel.
pub(super) fn round(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}
