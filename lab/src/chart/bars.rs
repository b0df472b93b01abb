//! Charts of stacked bars.

use super::axis::Axis;
use super::page::{Anchor, Page, round};
use super::paint::{PAPER, REST, colour, painted};
use proofwood_session::Trouble;
use proofwood_session::files::Whole;
use svg::node::element::{Group, Rectangle};

/// A chart of bars, each divided into parts. The bars are horizontal, so that long names have room.
pub(crate) struct Bars<'a> {
    pub(crate) title: &'a str,
    /// The name of the horizontal axis.
    pub(crate) across: &'a str,
    /// The names of the parts. The last part is the remainder, drawn in grey.
    pub(crate) parts: &'a [&'a str],
    /// The bars, each with its name and the sizes of its parts.
    pub(crate) bars: Vec<(String, Vec<f64>)>,
}

const BAR: f64 = 22.0;
const GAP: f64 = 12.0;
/// The opacity of the parts, low enough that numbers on top of them can be read.
pub(super) const OPACITY: f64 = 0.45;

impl Bars<'_> {
    pub(crate) fn write(&self, file: &mut Whole) -> Result<(), Trouble> {
        file.write(self.svg().as_bytes())
    }

    pub(crate) fn svg(&self) -> String {
        let most = self.bars.iter().map(|(_, parts)| parts.iter().sum::<f64>()).fold(1.0, f64::max);
        let across = Axis::whole(self.across, most);
        let height = self.bars.len().max(1) as f64 * (BAR + GAP) + GAP;
        let names: Vec<(String, f64)> = (0..self.bars.len())
            .map(|bar| (self.bars[bar].0.clone(), GAP + bar as f64 * (BAR + GAP) + BAR / 2.0))
            .collect();
        let mut page =
            Page::new(self.title, &across, &Axis::below(&names, height), (520.0, height));
        for ((_, parts), (_, middle)) in self.bars.iter().zip(&names) {
            let mut below = 0.0;
            for (part, &size) in parts.iter().enumerate() {
                let (from, to) = (across.at(below), across.at(below + size));
                below += size;
                let (left, width) = (from * page.width, (to - from) * page.width);
                if width <= 0.0 {
                    continue;
                }
                page.plot(Group::new().add(self.part(part, left, middle - BAR / 2.0, width)));
                // The number is drawn within the part if there is room.
                if width >= 24.0 {
                    let at = (left + width / 2.0, middle + 4.0);
                    page.text(at, &size.to_string(), 12, &Anchor::Middle);
                }
            }
        }
        let legend = self.parts.iter().enumerate().map(|(part, &name)| {
            (name.to_string(), Group::new().add(self.part(part, 8.0, -7.0, 14.0).set("height", 14)))
        });
        page.legend("", legend.collect(), &[]);
        page.finish()
    }

    fn part(&self, part: usize, x: f64, y: f64, width: f64) -> Rectangle {
        let last = part + 1 == self.parts.len();
        let shape = Rectangle::new()
            .set("x", round(x))
            .set("y", round(y))
            .set("width", round(width))
            .set("height", BAR)
            .set("fill-opacity", if last { 1.0 } else { OPACITY });
        painted(shape, Some(if last { REST } else { colour(part) }), Some(PAPER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_place() {
        let name = "ppns θ=0.01 pr=1e-5 <a name that is long>";
        let bars = vec![(name.to_string(), vec![120.0, 0.0, 80.0]), ("df-pn".into(), vec![1.0; 3])];
        let parts = &["win", "not a win", "out"];
        let text = Bars { title: "Othello", across: "positions", parts, bars }.svg();
        // Two parts of the first bar, three of the second, the page and the legend.
        assert_eq!(text.matches("<rect").count(), 2 + 3 + 1 + 3, "{text}");
        for part in ["Othello", "pr=1e-5 &lt;a name", "df-pn", "not a win", "\n120\n", "\n200\n"] {
            assert!(text.contains(part), "{part}");
        }
    }
}
