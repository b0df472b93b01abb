//! A game in progress and its clocks.

use super::super::events::{Events, Heard};
use super::super::table::Table;
use super::clock::Clocks;
use crate::connection::Output;
use proofwood::Budget;
use proofwood_notation::gtp::{Colours, Letters, Notation};
use proofwood_session::Trouble;

pub(super) enum Stop {
    /// The command fails; the session continues.
    Wrong(String),
    /// The session ends, because the output cannot be written.
    Fatal(Trouble),
}

impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop::Wrong(why)
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Stop {
        Stop::Wrong(why.into())
    }
}

impl From<Trouble> for Stop {
    fn from(failure: Trouble) -> Stop {
        match failure {
            Trouble::ClosedPipe => Stop::Fatal(failure),
            other => Stop::Wrong(other.to_string()),
        }
    }
}

pub(super) type Reply = Result<String, Stop>;

pub(super) struct Session {
    pub(super) table: Table,
    pub(super) letters: Letters,
    pub(super) clocks: Clocks,
    /// Whether the command line limits the time or the playouts of a move.
    pub(super) limited: bool,
    pub(super) events: Events,
    pub(super) output: Output,
    pub(super) quit: bool,
}

impl Session {
    pub(super) fn new(
        table: Table,
        letters: Letters,
        limited: bool,
        events: Events,
        output: Output,
    ) -> Session {
        Session { table, letters, clocks: Clocks::default(), limited, events, output, quit: false }
    }

    pub(super) fn colours(&self) -> Colours {
        Colours::of(&self.table.rules.player_names())
    }

    pub(super) fn notation(&self) -> Notation {
        Notation::at(self.letters, &self.table.position.view())
    }

    pub(super) fn budget(&self, player: usize) -> Budget {
        let usual = self.table.usual();
        match self.clocks.time(player) {
            None => usual,
            Some(time) => {
                let most = usual.time.filter(|_| self.limited);
                usual.time(most.map_or(time, |most| most.min(time)))
            }
        }
    }
}

/// Decides how to react to a line that arrives while the engine thinks about its move.
pub(super) fn while_thinking(line: Option<&str>) -> Heard {
    match line.map(str::trim) {
        Some("# interrupt") => Heard::Stop,
        _ => Heard::Later,
    }
}
