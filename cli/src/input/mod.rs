//! What the command line asks for.
//!
//! - [`options`], [`presets`], [`limits`] and [`threads`]: what a search is told.
//! - [`provers`] and [`solver`]: what a proof is searched with.
//! - [`positions`], [`moves`], [`position_file`] and [`game_file`]: where positions come from.
//! - [`given`]: options and limits for another machine.
//! - [`words`] and [`groups`]: values that shells complete, and all commands.

pub(crate) mod game_file;
#[cfg_attr(not(feature = "machines"), allow(dead_code, reason = "no other machine reads it"))]
pub(crate) mod given;
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
