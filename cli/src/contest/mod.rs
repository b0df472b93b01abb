//! Other programs as opponents in a contest.
//!
//! - [`opponent`]: another program in a configuration's place.
//! - [`declared`]: an option as such a program declares it.

mod declared;
mod opponent;

pub(crate) use opponent::{Opponent, Protocol};
