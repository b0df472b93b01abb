//! The book's pictures of the races between threads: what goes wrong without a
//! rule, and what happens with it. Time runs down the page.

use crate::{Failure, root};
use std::fs;
use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

/// A picture: the same race twice.
struct Race {
    name: &'static str,
    title: &'static str,
    without: Story,
    with: Story,
}

/// What two threads do, one step after the other, and what comes of it.
struct Story {
    steps: &'static [(Thread, &'static str)],
    /// The steps during which the first thread owns the node.
    owned: Option<(usize, usize)>,
    end: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Thread {
    T1,
    T2,
}
use Thread::{T1, T2};

const RACES: [Race; 3] = [
    Race {
        name: "race-lost-backup",
        title: "Race 1: the lost backup",
        without: Story {
            steps: &[
                (T1, "reads the children of P"),
                (T2, "changes a child of P"),
                (T2, "reads the children of P"),
                (T2, "stores 7 in P"),
                (T1, "stores 5 in P"),
            ],
            owned: None,
            end: "P says 5 for ever",
        },
        with: Story {
            steps: &[
                (T1, "announces: owns P"),
                (T1, "clears DIRTY, reads"),
                (T2, "changes a child of P"),
                (T2, "announces: DIRTY; goes on"),
                (T1, "stores 5; DIRTY, so again"),
                (T1, "clears DIRTY, reads"),
                (T1, "stores 7, gives P up"),
            ],
            owned: Some((0, 6)),
            end: "P says 7",
        },
    },
    Race {
        name: "race-lost-proof",
        title: "Race 2: the lost proof",
        without: Story {
            steps: &[
                (T1, "proves child A (store)"),
                (T2, "proves child B (store)"),
                (T1, "looks at B: open"),
                (T2, "looks at A: open"),
            ],
            owned: None,
            end: "A and B are proven, P never is",
        },
        with: Story {
            steps: &[
                (T1, "proves child A (store)"),
                (T2, "proves child B (store)"),
                (T1, "announces: owns P"),
                (T2, "announces, releasing B"),
                (T1, "acquires B: DIRTY, again"),
                (T1, "reads A, B: P is proven"),
            ],
            owned: Some((2, 5)),
            end: "P is proven",
        },
    },
    Race {
        name: "race-half-made",
        title: "Race 3: half-made children",
        without: Story {
            steps: &[
                (T1, "links P to new children"),
                (T2, "follows the link"),
                (T2, "reads a child's move"),
                (T1, "writes the moves"),
            ],
            owned: None,
            end: "T2 has read what nobody wrote",
        },
        with: Story {
            steps: &[
                (T1, "claims P"),
                (T2, "sees the claim: plays out"),
                (T1, "writes the moves"),
                (T1, "publishes (Release)"),
                (T2, "loads the link (Acquire)"),
                (T2, "reads a child's move"),
            ],
            owned: None,
            end: "who sees children sees their moves",
        },
    },
];

const LANE: usize = 190;
const PANEL: usize = 2 * LANE + 40;
const STEP: usize = 34;
const TOP: usize = 92;

const STYLE: &str = "
text { font: 12px sans-serif; fill: #222; }
.title { font-size: 15px; font-weight: bold; }
.head { font-weight: bold; }
.page { fill: #fff; }
.line { stroke: #999; stroke-dasharray: 3 3; }
.owned { fill: #9ad; }
.step { fill: #eef2f7; stroke: #678; }
.bad { fill: #d55e00; font-weight: bold; }
.good { fill: #00785a; font-weight: bold; }
";

/// Draws all pictures.
pub(crate) fn draw() -> Result<(), Failure> {
    for race in &RACES {
        let path = path(race);
        fs::write(&path, race.picture())
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// Compares the pictures with what would be drawn.
///
/// # Errors
/// When one is missing or differs.
pub(crate) fn check() -> Result<(), Failure> {
    for race in &RACES {
        let path = path(race);
        if fs::read_to_string(&path).ok().as_deref() != Some(&race.picture()) {
            let path = path.display();
            return Err(format!("{path} is not up to date: cargo xtask figures"));
        }
    }
    Ok(())
}

fn path(race: &Race) -> std::path::PathBuf {
    root().join("docs/src/figures").join(format!("{}.svg", race.name))
}

impl Race {
    fn picture(&self) -> String {
        let rows = self.without.steps.len().max(self.with.steps.len());
        let (width, height) = (2 * PANEL + 20, TOP + rows * STEP + 40);
        let picture = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("role", "img")
            .add(Title::new(self.title))
            .add(Style::new(STYLE))
            .add(rectangle("page", 0, 0, width, height))
            .add(text("title", 16, 26, self.title))
            .add(self.without.panel(16, "without the rule", "bad"))
            .add(self.with.panel(PANEL + 16, "with it", "good"));
        format!("{picture}\n")
    }
}

impl Story {
    fn panel(&self, left: usize, title: &str, verdict: &str) -> Group {
        let bottom = TOP + self.steps.len() * STEP;
        let mut panel = Group::new().add(text("head", left, 50, title));
        for (lane, name) in ["T1", "T2"].into_iter().enumerate() {
            let middle = left + lane * LANE + LANE / 2;
            let line = Line::new()
                .set("class", "line")
                .set("x1", middle)
                .set("y1", TOP - 14)
                .set("x2", middle)
                .set("y2", bottom);
            panel = panel.add(centred("head", middle, TOP - 20, name)).add(line);
        }
        if let Some((first, last)) = self.owned {
            let height = (last - first + 1) * STEP - 6;
            panel = panel.add(rectangle("owned", left, TOP + first * STEP, 6, height));
        }
        for (row, &(thread, what)) in self.steps.iter().enumerate() {
            let lane = left + if thread == T1 { 0 } else { LANE };
            let y = TOP + row * STEP;
            panel = panel
                .add(rectangle("step", lane + 10, y, LANE - 20, STEP - 8).set("rx", 4))
                .add(centred("", lane + LANE / 2, y + 17, what));
        }
        panel.add(text(verdict, left, bottom + 22, self.end))
    }
}

fn rectangle(class: &str, x: usize, y: usize, width: usize, height: usize) -> Rectangle {
    let rectangle = Rectangle::new().set("class", class).set("x", x).set("y", y);
    rectangle.set("width", width).set("height", height)
}

fn text(class: &str, x: usize, y: usize, what: &str) -> Text {
    Text::new(what).set("class", class).set("x", x).set("y", y)
}

fn centred(class: &str, x: usize, y: usize, what: &str) -> Text {
    text(class, x, y, what).set("text-anchor", "middle")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_up_to_date() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn every_step_is_drawn_and_fits_into_its_box() {
        for race in &RACES {
            let picture = race.picture();
            for &(_, what) in race.without.steps.iter().chain(race.with.steps) {
                assert!(picture.contains(what), "{what}");
                assert!(what.len() <= 26, "{what}");
            }
        }
    }
}
