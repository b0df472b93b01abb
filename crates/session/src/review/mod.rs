//! Reviews of played games: the value of each position, and the loss caused by each move.

mod known;
mod look;
mod ply;

pub use known::{Judged, Known, Thrown};
pub use look::{Found, Plan, look_at_all};
pub use ply::{BLUNDER, KnownJson, MISTAKE, Ply, PlyJson, ThrownJson, plies};
