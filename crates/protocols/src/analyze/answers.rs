//! Writes answers to standard output on a separate thread.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};

const UNWRITTEN: usize = 256;

#[derive(Clone)]
pub(super) struct Answers(SyncSender<Out>);

pub(super) enum Out {
    Line(String),
    End,
}

impl Answers {
    pub(super) fn channel() -> (Answers, Receiver<Out>) {
        let (sender, receiver) = mpsc::sync_channel(UNWRITTEN);
        (Answers(sender), receiver)
    }

    /// Passes an answer to the writing thread; blocks while the client reads too slowly.
    pub(super) fn send(&self, answer: String) {
        // If the writer has ended, it has already reported why.
        let _ = self.0.send(Out::Line(answer));
    }

    /// Ends the writing thread once it has written the answers sent so far.
    pub(super) fn end(&self) {
        let _ = self.0.send(Out::End);
    }
}

/// Writes lines; flushes when no further line is ready.
pub(super) fn write(lines: &Receiver<Out>, output: Box<dyn Write + Send>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, output);
    loop {
        let next = match lines.try_recv() {
            Ok(next) => next,
            Err(_) => {
                out.flush()?;
                match lines.recv() {
                    Ok(next) => next,
                    Err(_) => return Ok(()),
                }
            }
        };
        match next {
            Out::Line(line) => {
                out.write_all(line.as_bytes())?;
                out.write_all(b"\n")?;
            }
            Out::End => return out.flush(),
        }
    }
}
