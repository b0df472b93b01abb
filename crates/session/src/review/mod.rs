//! Reviews of played games: what each position is worth, and what each move gave away.

mod known;
mod look;
mod ply;

pub use known::{Judged, Known, Thrown};
pub use look::{Found, Plan, look_at_all};
pub use ply::{BLUNDER, KnownJson, MISTAKE, Ply, PlyJson, ThrownJson, plies};
