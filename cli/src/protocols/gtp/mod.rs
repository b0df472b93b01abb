//! The Go Text Protocol, version 2, for all games, with GoGui's extensions for games that
//! are not Go and for analysis.
//!
//! - [`line`]: what a line asks for, and how it is answered.
//! - [`commands`]: the commands that play.
//! - [`board`]: GoGui's, which show a board.
//! - [`analysis`]: those that tell what a search knows.
//! - [`clock`]: the players' clocks.

mod analysis;
mod board;
mod clock;
mod commands;
mod line;

use super::events::{Event, Events, Heard};
use super::table::Table;
use crate::terminal::print::Printer;
use clock::Clocks;
use line::{Command, answer};
use proofwood::Budget;
use proofwood_notation::gtp::{Colours, Letters, Notation};
use proofwood_session::{Ended, Trouble, cut};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What is wrong with a command, or ends the session.
pub(super) enum Stop {
    /// The command fails; the session goes on.
    Wrong(String),
    /// Nothing more can be said.
    Fatal(Trouble),
}

impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop::Wrong(why)
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Stop {
        Stop::Wrong(why.into())
    }
}

impl From<Trouble> for Stop {
    fn from(failure: Trouble) -> Stop {
        match failure {
            Trouble::ClosedPipe => Stop::Fatal(failure),
            other => Stop::Wrong(other.to_string()),
        }
    }
}

/// What a command answers.
type Reply = Result<String, Stop>;

/// A session.
pub(crate) struct Gtp<'p> {
    table: Table,
    letters: Letters,
    clocks: Clocks,
    /// Whether the command line limits a move.
    limited: bool,
    events: Events,
    printer: &'p mut Printer,
    quit: bool,
}

impl<'p> Gtp<'p> {
    /// A session at a table.
    pub(crate) fn new(
        table: Table,
        letters: Letters,
        limited: bool,
        events: Events,
        printer: &'p mut Printer,
    ) -> Gtp<'p> {
        Gtp { table, letters, clocks: Clocks::default(), limited, events, printer, quit: false }
    }

    /// Answers commands until the input ends.
    pub(crate) fn run(mut self) -> Result<Ended, Trouble> {
        while !self.quit {
            match self.events.next() {
                Event::Line(Ok(line)) => self.obey(&line)?,
                Event::Line(Err(why)) => self.printer.text(&answer(None, Err(&why)))?,
                Event::End => break,
                Event::Interrupted => return Ok(Ended::Interrupted),
                Event::Searched => {}
            }
        }
        Ok(if self.events.interrupted { Ended::Interrupted } else { Ended::Done })
    }

    /// Does what a line says, and answers.
    fn obey(&mut self, line: &str) -> Result<(), Trouble> {
        let Some(command) = Command::read(line) else { return Ok(()) };
        // A game that fails has a command fail, and not the session.
        let reply = catch_unwind(AssertUnwindSafe(|| self.reply(&command)));
        let reply = reply.unwrap_or_else(|_| Err("internal error: a panic".into()));
        let text = match &reply {
            Ok(text) => answer(command.id, Ok(text)),
            Err(Stop::Wrong(why)) => answer(command.id, Err(&cut(why))),
            Err(Stop::Fatal(_)) => String::new(),
        };
        match reply {
            Err(Stop::Fatal(failure)) => Err(failure),
            // What analysis says it has said already.
            Ok(_) if command.answers_itself() => Ok(()),
            _ => self.printer.text(&text),
        }
    }

    fn colours(&self) -> Colours {
        Colours::of(&self.table.rules.player_names())
    }

    /// How moves are written at this position.
    fn notation(&self) -> Notation {
        Notation::at(self.letters, &self.table.position.view())
    }

    /// What a move of this player may take.
    fn budget(&self, player: usize) -> Budget {
        let usual = self.table.usual();
        match self.clocks.time(player) {
            None => usual,
            Some(time) => {
                let most = usual.time.filter(|_| self.limited);
                usual.time(most.map_or(time, |most| most.min(time)))
            }
        }
    }
}

/// What is to become of a line that comes while a move is sought.
fn while_thinking(line: Option<&str>) -> Heard {
    match line.map(str::trim) {
        Some("# interrupt") => Heard::Stop,
        _ => Heard::Later,
    }
}
