//! The live line: what a running search knows, on a terminal.
//!
//! It is written to standard error, and only where that is a terminal; it
//! appears after a quarter of a second and is gone when the search ends.

use crate::checkpoint::Checkpoints;
use crate::figures;
use crate::{proof_text, table};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood::{Budget, SearchError, Value};
use proofwood_any_game::{Answer, ProofAnswer, Proving, Searching};
use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);

/// How a search's line is shown.
#[derive(Clone, Copy, Default)]
pub(crate) struct Watch<'w> {
    /// What it begins with.
    pub(crate) label: &'w str,
    /// The bar that it stands above.
    pub(crate) bar: Option<&'w SetBar>,
}

/// Runs a search to its end, with a live line where someone can see it.
pub(crate) fn run(
    search: &mut dyn Searching,
    budget: &Budget,
    watch: Watch<'_>,
) -> Result<Answer, SearchError> {
    search.start(budget)?;
    let running = || search.is_running();
    show(watch, &running, &|| describe(&search.snapshot(), budget), None);
    search.wait()
}

/// Runs a proof search to its end, with a live line where someone can see it and
/// checkpoints where they are asked for.
pub(crate) fn prove(
    search: &mut dyn Proving,
    budget: &Budget,
    watch: Watch<'_>,
    checkpoints: Option<&mut Checkpoints>,
) -> Result<ProofAnswer, SearchError> {
    search.start(budget)?;
    let running = || search.is_running();
    let text = || describe_proof(&search.snapshot(), budget);
    match checkpoints {
        None => show(watch, &running, &text, None),
        Some(checkpoints) => {
            let mut save = || checkpoints.save_when_due(search);
            show(watch, &running, &text, Some(&mut save));
            checkpoints.save(search);
        }
    }
    search.wait()
}

/// Shows the line until the search ends, where someone can see it, and does what
/// there is to do meanwhile.
fn show(
    watch: Watch<'_>,
    is_running: &dyn Fn() -> bool,
    text: &dyn Fn() -> String,
    mut meanwhile: Option<&mut dyn FnMut()>,
) {
    let watched = is_watched();
    if !watched && meanwhile.is_none() {
        return;
    }
    const SHORTEST: Duration = Duration::from_micros(100);
    const LONGEST: Duration = Duration::from_millis(20);
    let started = Instant::now();
    let mut next = started + INTERVAL;
    let mut nap = SHORTEST;
    let mut line: Option<ProgressBar> = None;
    while is_running() {
        sleep(nap);
        nap = (nap * 2).min(LONGEST);
        if let Some(meanwhile) = &mut meanwhile {
            meanwhile();
        }
        if watched && Instant::now() >= next {
            next += INTERVAL;
            let text = format!("{}{}", watch.label, text());
            line.get_or_insert_with(|| line_above(watch.bar)).set_message(text);
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

/// A bar for a file of positions, where someone can see it: how many are
/// settled, not settled and left, and how long it may take.
pub(crate) struct SetBar(Option<(MultiProgress, ProgressBar)>);

impl SetBar {
    /// A bar for so many positions.
    pub(crate) fn new(positions: u64) -> SetBar {
        SetBar(is_watched().then(|| {
            let bars = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
            let bar = bars.add(ProgressBar::new(positions));
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {wide_msg}") {
                bar.set_style(style);
            }
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
        let mut text = format!("{settled} settled, {open} not, {left} left");
        if done > known && left > 0 {
            let mean = bar.elapsed().as_secs_f64() / (done - known) as f64;
            let rest = Duration::from_secs_f64(mean * left as f64);
            text.push_str(&format!(", about {}", figures::time(rest)));
        }
        bar.set_message(text);
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

/// Whether standard error is a terminal that can redraw a line.
pub(crate) fn is_watched() -> bool {
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

/// The time that has passed, or that is left.
fn time(elapsed: Duration, budget: &Budget) -> String {
    match budget.time {
        Some(time) => format!("{} left", figures::time(time.saturating_sub(elapsed))),
        None => figures::time(elapsed),
    }
}

/// The line of a proof search.
fn describe_proof(answer: &ProofAnswer, budget: &Budget) -> String {
    let mut parts = vec![time(answer.elapsed, budget)];
    if let Some(asked) = answer.asked.last() {
        parts.push(proof_text::question(&answer.players, asked));
    }
    if answer.value != Value::Unknown {
        parts.push(answer.value.to_string());
    }
    parts.push(format!("{} nodes", figures::count(answer.nodes as f64)));
    parts.push(format!("{} nodes/s", figures::count(answer.nodes_per_second)));
    parts.join("  ")
}

/// A line above a bar, if there is one.
fn line_above(bar: Option<&SetBar>) -> ProgressBar {
    let line = new_line();
    match bar.and_then(|bar| bar.0.as_ref()) {
        Some((bars, bar)) => bars.insert_before(bar, line),
        None => line,
    }
}

/// The line's text, the least important last: narrow terminals cut it.
fn describe(answer: &Answer, budget: &Budget) -> String {
    let time = time(answer.elapsed, budget);
    let best = answer.best_move.as_deref().unwrap_or("-");
    let mean =
        table::points(answer).map_or_else(String::new, |mean| format!(" {}", figures::share(mean)));
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
