//! Arguments of the command line that `proofwood_session` does not parse.
//!
//! - [`positions`]: the game and the position.
//! - [`words`] and [`groups`]: completions for shells, and the list of commands.

pub(crate) mod groups;
pub mod positions;
pub(crate) mod words;
