//! Protocols by which other programs use the engine.
//!
//! - [`analyze`]: queries as JSON lines, many positions at a time.
//! - [`gtp`]: the Go Text Protocol.
//! - [`uci`]: UGI, UCI and USI.
//! - [`table`]: a game in progress; [`events`]: the event loop. Both serve all protocols that play.

pub(crate) mod analyze;
pub(crate) mod events;
pub(crate) mod gtp;
pub(crate) mod table;
pub(crate) mod uci;
