//! The live line: what a running search knows, on a terminal.
//!
//! It is written to standard error, and only where that is a terminal; it
//! appears after a quarter of a second and is gone when the search ends.

use crate::figures;
use crate::rules::{Answer, Searching};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood::{Budget, SearchError, Value};
use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);

/// Runs a search to its end, with a live line where someone can see it.
pub(crate) fn run(
    search: &mut dyn Searching,
    budget: &Budget,
    label: &str,
) -> Result<Answer, SearchError> {
    search.start(budget)?;
    if is_watched() {
        watch(search, budget, label);
    }
    search.wait()
}

/// Shows the line until the search ends.
fn watch(search: &dyn Searching, budget: &Budget, label: &str) {
    const SHORTEST: Duration = Duration::from_micros(100);
    const LONGEST: Duration = Duration::from_millis(20);
    let started = Instant::now();
    let mut next = started + INTERVAL;
    let mut nap = SHORTEST;
    let mut line: Option<ProgressBar> = None;
    while search.is_running() {
        sleep(nap);
        nap = (nap * 2).min(LONGEST);
        if Instant::now() >= next {
            next += INTERVAL;
            let answer = search.snapshot();
            let text = format!("{label}{}", describe(&answer, budget));
            line.get_or_insert_with(new_line).set_message(text);
        }
    }
    if let Some(line) = line {
        line.finish_and_clear();
    }
}

/// A line on what a long command is doing, where someone can see it.
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// A line that says nothing yet.
    pub(crate) fn new() -> Progress {
        Progress(is_watched().then(new_line))
    }

    /// Says what is being done.
    pub(crate) fn show(&self, text: &str) {
        if let Some(line) = &self.0 {
            line.set_message(text.to_string());
            line.tick();
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

/// Whether standard error is a terminal that can redraw a line.
fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn new_line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // The line is cut to the terminal's width.
    if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
        line.set_style(style);
    }
    line
}

/// The line's text, the least important last: narrow terminals cut it.
fn describe(answer: &Answer, budget: &Budget) -> String {
    let time = match budget.time {
        Some(time) => format!("{} left", figures::time(time.saturating_sub(answer.elapsed))),
        None => figures::time(answer.elapsed),
    };
    let best = answer.best_move.as_deref().unwrap_or("-");
    let mean = answer.mean.map_or_else(String::new, |mean| format!(" {}", figures::share(mean)));
    let mut parts = vec![time, format!("best {best}{mean}")];
    if answer.value != Value::Unknown {
        parts.push(answer.value.to_string());
    }
    parts.push(figures::payoff(answer.bounds, answer.expected));
    let numbers = figures::proof_numbers(&answer.proof_numbers).replace(' ', "");
    parts.push(format!("pn {numbers}"));
    parts.push(format!("{} nodes", figures::count(answer.nodes as f64)));
    parts.push(figures::bytes(answer.bytes));
    parts.push(format!("{} playouts/s", figures::count(answer.playouts_per_second)));
    parts.join("  ")
}
