//! Writes answers to standard output.
//!
//! Every write reports its failure: a closed pipe ends the program silently, a full disk with an
//! error.

use proofwood_session::Trouble;
use proofwood_session::files::json_line;
use serde::Serialize;
use std::io::{self, Write};

const STDOUT: &str = "standard output";

/// Writes to standard output and flushes after each write.
pub struct Printer {
    stream: anstream::AutoStream<io::Stdout>,
}

impl Printer {
    /// Opens standard output. Colours are written only to a terminal.
    #[expect(clippy::new_without_default, reason = "the program has one")]
    pub fn new() -> Printer {
        Printer { stream: anstream::stdout() }
    }

    pub fn text(&mut self, text: &str) -> Result<(), Trouble> {
        let written = self.stream.write_all(text.as_bytes()).and_then(|()| self.stream.flush());
        written.map_err(|error| Trouble::writing(STDOUT, &error))
    }

    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Trouble> {
        self.text(&json_line(value)?)
    }
}
