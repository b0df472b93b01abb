//! The history of a game, which the rule against repetition needs.

use super::Move;
use super::position::Position;

/// The most recent positions and moves of a game.
///
/// Captured pieces return to the board, so any earlier position may recur. Up to [`History::MOST`]
/// positions are stored inline, without allocation; then the older half is discarded, and
/// repetitions of discarded positions are counted from zero. Repetitions in shorter games are
/// counted exactly.
#[derive(Clone, Debug)]
pub(super) struct History {
    start: Position,
    moves: [Move; History::MOST],
    seen: [Seen; History::MOST],
    len: usize,
}

/// A position's key with its lowest bit replaced by a flag: whether the mover is in check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen(u64);

impl Seen {
    fn new(key: u64, check: bool) -> Seen {
        Seen(key & !1 | u64::from(check))
    }

    fn check(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The kind of repetition when a position occurs for the fourth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// All moves of this player gave check.
    PerpetualCheck(usize),
    /// All moves of both players gave check.
    Mutual,
    /// Any other repetition.
    Plain,
}

impl History {
    /// The maximum number of stored positions; few games are longer.
    const MOST: usize = 512;

    pub(super) fn new(start: Position) -> History {
        let nothing = Move::Step { from: 0, to: 0, promote: false };
        History { start, moves: [nothing; History::MOST], seen: [Seen(0); History::MOST], len: 0 }
    }

    pub(super) fn start(&self) -> &Position {
        &self.start
    }

    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    pub(super) fn push(&mut self, position: &Position, check: bool, mv: Move) {
        if self.len == History::MOST {
            self.forget(History::MOST / 2);
        }
        self.moves[self.len] = mv;
        self.seen[self.len] = Seen::new(position.key(), check);
        self.len += 1;
    }

    fn forget(&mut self, plies: usize) {
        for &mv in &self.moves[..plies] {
            self.start.play(mv);
        }
        self.moves.copy_within(plies.., 0);
        self.seen.copy_within(plies.., 0);
        self.len -= plies;
    }

    /// Returns the kind of repetition if the current position occurs for the fourth time.
    pub(super) fn fourth(&self, position: &Position, check: bool) -> Option<Repetition> {
        let now = Seen::new(position.key(), check);
        let before = &self.seen[..self.len];
        if before.iter().filter(|&&seen| seen == now).count() < 3 {
            return None;
        }
        let first = before.iter().position(|&seen| seen == now)?;
        // From the first occurrence on, the mover and the other player alternate.
        let all_checks =
            |player: usize| before[first + player..].iter().step_by(2).all(|s| s.check());
        let mover = position.mover();
        Some(match (all_checks(0), all_checks(1)) {
            (true, true) => Repetition::Mutual,
            (true, false) => Repetition::PerpetualCheck(1 - mover),
            (false, true) => Repetition::PerpetualCheck(mover),
            (false, false) => Repetition::Plain,
        })
    }
}
