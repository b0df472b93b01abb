//! Games that other machines play.

use super::Settings;
use super::contender::ContenderOrder;
use super::games::GameRecord;
use crate::Trouble;
use proofwood::CancelToken;
use serde::{Deserialize, Serialize};

/// A contest that is to be played elsewhere: all that its games follow from, beside their
/// numbers.
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

/// Machines that play games for this program.
pub trait RemoteGames: Sync {
    /// Begins with a contest, or goes on with it.
    fn begin(&self, order: GamesOrder) -> Result<Box<dyn Games + '_>, Trouble>;
}

/// A contest that is played elsewhere. Its record is checked by who asked for it.
pub trait Games: Sync {
    /// Has the game with this number played, and waits for its record; `None` when it was
    /// cancelled.
    fn play(&self, number: u64, cancel: &CancelToken) -> Result<Option<GameRecord>, Trouble>;

    /// Throws the record of a game out, and everything else from the same worker.
    fn throw_out(&self, number: u64, why: &str) -> Result<(), Trouble>;

    /// All games are on the disk, or nobody wants more of them.
    fn end(&self) -> Result<(), Trouble>;
}
