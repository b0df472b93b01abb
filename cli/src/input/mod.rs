//! What the command line asks for.
//!
//! - [`options`], [`presets`], [`limits`] and [`threads`]: what a search is told.
//! - [`provers`] and [`solver`]: what a proof is searched with.
//! - [`positions`], [`moves`], [`position_file`] and [`game_file`]: where positions come from.
//! - [`words`] and [`groups`]: values that shells complete, and all commands.

pub(crate) mod game_file;
pub(crate) mod groups;
pub mod limits;
pub(crate) mod moves;
pub mod options;
pub mod position_file;
pub mod positions;
pub mod presets;
pub mod provers;
pub mod solver;
pub mod threads;
pub(crate) mod words;
