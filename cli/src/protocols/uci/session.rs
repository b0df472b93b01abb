//! A session: a game at which the engine sits, and how it was told.

use super::super::events::Events;
use super::super::table::Table;
use super::dialect::Dialect;
use crate::terminal::print::Printer;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::{Trouble, cut};

/// A session.
pub(crate) struct Session<'p> {
    pub(super) table: Table,
    pub(super) dialect: Dialect,
    pub(super) options: SearchOptions,
    /// Where the game began, and the moves since, as they were written.
    pub(super) told: (String, Vec<String>),
    /// Why there is no position.
    pub(super) broken: Option<String>,
    /// How many lines of play are told at a time.
    pub(super) lines: usize,
    pub(super) events: Events,
    pub(super) printer: &'p mut Printer,
    pub(super) quit: bool,
}

impl<'p> Session<'p> {
    /// A session at a table. `options` are those of the command line.
    pub(crate) fn new(
        table: Table,
        dialect: Dialect,
        options: SearchOptions,
        events: Events,
        printer: &'p mut Printer,
    ) -> Session<'p> {
        let told = ("startpos".into(), Vec::new());
        let (broken, lines, quit) = (None, 1, false);
        Session { table, dialect, options, told, broken, lines, events, printer, quit }
    }

    /// Says something that is no part of the protocol.
    pub(super) fn tell(&mut self, what: &str) -> Result<(), Trouble> {
        self.printer.text(&format!("info string {}\n", cut(what)))
    }
}
