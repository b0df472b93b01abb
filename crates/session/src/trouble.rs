//! How work ends, well or badly; the program alone turns it into an exit status.

use crate::wording;
use proofwood::SearchError;
use proofwood::error::ConfigError;
use proofwood_any_game::Stuck;
use std::fmt::Display;
use std::io;

/// How work ended that could be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// All is well.
    Done,
    /// The question is open.
    Unsettled,
    /// Some lines of a file could not be read; the others were answered.
    BadLines,
    /// Something failed, and has been reported.
    Failed,
    /// The user ended a search early.
    Interrupted,
}

/// Why work could not be done: one line for the user.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// What the user gave cannot be used.
    #[error("{0}")]
    Input(String),
    /// What the user gave is fine, but something else went wrong.
    #[error("{0}")]
    Failed(String),
    /// Whoever read our output has had enough. That is no error.
    #[error("nobody reads the output")]
    ClosedPipe,
}

impl Trouble {
    /// The failure to write to `name`.
    pub fn writing(name: impl Display, error: &io::Error) -> Trouble {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Trouble::ClosedPipe,
            _ => Trouble::Failed(format!("cannot write to {name}: {error}")),
        }
    }

    /// The same failure, with a word on what it happened to.
    pub fn about(self, what: &str) -> Trouble {
        match self {
            Trouble::Input(text) => Trouble::Input(format!("{what}: {text}")),
            Trouble::Failed(text) => Trouble::Failed(format!("{what}: {text}")),
            other => other,
        }
    }

    /// The failure to read from `name`.
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

/// An error as one line that is not too long: input that is repeated in it may be
/// anything.
pub fn cut(text: &str) -> String {
    const LONGEST: usize = 2000;
    // Neither are marks that turn the direction of what follows them.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean = |c: char| if c.is_control() || turns(c) { ' ' } else { c };
    text.chars().map(clean).take(LONGEST).collect()
}
