//! Contests played by remote machines.

use super::Settings;
use super::contender::ContenderOrder;
use super::games::GameRecord;
use crate::Trouble;
use proofwood::CancelToken;
use serde::{Deserialize, Serialize};

/// A contest as sent to other machines. It determines each game, given the game's number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamesOrder {
    /// The settings of the contest.
    pub settings: Settings,
    /// The first contender.
    pub a: ContenderOrder,
    /// The second contender.
    pub b: ContenderOrder,
}

/// A connection to machines that play games for this program.
pub trait RemoteGames: Sync {
    /// Begins a contest, or resumes it.
    fn begin(&self, order: GamesOrder) -> Result<Box<dyn Games + '_>, Trouble>;
}

/// A contest played by other machines. The caller must verify the records.
pub trait Games: Sync {
    /// Requests the game with this number and waits for its record. Returns `None` if the token was
    /// cancelled first.
    fn play(&self, number: u64, cancel: &CancelToken) -> Result<Option<GameRecord>, Trouble>;

    /// Rejects the record of a game, along with all other answers of the same worker.
    fn throw_out(&self, number: u64, why: &str) -> Result<(), Trouble>;

    /// Ends the contest, so that the machines can delete its data.
    fn end(&self) -> Result<(), Trouble>;
}
