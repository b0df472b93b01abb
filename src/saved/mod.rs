//! The parts that files with trees and files with provers' tables share: a header, which consists of
//! lines; numbers and blocks, which are followed by a digest; and the errors.
//!
//! The header contains everything on which the meaning of the rest depends. A file whose header
//! differs from the search in any line is refused. The digest detects damage but not forgery; a
//! [certificate](https://docs.rs/proofwood-certificate) does not depend on these files.

mod error;
mod stream;

pub use error::SavedError;
pub(crate) use error::damaged;
pub(crate) use stream::{Reader, Writer};

use crate::bounds::Interval;
use crate::game::Game;
use crate::rules::root_key;
use std::io;

const LONGEST_LINE: usize = 1 << 20;

/// The lines of a header, each with the name of its property.
pub(crate) struct Header(Vec<(String, String)>);

impl Header {
    /// Creates the lines that all files have. `kind` is the format's name and version, `spec` is
    /// the game's text, and `position` is the root's text and key.
    pub(crate) fn new(kind: &str, spec: &str, position: (String, u64)) -> Header {
        let one_line = |text: &str| text.replace(char::is_control, " ");
        let mut header = Header(Vec::new());
        header.line("the format", kind.into());
        header.line("the program", format!("proofwood {}", env!("CARGO_PKG_VERSION")));
        header.line("the game", one_line(spec));
        header.line("the position", one_line(&position.0));
        header.line("the root", format!("{:016x}", position.1));
        header
    }

    pub(crate) fn payoffs(&mut self, ranges: &[Interval]) {
        let ranges = ranges.iter().map(|range| format!(" {}..{}", range.lower, range.upper));
        self.line("the payoffs", format!("payoffs{}", ranges.collect::<String>()));
    }

    pub(crate) fn line(&mut self, what: impl Into<String>, line: String) {
        self.0.push((what.into(), line));
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(what, line)| (&**what, &**line))
    }

    pub(crate) fn write(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.lines().try_for_each(|(_, line)| {
            out.bytes(line.as_bytes())?;
            out.byte(b'\n')
        })
    }

    pub(crate) fn check(&self, input: &mut Reader<'_>) -> Result<(), SavedError> {
        let format = self.0[0].1.split(' ').next().unwrap_or_default();
        for (number, (what, ours)) in self.0.iter().enumerate() {
            let line = input.line(LONGEST_LINE)?;
            if line == ours.as_bytes() {
                continue;
            }
            let theirs = String::from_utf8_lossy(&line);
            let theirs: String = theirs.chars().filter(|c| !c.is_control()).take(200).collect();
            if number == 0 && theirs.split(' ').next() != Some(format) {
                return Err(SavedError::Damaged(format!(
                    "the file does not begin with '{format}'"
                )));
            }
            return Err(SavedError::Foreign { what: what.clone(), theirs, ours: ours.clone() });
        }
        Ok(())
    }
}

pub(crate) fn text_and_key<G: Game>(game: &G, position: &G::State) -> (String, u64) {
    (game.state_text(position), root_key(game, position))
}
