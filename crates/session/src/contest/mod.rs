//! Contests: games between configurations of the engine, or against other programs.
//!
//! A contest is a numbered list of games. The settings and a game's number determine the opening,
//! the seats and all seeds of the game. Games can therefore be played in any order, by several
//! threads and over several runs of the program. An interrupted contest continues with the games
//! that are missing from its record.
//!
//! - [`Contender`]: a configuration and its budget for a move.
//! - [`Openings`]: the positions in which games begin.
//! - [`Settings`] and [`GameRecord`]: the settings of a contest, and one of its games.
//! - [`Guests`] and [`Seat`]: other programs that play.
//! - `game`: one game, from its opening to its end.
//! - [`Record`]: the file of the games; `verify`: the check of a file that was read.
//! - [`Standing`], [`MatchResult`], [`Sprt`]: the results, and the test that ends a match early.
//! - [`RemoteGames`]: other machines that play the games.
//! - [`Contest`]: plays the games.
//! - [`trials`]: measurements for each number of threads; [`tune`]: the search for good options.

mod contender;
mod game;
mod games;
mod opening;
mod record;
mod remote;
mod result;
mod run;
mod seat;
mod seeds;
mod sprt;
mod standing;
pub mod trials;
pub mod tune;
mod verify;

pub use contender::{Contender, ContenderOrder};
pub use game::Player;
pub use games::{GameRecord, Settings, Side, Spent};
pub use opening::Openings;
pub use record::{Record, RecordedMatch, Records, Verified};
pub use remote::{Games, GamesOrder, RemoteGames};
pub use result::{MatchResult, SprtResult, write_csv};
pub use run::{Contest, End};
pub use seat::{Guests, Seat, Silent};
pub use sprt::{Sprt, Verdict};
pub use standing::{Interval, Standing, elo, elo_text};
