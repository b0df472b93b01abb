//! The live line: what a running search knows, on a terminal.
//!
//! It is written to standard error, and only where that is a terminal; it
//! appears after a quarter of a second and is gone when the search ends.

use crate::checkpoint::Checkpoints;
use crate::figures;
use crate::minutes;
use crate::screen::{self, Line};
use crate::{proof_text, table};
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use proofwood::{Budget, SearchError, Value};
use proofwood_any_game::{Answer, ProofAnswer, Proving, Searching};
use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(250);
/// Columns of a line in a log.
const LOGGED: usize = 120;

/// How a search's line is shown.
#[derive(Clone, Copy, Default)]
pub(crate) struct Watch<'w> {
    /// What is searched.
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
    show(watch, &running, &|| describe(watch.label, &search.snapshot(), budget), None);
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
    let text = || describe_proof(watch.label, &search.snapshot(), budget);
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
pub(crate) struct Progress(Option<ProgressBar>);

impl Progress {
    /// A line that says nothing yet.
    pub(crate) fn new() -> Progress {
        Progress(is_watched().then(new_line))
    }

    /// Says what is being done.
    pub(crate) fn show(&self, what: &Line) {
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
        .item(2, rest.map_or_else(String::new, |rest| format!("about {}", figures::time(rest))))
}

/// Whether standard error is a terminal that can redraw a line.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn new_line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    // What is too wide all the same, as after a terminal has shrunk, is cut.
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
fn describe_proof(label: &str, answer: &ProofAnswer, budget: &Budget) -> Line {
    let known = if answer.value == Value::Unknown { "" } else { answer.value.name() };
    let asked = answer.asked.last();
    let asked =
        asked.map_or_else(String::new, |asked| proof_text::short_question(&answer.players, asked));
    Line::new()
        .item(5, label)
        .item(1, time(answer.elapsed, budget))
        .item(3, asked)
        .item(0, known)
        .item(4, format!("{} nodes", figures::count(answer.nodes as f64)))
        .item(2, format!("{} nodes/s", figures::count(answer.nodes_per_second)))
}

/// A line above a bar, if there is one.
fn line_above(bar: Option<&SetBar>) -> ProgressBar {
    let line = new_line();
    match bar.and_then(|bar| bar.0.as_ref()) {
        Some((bars, bar)) => bars.insert_before(bar, line),
        None => line,
    }
}

/// The line of a search: first of all the best move, and the rate before bounds
/// and proof numbers.
fn describe(label: &str, answer: &Answer, budget: &Budget) -> Line {
    let best = answer.best_move.as_deref().unwrap_or("-");
    let mean =
        table::points(answer).map_or_else(String::new, |mean| format!(" {}", figures::share(mean)));
    let known = if answer.value == Value::Unknown { "" } else { answer.value.name() };
    let payoff = figures::payoff(answer.bounds, answer.expected);
    let payoff_name = if answer.expected.is_some() { "expected payoff" } else { "bounds" };
    let numbers = figures::proof_numbers(&answer.proof_numbers).replace(' ', "");
    Line::new()
        .item(9, label)
        .item(1, time(answer.elapsed, budget))
        .item(0, format!("best {best}{mean}"))
        .item(2, known)
        .item(3, format!("{} playouts/s", figures::count(answer.playouts_per_second)))
        .item(5, format!("{payoff_name} {payoff}"))
        .item(6, format!("proof numbers {numbers}"))
        .item(7, format!("{} nodes", figures::count(answer.nodes as f64)))
        .item(8, figures::bytes(answer.bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::tests::check;
    use proofwood::{Algorithm, Chance, Config, ProofGoal, ProverConfig};
    use proofwood_any_game::find;

    /// As large as figures get in a long search.
    fn long(answer: &mut Answer) {
        answer.elapsed = Duration::from_secs(59 * 60 + 59);
        answer.nodes = 123_456_789;
        answer.bytes = 12 << 30;
        answer.playouts_per_second = 1_234_567.0;
    }

    #[test]
    fn the_line_of_a_search_fits() {
        let budget = Budget::default().time(Duration::from_secs(7200));
        for (game, always) in [
            ("othello", "proof numbers"),
            ("pig:20", "expected payoff"),
            ("chinese-checkers:players=6", "bounds"),
            ("minishogi", "playouts/s"),
        ] {
            let position = find(game).unwrap().start();
            for chance in [Chance::Closed, Chance::Open] {
                let config = Config::default().threads(1).memory(16 << 20);
                let config = if chance == Chance::Open { config.open_loop() } else { config };
                let mut search = position.search(&config).unwrap();
                search.start(&Budget::default().playouts(200)).unwrap();
                let mut answer = search.wait().unwrap();
                for long_figures in [false, true] {
                    if long_figures {
                        long(&mut answer);
                    }
                    let best = format!("best {}", answer.best_move.as_deref().unwrap_or("-"));
                    let line = describe("", &answer, &budget);
                    let rate = (60, "playouts/s");
                    let always = if chance == Chance::Open { "playouts/s" } else { always };
                    check(&line, &[(32, best.as_str()), rate, (150, always), (40, "left")]);
                    // The rate goes after the bounds have gone.
                    for width in 20..=200 {
                        let text = line.text(width);
                        let bounds = text.contains("bounds") || text.contains("expected");
                        assert!(!bounds || text.contains("playouts/s"), "{width}: {text}");
                    }
                    check(&describe("line-123, a long name", &answer, &budget), &[]);
                }
            }
        }
    }

    #[test]
    fn the_line_of_every_prover_fits() {
        let position = find("connect-four").unwrap().start();
        for &algorithm in Algorithm::ALL {
            for goal in [ProofGoal::Outcome, ProofGoal::DrawOrBetter, ProofGoal::Score] {
                let config = ProverConfig::default()
                    .algorithm(algorithm)
                    .goal(goal)
                    .threads(1)
                    .table(1 << 16);
                let mut search = position.prove(&config).unwrap();
                search.start(&Budget::default().nodes(200)).unwrap();
                let mut answer = search.wait().unwrap();
                (answer.nodes, answer.nodes_per_second) = (123_456_789, 6_020_000.0);
                answer.elapsed = Duration::from_secs(7300);
                let always = [(20, "2 h 1 min"), (60, "nodes/s"), (90, ": ")];
                check(&describe_proof("", &answer, &Budget::default()), &always);
                check(
                    &describe_proof("loa-hard 17, 65536 entries", &answer, &Budget::default()),
                    &[],
                );
            }
        }
    }

    #[test]
    fn the_line_of_a_set_fits() {
        let rest = Some(Duration::from_secs(3000));
        check(&set_line(1234, 123, 12_345, rest), &[(20, "12345 left"), (50, "about 50 min 0 s")]);
        check(&set_line(0, 0, 3, None), &[(40, "0 settled  0 not  3 left")]);
    }
}
