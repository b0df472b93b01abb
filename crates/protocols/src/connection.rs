//! The connection to the program that drives the engine.

use proofwood_session::Trouble;
use std::io::{BufRead, Write};

/// A connection to another program, such as standard input and output.
pub struct Connection<'i> {
    /// The lines from the other program.
    pub input: Box<dyn BufRead + Send>,
    /// The stream to which answers are written.
    pub output: Box<dyn Write + Send>,
    /// Registers a function to be called when the user interrupts the program, as with Ctrl-C.
    pub on_interrupt: &'i dyn Fn(Box<dyn Fn() + Send>) -> Result<(), Trouble>,
}

/// The stream to the other program.
pub(crate) struct Output(pub(crate) Box<dyn Write + Send>);

impl Output {
    /// Writes text unchanged and flushes it.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Trouble> {
        let written = self.0.write_all(text.as_bytes()).and_then(|()| self.0.flush());
        written.map_err(|error| Trouble::writing("standard output", &error))
    }
}
