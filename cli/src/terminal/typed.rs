//! Lines from a person at a terminal, or from a pipe.

use super::interrupt::Interrupt;
use super::lines::Lines;
use proofwood_session::Trouble;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, IsTerminal};

/// Where lines come from.
pub(crate) enum Input {
    /// A terminal: lines can be edited, and earlier ones called back.
    Person(Box<DefaultEditor>),
    /// Anything else.
    Pipe(Lines<io::StdinLock<'static>>),
}

/// What came.
pub(crate) enum Typed {
    /// A line without its end.
    Text(String),
    /// A line that cannot be read, for this reason.
    Unreadable(String),
    /// Ctrl-C in place of a line.
    Interrupted,
    /// Nothing more will come.
    End,
}

impl Input {
    /// Standard input.
    pub(crate) fn open() -> Result<Input, Trouble> {
        if !io::stdin().is_terminal() {
            return Ok(Input::Pipe(Lines::new(io::stdin().lock())));
        }
        let editor = DefaultEditor::new();
        editor.map(|editor| Input::Person(Box::new(editor))).map_err(|error| failed(&error))
    }

    /// Whether somebody sits at a terminal.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Input::Person(_))
    }

    /// Waits for a line; a person is asked for it with the prompt.
    pub(crate) fn next(&mut self, prompt: &str, interrupt: &Interrupt) -> Result<Typed, Trouble> {
        match self {
            Input::Pipe(lines) => match interrupt.wait_for(|| lines.next()) {
                Ok(None) => Ok(Typed::End),
                Ok(Some(line)) => Ok(line.map_or_else(Typed::Unreadable, Typed::Text)),
                Err(error) => Err(Trouble::reading("standard input", &error)),
            },
            Input::Person(editor) => match interrupt.wait_for(|| editor.readline(prompt)) {
                Ok(line) => {
                    // A line that cannot be remembered can be typed again.
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
