//! Protocols through which other programs drive the engine, or the engine plays against them.
//!
//! | module | contents |
//! |---|---|
//! | `connection` | the lines to and from the other program |
//! | `events` | lines, ends of searches and interrupts, in order of arrival |
//! | `table` | a game in progress, for all protocols that play |
//! | `analyze` | JSON lines, any number of positions at once |
//! | `gtp` | the Go Text Protocol |
//! | `uci` | UGI, UCI and USI |
//! | `opponent`, `declared` | another program as a player of a match, and the options that it declares |
#![forbid(unsafe_code)]

mod analyze;
mod connection;
mod declared;
mod events;
mod gtp;
mod opponent;
mod table;
mod uci;

pub use analyze::Analyze;
pub use connection::Connection;
pub use gtp::Gtp;
pub use opponent::{Opponent, Protocol};
pub use uci::{Uci, Ugi};
