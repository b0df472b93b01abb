//! Reads lines from a person at a terminal, or from a pipe.

use super::interrupt::Interrupt;
use proofwood_session::Trouble;
use proofwood_session::input::lines::Lines;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, IsTerminal};

pub(crate) enum Input {
    /// A terminal, with editing and history.
    Person(Box<DefaultEditor>),
    Pipe(Lines<io::StdinLock<'static>>),
}

pub(crate) enum Typed {
    Text(String),
    /// A line that cannot be read, with the reason.
    Unreadable(String),
    /// The user pressed Ctrl-C instead of entering a line.
    Interrupted,
    End,
}

impl Input {
    pub(crate) fn open() -> Result<Input, Trouble> {
        if !io::stdin().is_terminal() {
            return Ok(Input::Pipe(Lines::new(io::stdin().lock())));
        }
        let editor = DefaultEditor::new();
        editor.map(|editor| Input::Person(Box::new(editor))).map_err(|error| failed(&error))
    }

    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Input::Person(_))
    }

    /// Waits for a line, with a prompt on a terminal.
    pub(crate) fn next(&mut self, prompt: &str, interrupt: &Interrupt) -> Result<Typed, Trouble> {
        match self {
            Input::Pipe(lines) => match interrupt.wait_for(|| lines.next()) {
                Ok(None) => Ok(Typed::End),
                Ok(Some(line)) => Ok(line.map_or_else(Typed::Unreadable, Typed::Text)),
                Err(error) => Err(Trouble::reading("standard input", &error)),
            },
            Input::Person(editor) => match interrupt.wait_for(|| editor.readline(prompt)) {
                Ok(line) => {
                    // If this fails, the line is missing only from the history.
                    let _ = editor.add_history_entry(line.as_str());
                    Ok(Typed::Text(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(error) => Err(failed(&error)),
            },
        }
    }
}

fn failed(error: &ReadlineError) -> Trouble {
    Trouble::Failed(format!("cannot read from the terminal: {error}"))
}
