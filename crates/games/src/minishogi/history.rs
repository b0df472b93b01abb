//! What the rule against repetition needs to know of the game so far.

use super::Move;
use super::position::Position;

/// The positions and moves of the game so far, from the latest of them on.
///
/// Captured pieces come back, so no move rules out that an earlier position
/// returns. All are kept in place, without allocation, up to [`History::MOST`];
/// then the older half is forgotten, and a repetition of what is forgotten
/// counts anew. Up to that length games are exact.
#[derive(Clone, Debug)]
pub(super) struct History {
    start: Position,
    moves: [Move; History::MOST],
    /// The positions before the moves.
    seen: [Seen; History::MOST],
    len: usize,
}

/// A position's key, its lowest bit replaced by whether the mover is in check.
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

/// How a game ends when a position comes up for the fourth time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// This player has done nothing but give check.
    PerpetualCheck(usize),
    /// Both have done nothing but give check.
    Mutual,
    /// Anything else.
    Plain,
}

impl History {
    /// How many positions are kept: more than nearly all games have.
    const MOST: usize = 512;

    pub(super) fn new(start: Position) -> History {
        let nothing = Move::Step { from: 0, to: 0, promote: false };
        History { start, moves: [nothing; History::MOST], seen: [Seen(0); History::MOST], len: 0 }
    }

    /// The earliest position that is kept.
    pub(super) fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from there on.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Notes a move and the position in which it is played.
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

    /// Whether `position`, the last one, comes up for the fourth time, and
    /// then what has gone on since the first.
    pub(super) fn fourth(&self, position: &Position, check: bool) -> Option<Repetition> {
        let now = Seen::new(position.key(), check);
        let before = &self.seen[..self.len];
        if before.iter().filter(|&&seen| seen == now).count() < 3 {
            return None;
        }
        let first = before.iter().position(|&seen| seen == now)?;
        // From here on, the positions of the mover and of the other alternate.
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
