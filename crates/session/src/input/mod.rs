//! Reads games, positions and options from text.
//!
//! - [`spec`], [`moves`] and [`position_file`]: games and positions.
//! - [`options`], [`presets`], [`limits`] and [`threads`]: the configuration of a search.
//! - [`provers`] and [`solver`]: the configuration of a proof.
//! - [`seats`]: the seats that the engine takes in a game.
//! - [`lines`]: lines written by another program.
//! - [`given`]: options and limits to send to another machine.
//! - `args`: the arguments of a command line, with the feature `args`.

#[cfg(feature = "args")]
pub mod args;
pub mod given;
pub mod limits;
pub mod lines;
pub mod moves;
pub mod options;
pub mod position_file;
pub mod presets;
pub mod provers;
pub mod seats;
pub mod solver;
pub mod spec;
pub mod threads;
