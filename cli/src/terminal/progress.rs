//! Progress lines and bars for long commands.
//!
//! They are drawn on standard error if it is a terminal, appear after a quarter of a second, and
//! are erased when the work ends.

use super::{is_watched, minutes};
use crate::display::screen::{self, Line};
use proofwood_session::words::numbers;
use std::cell::Cell;
use std::io::{self, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);
/// The width of a line in a log, in columns.
const LOGGED: usize = 120;

/// The display of a search's progress line.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    pub(crate) label: &'w str,
    /// The progress of the set of positions to which the search belongs.
    pub(crate) set: Option<&'w SetLine>,
}

impl<'w> Watch<'w> {
    /// Returns a display whose line begins with this label.
    pub fn of(label: &'w str) -> Watch<'w> {
        Watch { label, ..Watch::default() }
    }
}

/// Shows the line `text` until `is_running` returns false, and calls `meanwhile` in between.
pub(crate) fn show(
    watch: Watch<'_>,
    is_running: &dyn Fn() -> bool,
    text: &dyn Fn() -> Line,
    mut meanwhile: Option<&mut dyn FnMut()>,
) {
    const SHORTEST: Duration = Duration::from_micros(50);
    const LONGEST: Duration = Duration::from_millis(20);
    let line = Progress::new();
    let started = Instant::now();
    let mut next = started + INTERVAL;
    while is_running() {
        // The end is noticed with a delay of at most a fiftieth of the elapsed time.
        sleep((started.elapsed() / 50).clamp(SHORTEST, LONGEST));
        if !line.is_watched {
            minutes::say(|| text().text(LOGGED));
        }
        if let Some(meanwhile) = &mut meanwhile {
            meanwhile();
        }
        if line.is_watched && Instant::now() >= next {
            next += INTERVAL;
            line.show(&watch.set.map_or_else(Line::new, SetLine::line).then(text()));
        }
    }
}

/// A progress line, drawn only on a terminal.
pub struct Progress {
    is_watched: bool,
    is_shown: Cell<bool>,
}

impl Progress {
    /// Creates an empty progress line.
    #[expect(clippy::new_without_default, reason = "it draws from then on")]
    pub fn new() -> Progress {
        Progress { is_watched: is_watched(), is_shown: Cell::new(false) }
    }

    /// Shows the current activity.
    pub fn show(&self, what: &Line) {
        if self.is_watched {
            write(&what.text(screen::of_errors()));
            self.is_shown.set(true);
        } else {
            minutes::say(|| what.text(LOGGED));
        }
    }

    /// Erases the line from the terminal.
    fn clear(&self) {
        if self.is_shown.take() {
            write("");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Overwrites the current line.
fn write(line: &str) {
    // If standard error is closed, there is nowhere to report it.
    let _ = io::stderr().write_all(format!("\r{line}\x1b[K").as_bytes());
}

/// The progress line of a file of positions: the numbers of solved, unsolved and remaining
/// positions, and the estimated remaining time.
pub(crate) struct SetLine {
    progress: Progress,
    positions: u64,
    started: Instant,
    /// The numbers of solved and of unsolved positions, and the number of these that an earlier run
    /// answered.
    done: Cell<[u64; 3]>,
}

impl SetLine {
    /// Creates the line for a file of `positions` positions.
    pub(crate) fn new(positions: u64) -> SetLine {
        let (progress, started) = (Progress::new(), Instant::now());
        SetLine { progress, positions, started, done: Cell::default() }
    }

    /// Updates the counts and the remaining time. An earlier run answered `known` of the positions,
    /// so the estimate excludes these.
    pub(crate) fn update(&self, solved: u64, open: u64, known: u64) {
        self.done.set([solved, open, known]);
        if self.progress.is_watched {
            self.progress.show(&self.line());
        }
    }

    /// Erases the line and then calls `print`.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.progress.clear();
        print()
    }

    fn line(&self) -> Line {
        let [solved, open, known] = self.done.get();
        let done = solved + open;
        let left = self.positions.saturating_sub(done);
        let rest = (done > known && left > 0).then(|| {
            let mean = self.started.elapsed().as_secs_f64() / (done - known) as f64;
            Duration::from_secs_f64(mean * left as f64)
        });
        set_line(solved, open, left, rest)
    }
}

fn set_line(solved: u64, open: u64, left: u64, rest: Option<Duration>) -> Line {
    Line::new()
        .item(1, format!("{solved} solved"))
        .item(3, format!("{open} unsolved"))
        .item(0, format!("{left} left"))
        .item(2, rest.map_or_else(String::new, |rest| format!("about {}", numbers::time(rest))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::screen::tests::check;

    #[test]
    fn the_line_of_a_set_fits() {
        let rest = Some(Duration::from_secs(3000));
        check(&set_line(1234, 123, 12_345, rest), &[(20, "12345 left"), (50, "about 50 min 0 s")]);
        check(&set_line(0, 0, 3, None), &[(40, "0 solved  0 unsolved  3 left")]);
    }
}
