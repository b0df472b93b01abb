//! Errors in one line.

use proofwood::{SearchError, TextError};
use proofwood_games::SpecError;
use std::fmt;

/// The reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault(String);

impl Fault {
    /// An error with this message, on one line.
    pub(crate) fn new(why: impl fmt::Display) -> Fault {
        const LONGEST: usize = 500;
        let why = why.to_string();
        let line = why.chars().map(|c| if c.is_control() { ' ' } else { c });
        Fault(line.take(LONGEST).collect())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Errors whose text suffices as the message.
macro_rules! told {
    ($($error:ty),+) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Fault {
                Fault::new(error)
            }
        })+
    };
}

told!(TextError, SpecError, SearchError);
