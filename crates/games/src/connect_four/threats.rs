//! Static bounds from threats.
//!
//! A *threat* of a side is an empty cell that would complete a line of its stones. The side to move
//! wins if it can place a stone on one of its threats. Otherwise the other side's threats decide:
//! of two within reach, only one can be blocked; a single one must be blocked; and a stone directly
//! below a threat lets the other side complete its line. The moves excluded here lose at once, so
//! at least one of the others is optimal. If no move remains, all lose. (Pons, *Solving Connect 4*,
//! part 9, describes this for the usual board.)

use super::{ConnectFour, State, steps};
use crate::bits::{cells, random_cell};
use proofwood_game::{Rng, StaticBound};

/// An upper bound on the length of a line and on the number of columns.
const LONGEST: usize = 64;

/// The consequences of both sides' threats.
enum Outlook {
    /// The mover wins if this is true, and loses otherwise.
    Solved(bool),
    /// The cells of the moves that do not lose at once.
    Open(u64),
}

pub(super) enum Choice {
    /// A cell that completes a line and so ends the game.
    Wins(u8),
    /// A cell that does not lose at once.
    Plays(u8),
    /// All cells lose at once.
    Loses,
}

impl ConnectFour {
    /// Returns the winner if the threats of both sides decide the game.
    #[inline]
    pub(super) fn solved_by_threats(&self, state: &State) -> StaticBound {
        match self.outlook(state) {
            Outlook::Solved(mover_wins) => static_bound(state, mover_wins),
            Outlook::Open(_) => StaticBound::Nothing,
        }
    }

    /// Returns the winner if the threats of both sides decide the game, or pushes the columns that
    /// do not lose at once.
    pub(super) fn glance(&self, state: &State, moves: &mut Vec<u8>) -> StaticBound {
        match self.outlook(state) {
            Outlook::Solved(mover_wins) => static_bound(state, mover_wins),
            Outlook::Open(safe) => {
                moves.extend(cells(safe).map(|cell| cell / (self.height as u8 + 1)));
                StaticBound::Moves
            }
        }
    }

    #[inline]
    fn outlook(&self, state: &State) -> Outlook {
        let State { own, stones } = *state;
        let bottoms = self.tops >> (self.height - 1);
        // The addition carries into the lowest free cell of each column, or beyond the board.
        let within_reach = (stones + bottoms) & self.board;
        if self.completing(own) & within_reach != 0 {
            return Outlook::Solved(true);
        }
        let threats = self.completing(own ^ stones) & self.board & !stones;
        let forced = threats & within_reach;
        if forced & forced.wrapping_sub(1) != 0 {
            return Outlook::Solved(false);
        }
        let moves_left = if forced == 0 { within_reach } else { forced };
        match moves_left & !(threats >> 1) {
            0 => Outlook::Solved(false),
            safe => Outlook::Open(safe),
        }
    }

    /// Draws a column that wins at once, or else one after which the other side cannot do so;
    /// `None` if there is no such column. Of the latter it prefers a cell below two stacked threats
    /// of the mover, or else one that is not directly below a threat of the mover, because the
    /// other side would then block the threat.
    #[inline]
    pub(super) fn decisive_move(&self, state: &State, rng: &mut Rng) -> Option<u8> {
        let State { own, stones } = *state;
        let [own_lines, other_lines] = [own, own ^ stones].map(|side| self.completing(side));
        let cell =
            match self.choose(stones, own_lines, other_lines, |cells| random_cell(cells, rng)) {
                Choice::Wins(cell) | Choice::Plays(cell) => cell,
                Choice::Loses => return None,
            };
        Some(match self.height {
            // A constant size makes the usual board faster.
            6 => cell / 7,
            height => cell / (height as u8 + 1),
        })
    }

    /// Chooses the cell of a playout move, given the cells that would complete a line of the mover
    /// and of the other side. `draw` draws a cell of a set; `None` if the set is empty.
    #[inline(always)]
    pub(super) fn choose(
        &self,
        stones: u64,
        own_lines: u64,
        other_lines: u64,
        draw: impl FnOnce(u64) -> Option<u8>,
    ) -> Choice {
        let bottoms = self.tops >> (self.height - 1);
        let within_reach = (stones + bottoms) & self.board;
        let wins = own_lines & within_reach;
        if wins != 0 {
            // Any of them ends the game, so there is no need to draw one.
            return Choice::Wins(wins.trailing_zeros() as u8);
        }
        let free = self.board & !stones;
        let (own_threats, threats) = (own_lines & free, other_lines & free);
        let forced = threats & within_reach;
        let moves = if forced == 0 { within_reach } else { forced };
        let safe = moves & !(threats >> 1);
        // Blocking the lower of two stacked threats gives access to the upper one.
        let piles = safe & own_threats >> 1 & own_threats >> 2;
        let patient = safe & !(own_threats >> 1);
        let liked = if piles != 0 && forced == 0 { piles } else { patient };
        match draw(if liked != 0 { liked } else { safe }) {
            Some(cell) => Choice::Plays(cell),
            None => Choice::Loses,
        }
    }

    /// Ranks a move by the mover's threats after it; ties are broken in favour of the middle.
    #[inline]
    pub(super) fn threats_after(&self, state: &State, mv: u8) -> u32 {
        let cell = self.landing(state.stones, mv);
        let threats = self.completing(state.own | cell) & self.board & !(state.stones | cell);
        let beside = (self.width - 1 - usize::from(mv)).min(usize::from(mv));
        threats.count_ones() * LONGEST as u32 + beside as u32
    }

