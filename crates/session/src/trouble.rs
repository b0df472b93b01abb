//! The possible results of a task, and its errors. The program derives its exit status from them.

use crate::wording;
use proofwood::SearchError;
use proofwood::error::ConfigError;
use proofwood_any_game::Stuck;
use std::fmt::Display;
use std::io;

/// The result of a task that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// Everything succeeded.
    Done,
    /// The question remains open.
    Unsolved,
    /// Some lines of a file could not be read; the others were answered.
    BadLines,
    /// Something failed, and the failure has been reported.
    Failed,
    /// The user interrupted the task.
    Interrupted,
}

/// The reason why a task could not be carried out, as one line for the user.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The user's input is invalid.
    #[error("{0}")]
    Input(String),
    /// The input is valid, but something else failed.
    #[error("{0}")]
    Failed(String),
    /// The reader of our output has closed it, which is not an error.
    #[error("the output was closed")]
    ClosedPipe,
}

impl Trouble {
    /// Returns the error about a failure to write to `name`.
    pub fn writing(name: impl Display, error: &io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Trouble::ClosedPipe,
            _ => Trouble::Failed(format!("cannot write to {name}: {error}")),
        }
    }

    /// Prefixes the message with its subject, such as the name of an option.
    pub fn about(self, what: &str) -> Trouble {
        match self {
            Trouble::Input(text) => Trouble::Input(format!("{what}: {text}")),
            Trouble::Failed(text) => Trouble::Failed(format!("{what}: {text}")),
            other => other,
        }
    }

    /// Returns the error about a failure to read from `name`.
    pub fn reading(name: impl Display, error: &io::Error) -> Trouble {
        Trouble::Input(format!("cannot read {name}: {error}"))
    }
}

impl From<ConfigError> for Trouble {
    fn from(error: ConfigError) -> Trouble {
        Trouble::Input(wording::of_options(&error))
    }
}

impl From<Stuck> for Trouble {
    fn from(error: Stuck) -> Trouble {
        match error {
            Stuck::Move(error) => Trouble::Failed(error.to_string()),
            Stuck::Search(error) => error.into(),
        }
    }
}

impl From<SearchError> for Trouble {
    fn from(error: SearchError) -> Trouble {
        match error {
            SearchError::Config(error) => error.into(),
            SearchError::Budget(error) => Trouble::Input(wording::of_limits(error)),
            SearchError::Memory { .. } => Trouble::Input(error.to_string()),
            SearchError::OneOutcome | SearchError::NobodyLoses => {
                Trouble::Input(wording::ONE_OUTCOME.into())
            }
            _ => Trouble::Failed(error.to_string()),
        }
    }
}

/// Turns an error into one line of limited length without control characters, because it may quote
/// arbitrary input.
pub fn cut(text: &str) -> String {
    const LONGEST: usize = 2000;
    // Marks that change the direction of text are replaced, too.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean = |c: char| if c.is_control() || turns(c) { ' ' } else { c };
    text.chars().map(clean).take(LONGEST).collect()
}
