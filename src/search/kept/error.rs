//! Why a tree cannot be saved or loaded.

use crate::error::{GameError, SearchError};
use std::error::Error;
use std::fmt;
use std::io;

/// Why a tree cannot be saved or loaded: one line.
#[derive(Debug)]
#[non_exhaustive]
pub enum TreeFileError {
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
    /// The position has no key by which the tree of another one could be told apart.
    Unidentified,
    /// The memory of the search does not hold the tree.
    Full,
    /// It cannot be written.
    Write(io::Error),
    /// The search is running, its tree contradicts itself, or the rules fail.
    Search(SearchError),
}

impl fmt::Display for TreeFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TreeFileError::Damaged(what) => write!(f, "{what}"),
            TreeFileError::Foreign { what, theirs, ours } => {
                write!(f, "it is about {what} '{theirs}', not '{ours}'")
            }
            TreeFileError::Unidentified => f.write_str(
                "this position has no key (Game::key), without which the tree of another \
                     position could be taken for one of this",
            ),
            TreeFileError::Full => {
                f.write_str("the memory of the search does not hold it; give more memory")
            }
            TreeFileError::Write(error) => error.fmt(f),
            TreeFileError::Search(error) => error.fmt(f),
        }
    }
}

impl Error for TreeFileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TreeFileError::Search(error) => error.source(),
            _ => None,
        }
    }
}

impl From<SearchError> for TreeFileError {
    fn from(error: SearchError) -> TreeFileError {
        TreeFileError::Search(error)
    }
}

impl From<GameError> for TreeFileError {
    fn from(error: GameError) -> TreeFileError {
        TreeFileError::Search(error.into())
    }
}

/// Of reading.
impl From<io::Error> for TreeFileError {
    fn from(error: io::Error) -> TreeFileError {
        TreeFileError::Damaged(match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is cut short".into(),
            _ => error.to_string(),
        })
    }
}
