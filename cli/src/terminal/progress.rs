//! The live line: what a long command is doing, on a terminal.
//!
//! It is written to standard error, and only where that is a terminal; it
//! appears after a quarter of a second and is gone when the work ends.

use super::{is_watched, minutes};
use crate::display::screen::{self, Line};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood_session::words::numbers;
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);
/// Columns of a line in a log.
const LOGGED: usize = 120;

/// How a search's line is shown.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    /// What is searched.
    pub(crate) label: &'w str,
    /// The bar that it stands above.
    pub(crate) bar: Option<&'w SetBar>,
}

impl<'w> Watch<'w> {
    /// A line that begins with this label.
    pub fn of(label: &'w str) -> Watch<'w> {
        Watch { label, ..Watch::default() }
    }
}

/// Shows the line until the search ends, where someone can see it, and does what
/// there is to do meanwhile.
pub(crate) fn show(
    watch: Watch<'_>,
    is_running: &dyn Fn() -> bool,
    text: &dyn Fn() -> Line,
    mut meanwhile: Option<&mut dyn FnMut()>,
) {
    let watched = is_watched();
    const SHORTEST: Duration = Duration::from_micros(50);
    const LONGEST: Duration = Duration::from_millis(20);
    let started = Instant::now();
    let mut next = started + INTERVAL;
    let mut line: Option<ProgressBar> = None;
    while is_running() {
        // The end is seen late by a fiftieth of the time at most.
        sleep((started.elapsed() / 50).clamp(SHORTEST, LONGEST));
        if !watched {
            minutes::say(|| text().text(LOGGED));
        }
        if let Some(meanwhile) = &mut meanwhile {
            meanwhile();
        }
        if watched && Instant::now() >= next {
            next += INTERVAL;
            let text = text().text(screen::of_errors());
            line.get_or_insert_with(|| line_above(watch.bar)).set_message(text);
        }
    }
    if let Some(line) = line {
        line.finish_and_clear();
    }
}

/// A line on what a long command is doing, where someone can see it.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A line that says nothing yet.
    #[expect(clippy::new_without_default, reason = "it draws from then on")]
    pub fn new() -> Progress {
        Progress(is_watched().then(new_line))
    }

    /// Says what is being done.
    pub fn show(&self, what: &Line) {
        if let Some(line) = &self.0 {
            line.set_message(what.text(screen::of_errors()));
            line.tick();
        } else {
            minutes::say(|| what.text(LOGGED));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(line) = &self.0 {
            line.finish_and_clear();
        }
    }
}

/// A bar for a file of positions, where someone can see it: how many are
/// settled, not settled and left, and how long it may take.
pub(crate) struct SetBar(Option<(MultiProgress, ProgressBar)>);

impl SetBar {
    /// A bar for so many positions.
    pub(crate) fn new(positions: u64) -> SetBar {
        SetBar(is_watched().then(|| {
            let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let bar = bars.add(ProgressBar::new(positions));
            (bars, bar)
        }))
    }

    /// Says how far it has come. `known` of the positions were answered before,
    /// so the time for the others tells nothing of them.
    pub(crate) fn update(&self, settled: u64, open: u64, known: u64) {
        let Some((_, bar)) = &self.0 else { return };
        let (done, all) = (settled + open, bar.length().unwrap_or(0));
        let left = all.saturating_sub(done);
        bar.set_position(done);
        let rest = (done > known && left > 0).then(|| {
            let mean = bar.elapsed().as_secs_f64() / (done - known) as f64;
            Duration::from_secs_f64(mean * left as f64)
        });
        let width = screen::of_errors();
        // The bar itself is the first to be left out.
        let template = if width < NARROW { "{wide_msg}" } else { "{bar:24} {wide_msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let room = if width < NARROW { width } else { width - 25 };
        bar.set_message(set_line(settled, open, left, rest).text(room));
    }

    /// Lets something be printed beside the bar.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some((bars, _)) => bars.suspend(print),
            None => print(),
        }
    }
}

impl Drop for SetBar {
    fn drop(&mut self) {
        if let Some((_, bar)) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// Columns of a terminal that has no room for a bar beside the text.
const NARROW: usize = 70;

/// How far a set of positions has come.
fn set_line(settled: u64, open: u64, left: u64, rest: Option<Duration>) -> Line {
    Line::new()
        .item(1, format!("{settled} settled"))
        .item(3, format!("{open} not"))
        .item(0, format!("{left} left"))
        .item(2, rest.map_or_else(String::new, |rest| format!("about {}", numbers::time(rest))))
}

fn new_line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // What is too wide all the same, as after a terminal has shrunk, is cut.
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        line.set_style(style);
    }
    line
}

/// A line above a bar, if there is one.
fn line_above(bar: Option<&SetBar>) -> ProgressBar {
    let line = new_line();
    match bar.and_then(|bar| bar.0.as_ref()) {
        Some((bars, bar)) => bars.insert_before(bar, line),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::check;

    #[test]
    fn the_line_of_a_set_fits() {
        let rest = Some(Duration::from_secs(3000));
        check(&set_line(1234, 123, 12_345, rest), &[(20, "12345 left"), (50, "about 50 min 0 s")]);
        check(&set_line(0, 0, 3, None), &[(40, "0 settled  0 not  3 left")]);
    }
}
