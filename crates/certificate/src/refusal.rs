//! The reason why a certificate is refused.

use super::memory::MemoryFull;
use std::fmt;
use std::fmt::Display;

/// The reason why a certificate is refused, in one line that names the first fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    lacks_memory: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { reason, .. } = self;
        write!(f, "the certificate is refused: {reason}")
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    pub(super) fn new(reason: impl Display) -> Refusal {
        const LONGEST: usize = 2000;
        // Text quoted from the file may be long and contain control characters.
        let reason = reason.to_string();
        let reason = reason.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
        Refusal { reason, lacks_memory: false }
    }

    /// A refusal before the first proof.
    pub(super) fn header(reason: impl Display) -> Refusal {
        Refusal::new(reason)
    }

    /// A refusal of the file as a whole, after the proofs.
    pub(super) fn file(reason: impl Display) -> Refusal {
        Refusal::new(format!("after the proofs: {reason}"))
    }

    /// A refusal in a proof at `place`.
    pub(super) fn proof(place: &str, reason: &Reason) -> Refusal {
        match reason {
            Reason::Wrong(what) => Refusal::new(format!("{place}: {what}")),
            Reason::Memory(full) => {
                Refusal { lacks_memory: true, ..Refusal::new(format!("{place}: {full}")) }
            }
        }
    }

    /// Returns whether the check found no fault but needed more memory than its
    /// [limit](super::Certificate::memory) or than the system has.
    pub fn lacks_memory(&self) -> bool {
        self.lacks_memory
    }
}

impl From<MemoryFull> for Refusal {
    fn from(full: MemoryFull) -> Refusal {
        Refusal { lacks_memory: true, ..Refusal::new(full) }
    }
}

/// The reason for refusing a position of a proof.
pub(super) enum Reason {
    Wrong(String),
    Memory(MemoryFull),
}

impl From<String> for Reason {
    fn from(what: String) -> Reason {
        Reason::Wrong(what)
    }
}

impl From<&str> for Reason {
    fn from(what: &str) -> Reason {
        Reason::Wrong(what.into())
    }
}

impl From<MemoryFull> for Reason {
    fn from(full: MemoryFull) -> Reason {
        Reason::Memory(full)
    }
}
