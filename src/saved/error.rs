//! Why a tree or a table cannot be saved or loaded.

use crate::error::{GameError, SearchError};
use std::error::Error;
use std::fmt;
use std::io;

/// Why a tree or a checkpoint cannot be saved or loaded: one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum SavedError {
    /// It cannot be read, or is damaged.
    Damaged(String),
    /// It is of another search.
    Foreign {
        /// What differs.
        what: String,
        /// What the file is about.
        theirs: String,
        /// What the search is about.
        ours: String,
    },
    /// The position has no key by which a file about another one could be told apart.
    Unidentified,
    /// The memory of the search does not hold the tree. Never of a checkpoint.
    Full,
    /// It cannot be written.
    Write(io::Error),
    /// The search is running, its tree contradicts itself, there is no room for the table, or
    /// the rules fail.
    Search(SearchError),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::Damaged(what) => write!(f, "{what}"),
            SavedError::Foreign { what, theirs, ours } => {
                write!(f, "it is about {what} '{theirs}', not '{ours}'")
            }
            SavedError::Unidentified => f.write_str(
                "this position has no key (Game::key), without which a file about another \
                     position could be taken for one about this",
            ),
            SavedError::Full => {
                f.write_str("the memory of the search does not hold it; give more memory")
            }
            SavedError::Write(error) => error.fmt(f),
            SavedError::Search(error) => error.fmt(f),
        }
    }
}

impl Error for SavedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            SavedError::Search(error) => error.source(),
            _ => None,
        }
    }
}

impl From<SearchError> for SavedError {
    fn from(error: SearchError) -> SavedError {
        SavedError::Search(error)
    }
}

impl From<GameError> for SavedError {
    fn from(error: GameError) -> SavedError {
        SavedError::Search(error.into())
    }
}

/// Of reading.
impl From<io::Error> for SavedError {
    fn from(error: io::Error) -> SavedError {
        SavedError::Damaged(match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short".into(),
            _ => error.to_string(),
        })
    }
}

pub(crate) fn damaged(what: &str) -> SavedError {
    SavedError::Damaged(format!("it is damaged: {what}"))
}
