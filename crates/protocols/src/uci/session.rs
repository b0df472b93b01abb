//! A game in progress, and the commands that led to it.

use super::super::events::Events;
use super::super::table::Table;
use super::dialect::Dialect;
use crate::connection::Output;
use proofwood_session::input::options::SearchOptions;
use proofwood_session::{Trouble, cut};

pub(super) struct Session {
    pub(super) table: Table,
    pub(super) dialect: Dialect,
    pub(super) options: SearchOptions,
    /// The start of the game and the moves, as the other side sent them.
    pub(super) told: (String, Vec<String>),
    /// The error of the last `position` command, if it failed.
    pub(super) broken: Option<String>,
    pub(super) lines: usize,
    pub(super) events: Events,
    pub(super) output: Output,
    pub(super) quit: bool,
}

impl Session {
    pub(super) fn new(
        table: Table,
        dialect: Dialect,
        options: SearchOptions,
        events: Events,
        output: Output,
    ) -> Session {
        let told = ("startpos".into(), Vec::new());
        let (broken, lines, quit) = (None, 1, false);
        Session { table, dialect, options, told, broken, lines, events, output, quit }
    }

    /// Prints a message for the user, as `info string`.
    pub(super) fn tell(&mut self, what: &str) -> Result<(), Trouble> {
        self.output.text(&format!("info string {}\n", cut(what)))
    }
}
