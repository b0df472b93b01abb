//! Errors of saving and loading trees and tables.

use crate::error::{GameError, SearchError};
use std::error::Error;
use std::{fmt, io};

/// The reason why a tree or a checkpoint cannot be saved or loaded. The message is a single line.
#[derive(Debug)]
#[non_exhaustive]
pub enum SavedError {
    /// The file cannot be read or is damaged, as this message describes.
    Damaged(String),
    /// The file belongs to another search.
    Foreign {
        /// The property that differs, such as `the game`.
        what: String,
        /// The property's value in the file.
        theirs: String,
        /// The property's value in the search.
        ours: String,
    },
    /// The position has no key, so a file about another position could not be detected.
    Unidentified,
    /// The tree does not fit into the memory of the search. Not used for checkpoints.
    Full,
    /// The file cannot be written.
    Write(io::Error),
    /// A search is running, its tree has a contradiction, the table does not fit into memory, or
    /// the rules failed.
    Search(SearchError),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::Damaged(what) => write!(f, "{what}"),
            SavedError::Foreign { what, theirs, ours } => {
                write!(f, "the file was saved with {what} '{theirs}', not '{ours}'")
            }
            SavedError::Unidentified => f.write_str(
                "this position has no key (Game::key), which is needed to check that the file \
                 belongs to it",
            ),
            SavedError::Full => f.write_str(
                "the tree does not fit into the memory of the search; increase the memory limit",
            ),
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

impl From<io::Error> for SavedError {
    fn from(error: io::Error) -> SavedError {
        SavedError::Damaged(match error.kind() {
            io::ErrorKind::UnexpectedEof => "the file is truncated".into(),
            _ => error.to_string(),
        })
    }
}

pub(crate) fn damaged(what: &str) -> SavedError {
    SavedError::Damaged(format!("the file is damaged: {what}"))
}
