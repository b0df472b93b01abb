//! What the command line asks for, beside the options that `proofwood_session` reads.
//!
//! - [`positions`]: where positions come from.
//! - [`words`] and [`groups`]: values that shells complete, and all commands.

pub(crate) mod groups;
pub mod positions;
pub(crate) mod words;
