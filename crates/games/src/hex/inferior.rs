//! Before the search, fills in cells whose owner is known, and excludes inferior moves.
//!
//! A cell is *dead* when no chain of either side needs it: a stone there does not affect the
//! winner. Two adjacent cells are *captured* by a side when its stone on either of them makes the
//! other dead: whichever cell the opponent takes, the side can make that stone dead, so both count
//! as the side's (Hayward, *A note on domination in Hex*, 2003). A cell that is on no minimal chain
//! of one side is not on one of the other side either, so a cell that one of the sides cannot use
//! is dead.
//!
//! Two kinds of moves need not be searched:
//! - A move is *dominated* by another move that makes its cell dead or the mover's own. After the
//!   other move, a stone on the cell changes nothing; after the dominated move, a stone on the
//!   other cell can only help.
//! - A move is *vulnerable* if an adjacent stone of the opponent, its killer, makes it dead
//!   (Hayward and van Rijswijck, *Hex and combinatorics*, 2006). The opponent may answer a
//!   vulnerable move with its killer, which makes the move void. So if the move wins, the mover
//!   also wins the position in which only the killer is added to the board and the mover is still
//!   to move. In that position fewer cells are empty, and vulnerable moves stay vulnerable or
//!   become dead: if the cell of a killer becomes dead, it may hold any stone, so it still kills.
//!   By induction a non-vulnerable move wins that position, or the mover has joined its edges
//!   whatever the empty cells hold. The same is then true of the original position. So all
//!   vulnerable moves can be excluded at once, and then the dominated moves among the others.
//!
//! All of this is decided by the six cells around a cell. Cells beyond an edge count as stones of
//! the edge's side.

use super::Hex;
use crate::stones::{Board, Cells, STRIDE, each};

/// The steps to the cells around a cell, in circular order.
const AROUND: [(isize, isize); 6] = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];

/// The number of possible rings of six cells, each of which is empty, black, or white.
const RINGS: usize = 3usize.pow(6);

#[derive(Clone, Debug)]
pub(super) struct Inferior {
    /// Whether a cell is dead, indexed by the number of its ring.
    dead: Box<[bool; RINGS]>,
    /// For each cell of the empty board, the number of the ring around it.
    rings: Rings,
    around: Box<[Vec<Beside>; STRIDE * STRIDE]>,
}

type Rings = [u16; STRIDE * STRIDE];

#[derive(Clone, Copy, Debug)]
struct Beside {
    cell: u8,
    /// The neighbour's weight in the ring of the cell.
    here: u16,
    /// The cell's weight in the ring of the neighbour.
    there: u16,
}

impl Inferior {
    pub(super) fn new(board: &Board) -> Inferior {
        let mut rings = [0; STRIDE * STRIDE];
        let mut around = Box::new([const { Vec::new() }; STRIDE * STRIDE]);
        for cell in each(board.all) {
            let (column, row) = (usize::from(cell) % STRIDE, usize::from(cell) / STRIDE);
            for (place, (right, down)) in AROUND.into_iter().enumerate() {
                // Seen from the neighbour, this cell is in the opposite direction.
                let (here, there) = (weight(place), weight((place + 3) % 6));
                let beside = column.checked_add_signed(right).zip(row.checked_add_signed(down));
                match beside.and_then(|(column, row)| board.cell(column, row)) {
                    Some(other) => {
                        around[usize::from(cell)].push(Beside { cell: other, here, there });
                    }
                    // Cells beyond the top and the bottom edge are black; those beyond a corner may
                    // be of either colour.
                    None => {
                        let row = row.checked_add_signed(down);
                        let above_or_below = row.is_none_or(|row| row >= board.height);
                        rings[usize::from(cell)] += here * if above_or_below { 1 } else { 2 };
                    }
                }
            }
        }
        let dead = Box::new(std::array::from_fn(|number| {
            let ring = std::array::from_fn(|place| number / usize::from(weight(place)) % 3);
            !needs(&ring, 1) || !needs(&ring, 2)
        }));
        Inferior { dead, rings, around }
    }
}

/// The weight of a place of a ring in the ring's number, which is in base 3.
fn weight(place: usize) -> u16 {
    3u16.pow(place as u32)
}

/// Returns whether a side may need a stone in the middle of a ring: whether a chain can pass
/// through two cells of the ring that are empty or the side's own, and not connected without the
/// middle.
fn needs(ring: &[usize; 6], side: usize) -> bool {
    let free = |at: usize| ring[at % 6] == 0;
    let own = |at: usize| ring[at % 6] == side;
    // The places of the ring that belong to a chain through a place: the place, and all adjoining
    // stones.
    let cluster = |at: usize| {
        let mut set = 1u8 << at;
        for step in [1, 5] {
            let mut next = (at + step) % 6;
            while own(next) && set >> next & 1 == 0 {
                set |= 1 << next;
                next = (next + step) % 6;
            }
        }
        set
    };
    let rotated = |set: u8| (set << 1 | set >> 5) & 63;
    let usable = |&at: &usize| free(at) || own(at);
    (0..6).filter(usable).any(|one| {
        let here = cluster(one);
        let near = here | rotated(here) | (here >> 1 | here << 5) & 63;
        (0..6).filter(usable).any(|other| near & cluster(other) == 0)
    })
}

/// Stones with dead and captured cells filled in.
#[derive(Clone)]
pub(super) struct Filled<'i> {
    inferior: &'i Inferior,
    pub(super) stones: [Cells; 2],
    /// The cells that were filled in because they are dead.
    dead: Cells,
    rings: Rings,
    /// The cells to examine, because their surroundings have changed.
    changed: Cells,
}

