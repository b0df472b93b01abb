//! What the command line asks for, beside the options that `proofwood_session` reads.
//!
//! - [`positions`] and [`game_file`]: where positions come from.
//! - [`words`] and [`groups`]: values that shells complete, and all commands.

pub(crate) mod game_file;
pub(crate) mod groups;
pub mod positions;
pub(crate) mod words;
