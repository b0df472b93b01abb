//! Mouths: protocols by which other programs drive the engine.
//!
//! - [`analyze`]: JSON lines, any number of positions under way at once.
//! - [`gtp`]: the Go Text Protocol.
//! - [`uci`]: UGI, UCI and USI.
//! - [`table`]: a game under way, for all protocols that play; [`events`]: what they wait for.

pub(crate) mod analyze;
pub(crate) mod events;
pub(crate) mod gtp;
pub(crate) mod table;
pub(crate) mod uci;
