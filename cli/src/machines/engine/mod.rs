//! Everything that talks to the server.
//!
//! - [`link`]: the connection, the streams, and patience.
//! - [`hub`]: the side that hands jobs out and collects answers; [`positions`] and [`games`]
//!   are what it hands out.
//! - [`one`]: one position, by a tree whose leaves are jobs.
//! - [`worker`]: the side that takes them; [`doing`] does one; [`common`] is what stays from
//!   one part of a proof to the next, and what workers tell each other.
//! - [`status`]: what there is in the streams.
//! - [`serve`]: a server.

mod common;
mod doing;
mod games;
mod hub;
mod link;
mod one;
mod positions;
mod serve;
mod status;
mod worker;

pub use hub::Machines;
pub(crate) use serve::serve;
pub(crate) use status::status;
pub(crate) use worker::work;
