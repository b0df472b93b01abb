//! `proofwood solve --positions`: the values of all positions in a file.

use super::live::Shown;
use super::report_to::ReportTo;
use super::solution_text;
use crate::exit::complain;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::is_watched;
use crate::terminal::print::Printer;
use crate::terminal::progress::{SetLine, Watch};
use proofwood_session::input::position_file::{Entry, PositionFile};
use proofwood_session::solving::observer::Observer;
use proofwood_session::solving::set::{LineAnswer, Set, SetTask, Watcher};
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble, cut};
use std::cell::RefCell;
use std::time::Instant;

/// Solves a set and prints its answers.
pub(crate) fn solve(
    task: SetTask<'_>,
    report: &ReportTo,
    interrupt: &Interrupt,
    printer: &mut Printer,
) -> Result<Ended, Trouble> {
    let json = report.is_json();
    let lines = || PositionFile::count(task.positions).unwrap_or(0);
    let line = SetLine::new(if is_watched() { interrupt.wait_for(lines) } else { 0 });
    let printer = RefCell::new(printer);
    let screen = Screen { interrupt, json, line, printer: &printer };
    let set = Set::prepare(task, screen)?;
    let started = Instant::now();
    let (ended, counts) = set.run()?;
    if !json {
        printer.borrow_mut().text(&counts.text(&numbers::time(started.elapsed())))?;
    }
    Ok(ended)
}

/// Prints the answers, with a progress line below them.
struct Screen<'s, 'p> {
    interrupt: &'s Interrupt,
    json: bool,
    line: SetLine,
    printer: &'s RefCell<&'p mut Printer>,
}

impl Watcher for Screen<'_, '_> {
    fn wait<T>(&self, input: impl FnOnce() -> T) -> T {
        self.interrupt.wait_for(input)
    }

    fn observer<'o>(&'o self, label: &'o str) -> Box<dyn Observer + 'o> {
        Box::new(Shown::new(Watch { label, set: Some(&self.line) }))
    }

    fn show(&self, entry: &Entry, answer: LineAnswer<'_>, json: &str) -> Result<(), Trouble> {
        let label = entry.id.as_deref().map_or_else(|| entry.line.to_string(), cut);
        let text = match answer {
            _ if self.json => json.to_string(),
            LineAnswer::Here(solution, position) => {
                let shortest = solution_text::shortest_text(solution, &position.view());
                solution_text::line(solution, &label) + &shortest
            }
            LineAnswer::Remote(answered) => solution_text::line_of_other(answered, &label),
            LineAnswer::Error(error) => format!("{label:<8} error: {error}\n"),
        };
        self.line.suspend(|| self.printer.borrow_mut().text(&text))
    }

    fn count(&self, solved: u64, open: u64, earlier: u64) {
        self.line.update(solved, open, earlier);
    }

    fn complain(&self, what: &str) {
        self.line.suspend(|| complain(&what));
    }
}
