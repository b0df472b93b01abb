//! Adapter for OpenSpiel's Monte Carlo tree search with its solver, in a Python process (`pip
//! install open_spiel`). OpenSpiel has its own implementation of the same games, and its own
//! playouts.

use super::{Chooser, Played};
use crate::Failure;
use crate::position::{Position, Rules};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

const SCRIPT: &str = include_str!("open_spiel.py");

pub(super) struct Process {
    child: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
    took: Duration,
}

impl Process {
    /// Starts the process. It measures wall time, which on one thread is at least the processor
    /// time.
    pub(super) fn start(played: &Played<'_>) -> Result<Process, Failure> {
        let Played { time, open_spiel, python } = *played;
        let missing = |error| format!("--python: '{python}' does not start: {error}");
        let mut child = Command::new(python)
            .args(["-c", SCRIPT, open_spiel, &time.as_secs_f64().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(missing)?;
        let (Some(asked), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("a process without pipes".into());
        };
        Ok(Process { child, asked, answers: BufReader::new(answers), took: Duration::ZERO })
    }
}

impl<G: Rules> Chooser<G> for Process {
    fn choose(&mut self, root: Position<G>, moves: &[G::Move]) -> Option<G::Move> {
        let mut state = root.game.initial_state();
        let mut line = String::new();
        for &mv in moves {
            line += &root.game.move_text(&state, mv);
            line.push(' ');
            root.game.play(&mut state, mv);
        }
        writeln!(self.asked, "{line}").ok()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).ok()?;
        let (text, seconds) = answer.trim().split_once(' ')?;
        self.took = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
        root.game.parse_move(&state, text).ok()
    }

    fn took_elsewhere(&self) -> Duration {
        self.took
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
