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
//! - [`Settings`] and [`GameRecord`]: what decides which games there are, and one of them.
//! - [`opponent`]: another program in a configuration's place.
//! - [`declared`]: an option as such a program declares it.
//! - [`game`]: one game, from its opening to its end.
//! - [`Record`]: the file that a game is written to before it counts; [`verify`]: why
//!   nothing in it is believed.
//! - [`Standing`], [`Sprt`]: what the games say.
//! - [`Elsewhere`]: other machines that play the games.
//! - [`Contest`]: all of it together.

mod contender;
mod declared;
mod elsewhere;
mod game;
mod games;
mod opening;
mod opponent;
mod record;
mod run;
mod seat;
mod seeds;
mod sprt;
mod standing;
mod verify;

pub use contender::{Contender, ContenderOrder};
pub use elsewhere::{Elsewhere, Games, GamesOrder};
pub(crate) use game::Player;
pub(crate) use games::{GameRecord, Spent};
pub use games::{Settings, Side};
pub use opening::Openings;
pub(crate) use opponent::{Opponent, Protocol};
pub use record::Records;
pub(crate) use record::{Record, RecordedMatch, Verified};
pub(crate) use run::decision;
pub use run::{Contest, End};
pub(crate) use sprt::{Sprt, Verdict};
pub use standing::{Interval, Standing, elo};
