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
//! - [`Guests`] and [`Seat`]: other players in a configuration's place.
//! - `game`: one game, from its opening to its end.
//! - [`Record`]: the file that a game is written to before it counts; `verify`: why
//!   nothing in it is believed.
//! - [`Standing`], [`Sprt`]: what the games say.
//! - [`RemoteGames`]: other machines that play the games.
//! - [`Contest`]: all of it together.

mod contender;
mod game;
mod games;
mod opening;
mod record;
mod remote;
mod run;
mod seat;
mod seeds;
mod sprt;
mod standing;
mod verify;

pub use contender::{Contender, ContenderOrder};
pub use game::Player;
pub use games::{GameRecord, Settings, Side, Spent};
pub use opening::Openings;
pub use record::{Record, RecordedMatch, Records, Verified};
pub use remote::{Games, GamesOrder, RemoteGames};
pub use run::{Contest, End, decision};
pub use seat::{Guests, Seat, Silent};
pub use sprt::{Sprt, Verdict};
pub use standing::{Interval, Standing, elo};
