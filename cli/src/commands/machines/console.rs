//! Shows the machines' messages and progress on the terminal.

use crate::display::screen::Line;
use crate::exit::complain;
use crate::solving::live::Shown;
use crate::terminal::print::Printer;
use crate::terminal::progress::Progress;
use proofwood_cluster::Console;
use proofwood_session::Trouble;
use proofwood_session::solving::observer::Observer;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct Terminal {
    printer: Mutex<Printer>,
    progress: Mutex<Option<Progress>>,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Terminal {
    pub(crate) fn console() -> Arc<dyn Console> {
        let (printer, progress) = (Mutex::new(Printer::new()), Mutex::default());
        Arc::new(Terminal { printer, progress })
    }
}

impl Console for Terminal {
    fn print(&self, lines: &str) -> Result<(), Trouble> {
        lock(&self.printer).text(&format!("{lines}\n"))
    }

    fn complain(&self, line: &str) {
        complain(&line);
    }

    fn show(&self, items: Vec<(u8, String)>) {
        let mut progress = lock(&self.progress);
        if items.is_empty() {
            *progress = None;
            return;
        }
        let line = items.into_iter().fold(Line::new(), |line, (rank, text)| line.item(rank, text));
        progress.get_or_insert_with(Progress::new).show(&line);
    }

    fn observer(&self) -> Box<dyn Observer + '_> {
        Box::new(Shown::default())
    }
}
