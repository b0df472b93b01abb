//! Contests against other programs.
//!
//! - [`opponent`]: another program that plays in place of a configuration.
//! - [`declared`]: the options that such a program declares.

mod declared;
mod opponent;

pub(crate) use opponent::{Opponent, Protocol};
