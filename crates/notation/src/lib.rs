//! Games, moves and positions in the notations of other programs.
//!
//! | module | contents |
//! |---|---|
//! | [`game_file`] | games in SGF, PGN, FEN and lists of moves |
//! | [`gtp`] | points and colours of the Go Text Protocol |
//! | [`variants`] | the games and notation of Fairy-Stockfish, and the notation of USI |
//! | [`outline`] | proofs and trees as outlines: pages, graphs and variations |
#![forbid(unsafe_code)]

pub mod game_file;
pub mod gtp;
pub mod outline;
pub mod variants;
