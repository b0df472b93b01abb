//! The way of answers to standard output, over a channel with a greatest length.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, SyncSender};

/// The greatest number of answers that wait to be written.
const UNWRITTEN: usize = 256;

/// The end of the channel that takes answers.
#[derive(Clone)]
pub(super) struct Answers(SyncSender<Out>);

/// A message to the thread that writes.
pub(super) enum Out {
    Line(String),
    End,
}

impl Answers {
    /// A channel for answers.
    pub(super) fn channel() -> (Answers, Receiver<Out>) {
        let (sender, receiver) = mpsc::sync_channel(UNWRITTEN);
        (Answers(sender), receiver)
    }

    /// Hands an answer over; waits while the client does not read.
    pub(super) fn send(&self, answer: String) {
        // A writer that has gone has said why.
        let _ = self.0.send(Out::Line(answer));
    }

    /// Ends the thread that writes, when all answers before are written.
    pub(super) fn end(&self) {
        let _ = self.0.send(Out::End);
    }
}

/// Writes lines, and shows them when no other is ready.
pub(super) fn write(lines: &Receiver<Out>) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
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
