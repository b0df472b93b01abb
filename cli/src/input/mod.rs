//! What the command line asks for.
//!
//! - [`options`], [`presets`], [`limits`] and [`threads`]: what a search is told.
//! - [`provers`] and [`solver`]: what a proof is searched with.
//! - [`positions`], [`moves`], [`position_file`] and [`game_file`]: where positions come from.
//! - [`words`] and [`groups`]: values that shells complete, and all commands.

pub(crate) mod game_file;
pub(crate) mod groups;
pub(crate) mod limits;
pub(crate) mod moves;
pub(crate) mod options;
pub(crate) mod position_file;
pub(crate) mod positions;
pub(crate) mod presets;
pub(crate) mod provers;
pub(crate) mod solver;
pub(crate) mod threads;
pub(crate) mod words;