impl Filled<'_> {
    fn is_empty(&self, cell: u8) -> bool {
        (self.stones[0] | self.stones[1]) >> cell & 1 == 0
    }

    fn put(&mut self, cell: u8, side: usize) {
        self.stones[side] |= 1 << cell;
        self.surround(cell, side);
    }

    /// Records a stone in the rings around its neighbours.
    fn surround(&mut self, cell: u8, side: usize) {
        for &Beside { cell, there, .. } in &self.inferior.around[usize::from(cell)] {
            self.rings[usize::from(cell)] += there * (side as u16 + 1);
            self.changed |= 1 << cell;
        }
    }

    fn is_dead(&self, cell: u8, more: u16) -> bool {
        self.inferior.dead[usize::from(self.rings[usize::from(cell)] + more)]
    }

    /// The empty neighbours of a cell on which a stone of `side` makes it dead.
    fn killers(&self, cell: u8, side: usize) -> impl Iterator<Item = Beside> {
        let beside = self.inferior.around[usize::from(cell)].iter().copied();
        let stone = side as u16 + 1;
        beside.filter(move |other| {
            self.is_empty(other.cell) && self.is_dead(cell, other.here * stone)
        })
    }

    /// The side that has captured an empty cell, and the cell captured with it.
    fn captor(&self, cell: u8) -> Option<(usize, u8)> {
        (0..2).find_map(|side| {
            let stone = side as u16 + 1;
            let mut killers = self.killers(cell, side);
            let other = killers.find(|other| self.is_dead(other.cell, other.there * stone))?;
            Some((side, other.cell))
        })
    }

    /// Fills in cells until no empty cell is dead or captured.
    fn fill(&mut self) {
        while self.changed != 0 {
            let cell = self.changed.trailing_zeros() as u8;
            self.changed &= self.changed - 1;
            if !self.is_empty(cell) {
                continue;
            }
            if self.is_dead(cell, 0) {
                self.dead |= 1 << cell;
                self.put(cell, 0);
            } else if let Some((side, other)) = self.captor(cell) {
                self.put(cell, side);
                self.put(other, side);
            }
        }
    }

    /// A subset of `moves` that contains a winning move if there is one, provided that all legal
    /// moves outside `moves` lose and the side to move has not joined its edges. If it is empty,
    /// all moves lose.
    pub(super) fn best_of(&self, moves: Cells, mover: usize) -> Cells {
        let is_vulnerable = |&cell: &u8| self.killers(cell, 1 - mover).next().is_some();
        let vulnerable = each(moves).filter(is_vulnerable);
        let mut left = vulnerable.fold(moves, |left, cell| left & !(1 << cell));
        for cell in each(left) {
            if left >> cell & 1 == 1 {
                left &= !self.dominated(cell, mover);
            }
        }
        left
    }

    /// The empty cells that are dead or the mover's own after it has played on `cell`.
    fn dominated(&self, cell: u8, mover: usize) -> Cells {
        let mut next = self.clone();
        next.put(cell, mover);
        next.fill();
        (next.stones[mover] | next.dead) & !(self.stones[mover] | 1 << cell)
    }
}

impl Hex {
    /// The stones with all dead and captured cells filled in; the winner is unchanged.
    pub(super) fn filled(&self, stones: [Cells; 2]) -> Filled<'_> {
        let (inferior, rings) = (&self.inferior, self.inferior.rings);
        let mut filled = Filled { inferior, stones, dead: 0, rings, changed: 0 };
        for (side, stones) in stones.into_iter().enumerate() {
            for cell in each(stones) {
                filled.surround(cell, side);
            }
        }
        filled.changed = self.board.all;
        filled.fill();
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::super::State;
    use super::*;
    use crate::stones::random;
    use proofwood_game::{Game, Rng, Turn};
    use std::collections::HashMap;

    /// Returns whether the side to move wins, by exhaustive search.
    fn wins(hex: &Hex, state: &State, known: &mut HashMap<State, bool>) -> bool {
        if hex.turn(state) == Turn::Over {
            return false;
        }
        if let Some(&known) = known.get(state) {
            return known;
        }
        let answer = each(hex.empty(state)).any(|mv| !wins(hex, &hex.after(state, mv), known));
        known.insert(*state, answer);
        answer
    }

    /// Checks that `best_of` keeps a winning move if there is one, and excludes many moves.
    #[test]
    fn a_winning_move_is_left() {
        let (mut moves, mut kept) = (0, 0);
        for (width, height) in [(4, 4), (5, 4), (3, 5)] {
            let hex = Hex::new(width, height).unwrap();
            let mut rng = Rng::new(width as u64);
            let mut known = HashMap::new();
            for _ in 0..2_000 {
                let (mut stones, mut empty) = ([0; 2], hex.board.all);
                while empty.count_ones() > 10 - rng.below(4) {
                    let cell = random(empty, &mut rng).expect("a cell is left");
                    empty &= !(1 << cell);
                    stones[rng.below(2) as usize] |= 1 << cell;
                }
                let (filled, mover) = (hex.filled(stones), rng.below(2) as usize);
                let Ok(state) = hex.position(filled.stones, mover) else { continue };
                if state.joined {
                    continue;
                }
                let all = hex.empty(&state);
                let left = filled.best_of(all, mover);
                let mut among = |cells: Cells| {
                    each(cells).any(|mv| !wins(&hex, &hex.after(&state, mv), &mut known))
                };
                assert_eq!(among(all), among(left), "\n{}", hex.board_text(&state));
                moves += all.count_ones();
                kept += left.count_ones();
            }
        }
        assert!(moves > 3_000 && kept * 3 < moves * 2, "{kept} of {moves}");
    }
}