    /// The cells that would complete a line of `stones`, whether or not they are free.
    #[inline]
    pub(super) fn completing(&self, stones: u64) -> u64 {
        match (self.k, self.height) {
            // Constant steps and a constant length make the usual game faster.
            (4, 6) => completing(stones, steps(6), 4),
            (k, _) => completing(stones, self.steps, k),
        }
    }
}

fn static_bound(state: &State, mover_wins: bool) -> StaticBound {
    let mover_is_first = state.stones.count_ones().is_multiple_of(2);
    StaticBound::Payoff(if mover_wins == mover_is_first { 1 } else { -1 })
}

/// The cells that would complete a line of `k` stones. In a column this is only the cell on top,
/// since no cell below a stone is free.
#[inline(always)]
fn completing(stones: u64, [up, across @ ..]: [u32; 4], k: usize) -> u64 {
    let column = (1..k).fold(u64::MAX, |on_top, count| on_top & stones << (count as u32 * up));
    across.iter().fold(column, |found, &step| found | completing_along(stones, step, k))
}

/// The cells that would complete lines of `k` in one direction, with some of the stones before the
/// cell and the rest behind it.
#[inline(always)]
fn completing_along(stones: u64, step: u32, k: usize) -> u64 {
    let mut behind = [u64::MAX; LONGEST];
    for count in 1..k {
        behind[count] = behind[count - 1] & stones >> (count as u32 * step);
    }
    let (mut found, mut before) = (0, u64::MAX);
    for count in 0..k {
        if count > 0 {
            before &= stones << (count as u32 * step);
        }
        found |= before & behind[k - 1 - count];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_game::{DomainKnowledge, Game, Rng, Turn};

    /// Compares `move_order` with the threats found by trying a stone in each empty cell.
    #[test]
    fn priority_goes_by_threats() {
        for (width, height, k) in [(7, 6, 4), (5, 4, 3), (8, 7, 4), (9, 6, 5), (4, 4, 2)] {
            let game = ConnectFour::new(width, height, k).expect("a board");
            let mut rng = Rng::new(width as u64);
            let mut threats_met = 0;
            for _ in 0..20 {
                let mut state = game.initial_state();
                while let Turn::Player(_) = game.turn(&state) {
                    let mut moves = Vec::new();
                    game.legal_moves(&state, &mut moves);
                    for &mv in &moves {
                        let State { own, stones } = game.after(&state, mv);
                        let mover = own ^ stones;
                        let empty = cells(game.board & !stones);
                        // The order of moves that have already won does not matter.
                        if game.has_line(mover) {
                            continue;
                        }
                        let threats = empty.filter(|cell| game.has_line(mover | 1 << cell)).count();
                        assert_eq!(game.move_order(&state, mv) as usize / LONGEST, threats);
                        threats_met += threats;
                    }
                    let mv = moves[rng.below(moves.len() as u32) as usize];
                    game.play(&mut state, mv);
                }
            }
            assert!(threats_met > 20, "{threats_met}");
        }
    }

    /// Compares the choices of playouts with the preferred cells, which are found by trying stones.
    #[test]
    fn playouts_keep_threats() {
        for (width, height, k) in [(7, 6, 4), (6, 5, 3), (9, 6, 4)] {
            let game = ConnectFour::new(width, height, k).expect("a board");
            let mut rng = Rng::new(2);
            let (mut waited, mut piles_met) = (0, 0);
            for _ in 0..2000 {
                let mut state = game.initial_state();
                while let Turn::Player(_) = game.turn(&state) {
                    let State { own, stones } = state;
                    let free = game.board & !stones;
                    let wins =
                        |side: u64, cell: u64| cell & free != 0 && game.has_line(side | cell);
                    let open = (0..width as u8).filter(|&column| game.is_open(stones, column));
                    let open: Vec<(u8, u64)> =
                        open.map(|column| (column, game.landing(stones, column))).collect();
                    if !open.iter().any(|&(_, cell)| wins(own, cell)) {
                        let only = |of: &[(u8, u64)], is: &dyn Fn(u64) -> bool| {
                            of.iter().copied().filter(|&(_, cell)| is(cell)).collect::<Vec<_>>()
                        };
                        let other = own ^ stones;
                        let forced = only(&open, &|cell| wins(other, cell));
                        let moves = if forced.is_empty() { &open } else { &forced };
                        let safe = only(moves, &|cell| !wins(other, cell << 1));
                        let waits = only(&safe, &|cell| !wins(own, cell << 1));
                        let piles =
                            only(&safe, &|cell| wins(own, cell << 1) && wins(own, cell << 2));
                        let wanted = match forced.is_empty() && !piles.is_empty() {
                            true => &piles,
                            false if waits.is_empty() => &safe,
                            false => &waits,
                        };
                        waited += usize::from(waits.len() < safe.len());
                        piles_met += usize::from(forced.is_empty() && !piles.is_empty());
                        let played = game.decisive_move(&state, &mut rng);
                        assert_eq!(played.is_none(), safe.is_empty());
                        if let Some(played) = played {
                            let text = game.state_text(&state);
                            assert!(wanted.iter().any(|&(mv, _)| mv == played), "{played}: {text}");
                        }
                    }
                    game.play(&mut state, open[rng.below(open.len() as u32) as usize].0);
                }
            }
            assert!(waited > 50 && piles_met > 5, "{waited} {piles_met}");
        }
    }
}
