//! Progress lines and bars for long commands.
//!
//! They are drawn on standard error if it is a terminal, appear after a quarter of a second, and
//! are erased when the work ends.

use super::{is_watched, minutes};
use crate::display::screen::{self, Line};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood_session::words::numbers;
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);
/// The width of a line in a log, in columns.
const LOGGED: usize = 120;

#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    pub(crate) label: &'w str,
    /// The bar that the line stands above.
    pub(crate) bar: Option<&'w SetBar>,
}

impl<'w> Watch<'w> {
    pub fn of(label: &'w str) -> Watch<'w> {
        Watch { label, ..Watch::default() }
    }
}

/// Shows the line `text` until `is_running` returns false, and calls `meanwhile` now and then.
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
        // The end is noticed at most a fiftieth of the elapsed time late.
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

/// A progress line, drawn only on a terminal.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    #[expect(clippy::new_without_default, reason = "it draws from then on")]
    pub fn new() -> Progress {
        Progress(is_watched().then(new_line))
    }

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

/// A progress bar for a file of positions, drawn only on a terminal.
pub(crate) struct SetBar(Option<(MultiProgress, ProgressBar)>);

impl SetBar {
    pub(crate) fn new(positions: u64) -> SetBar {
        SetBar(is_watched().then(|| {
            let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let bar = bars.add(ProgressBar::new(positions));
            (bars, bar)
        }))
    }

    /// Updates the counts and the remaining time. `known` of the positions come from an earlier
    /// run, so the estimate leaves them out.
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
        // On a narrow terminal the text is shown without the bar.
        let template = if width < NARROW { "{wide_msg}" } else { "{bar:24} {wide_msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let room = if width < NARROW { width } else { width - 25 };
        bar.set_message(set_line(settled, open, left, rest).text(room));
    }

    /// Hides the bar while `print` runs.
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

/// The least width of a terminal that has room for the bar, in columns.
const NARROW: usize = 70;

fn set_line(settled: u64, open: u64, left: u64, rest: Option<Duration>) -> Line {
    Line::new()
        .item(1, format!("{settled} settled"))
        .item(3, format!("{open} not"))
        .item(0, format!("{left} left"))
        .item(2, rest.map_or_else(String::new, |rest| format!("about {}", numbers::time(rest))))
}

fn new_line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // A line that is too wide, as after the terminal has shrunk, is cut.
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        line.set_style(style);
    }
    line
}

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
