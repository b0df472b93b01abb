//! Games between configurations of the engine.
//!
//! A contest is a numbered list of games. What is played in game *n* follows
//! from the settings and *n* alone: the opening, who sits where, and all seeds.
//! So games can be played in any order, by several threads and over several
//! runs of the program, and an interrupted contest goes on with the numbers
//! that its record lacks.
//!
//! - [`Contender`]: a configuration and what it may spend on a move.
//! - [`Openings`]: where games begin.
//! - [`game`]: one game, from its opening to its end.
//! - [`Record`]: the file that a game is written to before it counts; [`verify`]: why
//!   nothing in it is believed.
//! - [`Standing`], [`Sprt`]: what the games say.
//! - [`Contest`]: all of it together.

mod contender;
mod game;
mod opening;
mod record;
mod run;
mod sprt;
mod standing;
mod verify;

pub(crate) use contender::Contender;
pub(crate) use game::{Player, Spent};
pub(crate) use opening::Openings;
pub(crate) use record::{GameRecord, Record, RecordedMatch, Settings, Verified};
pub(crate) use run::{Contest, End, decision};
pub(crate) use sprt::{Sprt, Verdict};
pub(crate) use standing::{Interval, Standing, elo};

use proofwood::Rng;

/// What random numbers are drawn for.
#[derive(Clone, Copy, Debug)]
enum Stream {
    /// The plies of a random opening.
    Opening = 1,
    /// Dice and the like after the opening.
    Chance,
    /// The searches of the player with a number.
    Search,
}

/// The seed of one stream of one game or opening.
fn seed_of(seed: u64, stream: Stream, number: u64) -> u64 {
    let mixed = Rng::new(seed).next_u64() ^ ((stream as u64) << 56) ^ number;
    Rng::new(mixed).next_u64()
}
