//! The Go Text Protocol, version 2, for all games, with GoGui's extensions for analysis and for
//! games other than Go.
//!
//! - [`line`]: the commands and answers of the protocol as lines of text.
//! - [`commands`]: the commands for playing a game.
//! - [`board`]: the commands through which GoGui shows a game as a board.
//! - [`analysis`]: the commands that report on a search.

mod analysis;
mod board;
mod clock;
mod command;
mod commands;
mod line;
mod session;

pub use command::Gtp;

use super::events::Event;
use line::{Command, answer};
use proofwood_session::{Ended, Trouble, cut};
use session::{Session, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Session {
    fn run(mut self) -> Result<Ended, Trouble> {
        while !self.quit {
            match self.events.next() {
                Event::Line(Ok(line)) => self.obey(&line)?,
                Event::Line(Err(why)) => self.output.text(&answer(None, Err(&why)))?,
                Event::End => break,
                Event::Interrupted => return Ok(Ended::Interrupted),
                Event::Searched => {}
            }
        }
        Ok(if self.events.interrupted { Ended::Interrupted } else { Ended::Done })
    }

    fn obey(&mut self, line: &str) -> Result<(), Trouble> {
        let Some(command) = Command::read(line) else { return Ok(()) };
        // A panic in a game must not end the session.
        let reply = catch_unwind(AssertUnwindSafe(|| self.reply(&command)));
        let reply = reply.unwrap_or_else(|_| Err("internal error: the program panicked".into()));
        let text = match &reply {
            Ok(text) => answer(command.id, Ok(text)),
            Err(Stop::Wrong(why)) => answer(command.id, Err(&cut(why))),
            Err(Stop::Fatal(_)) => String::new(),
        };
        match reply {
            Err(Stop::Fatal(failure)) => Err(failure),
            // The analysis has written its answer already.
            Ok(_) if command.answers_itself() => Ok(()),
            _ => self.output.text(&text),
        }
    }
}
