//! How other programs write what the games here write in their own way.
//!
//! - [`gtp`]: points of a board, and whose stones are black.
//! - [`variants`]: games as Fairy-Stockfish and cutechess write them.

pub(crate) mod gtp;
pub(crate) mod variants;
