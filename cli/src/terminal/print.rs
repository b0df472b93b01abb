//! Where answers are written: standard output.
//!
//! Every write can fail, and says so: a closed pipe ends the program without
//! a word, a full disk with an error.

use proofwood_session::Trouble;
use proofwood_session::files::json_line;
use serde::Serialize;
use std::io::{self, Write};

const STDOUT: &str = "the standard output";

/// Standard output.
pub struct Printer {
    stream: anstream::AutoStream<io::Stdout>,
}

impl Printer {
    /// Colours are written only where they can be seen.
    #[expect(clippy::new_without_default, reason = "the program has one")]
    pub fn new() -> Printer {
        Printer { stream: anstream::stdout() }
    }

    /// Writes text as it is and shows it at once.
    pub fn text(&mut self, text: &str) -> Result<(), Trouble> {
        let written = self.stream.write_all(text.as_bytes()).and_then(|()| self.stream.flush());
        written.map_err(|error| Trouble::writing(STDOUT, &error))
    }

    /// Writes one JSON document on one line.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Trouble> {
        self.text(&json_line(value)?)
    }
}
