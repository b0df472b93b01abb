//! `proofwood perft`: counts move sequences to check the rules.

use crate::input::positions::Start;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::print::Printer;
use proofwood_any_game::Position;
use proofwood_session::input::limits::whole;
use proofwood_session::json::PerftJson;
use proofwood_session::words::numbers;
use proofwood_session::{Ended, Trouble};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Count the sequences of moves up to a depth
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood perft othello --depth 6
  proofwood perft connect-four --depth 8 --moves 444 --json

Games that end before the depth is reached are not counted.

Exit status: 0 when the count is complete, 130 after Ctrl-C, which stops at once and
keeps the complete depths.")]
pub(crate) struct Perft {
    #[command(flatten)]
    start: Start,
    /// Depth in moves, 0 to 1000
    #[arg(short, long, value_name = "NUMBER", value_parser = whole::<u32>(0..=1000), allow_negative_numbers = true)]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Perft {
    /// Counts one depth after another, and prints each count as soon as it is known.
    pub(crate) fn run(self, printer: &mut Printer) -> Result<Ended, Trouble> {
        let found = self.start.find()?;
        let interrupt = Interrupt::catch()?;
        let started = Instant::now();
        let mut counts = Vec::new();
        for depth in 1..=self.depth {
            // If there are no sequences of some length, there are none of any greater length.
            let count = match counts.last() {
                Some(0) => 0,
                _ => match count(&*found.position, depth, &interrupt)? {
                    Some(count) => count,
                    None => break,
                },
            };
            counts.push(count);
            if !self.json {
                let time = numbers::time(started.elapsed());
                printer.text(&format!("depth {depth:>3}  {count:>20}  {time:>12}\n"))?;
            }
        }
        let complete = counts.len() == self.depth as usize;
        let nodes = counts.last().copied().unwrap_or(1);
        if self.json {
            let position = found.position.text();
            printer.json(&PerftJson {
                game: &found.game,
                position: Some(position.as_str()).filter(|text| !text.is_empty()),
                depth: counts.len() as u32,
                nodes,
                nodes_by_depth: &counts,
                seconds: started.elapsed().as_secs_f64(),
            })?;
        } else if complete {
            printer.text(&format!("nodes {nodes}\n"))?;
        }
        Ok(if complete { Ended::Done } else { Ended::Interrupted })
    }
}

/// Counts on a thread that may outlive this call; returns `None` after Ctrl-C.
fn count(
    position: &dyn Position,
    depth: u32,
    interrupt: &Interrupt,
) -> Result<Option<u64>, Trouble> {
    const NAP: Duration = Duration::from_millis(10);
    let position = position.copy();
    let (sender, result) = mpsc::channel();
    let counting = thread::spawn(move || {
        // After Ctrl-C the receiver no longer exists.
        let _ = sender.send(position.perft(depth));
    });
    loop {
        match result.recv_timeout(NAP) {
            Ok(count) => return Ok(Some(count)),
            Err(RecvTimeoutError::Timeout) if interrupt.is_raised() => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                let panic = counting.join().err().unwrap_or_else(|| Box::new(()));
                std::panic::resume_unwind(panic);
            }
        }
    }
}
