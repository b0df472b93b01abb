//! Finds bridges into which the last move intruded, for playouts.
//!
//! A bridge holds as long as each move into one of its two cells is answered in the other
//! ([`links`](super::links)). Random moves usually miss this answer, so random playouts cut chains
//! that no player could cut.
//!
//! The cells around the last move form a ring. The move intruded into a bridge if an empty cell of
//! the ring has two neighbours in the ring that belong to the side to move: its stones, or cells
//! beyond an edge that it has to connect.

use super::{SIDES, State};
use crate::stones::{Board, Cells, STRIDE};
use proofwood_game::Rng;

/// The steps to the cells around a cell, in circular order.
const RING: [(isize, isize); 6] = [(-1, 0), (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1)];

/// A number that means "no cell".
pub(super) const NOWHERE: u8 = u8::MAX;

/// The surroundings of a cell, with a bit for each step of [`RING`].
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    /// The steps that stay on the board.
    inside: u8,
    /// For each side, the steps that cross one of its edges.
    edges: [u8; SIDES.len()],
}

/// The surroundings of every cell of a board.
#[derive(Clone, Debug)]
pub(super) struct Bridges(Box<[Around; STRIDE * STRIDE]>);

impl Bridges {
    pub(super) fn new(board: &Board) -> Bridges {
        let mut around = Box::new([Around::default(); STRIDE * STRIDE]);
        for (row, column) in (0..board.height).flat_map(|y| (0..board.width).map(move |x| (y, x))) {
            let here = &mut around[row * STRIDE + column];
            for (step, (right, down)) in RING.into_iter().enumerate() {
                let to = (column.checked_add_signed(right), row.checked_add_signed(down));
                let across = to.0.is_none_or(|column| column >= board.width);
                let along = to.1.is_none_or(|row| row >= board.height);
                match (along, across) {
                    (false, false) => here.inside |= 1 << step,
                    (true, false) => here.edges[0] |= 1 << step,
                    (false, true) => here.edges[1] |= 1 << step,
                    // A corner belongs to neither side.
                    (true, true) => {}
                }
            }
        }
        Bridges(around)
    }

    /// Draws a cell that repairs a bridge of the side to move, if the last move intruded into one.
    #[inline]
    pub(super) fn mend(&self, state: &State, rng: &mut Rng) -> Option<u8> {
        let last = state.last;
        let around = self.0.get(usize::from(last))?;
        let side = usize::from(state.side);
        let own = ring(state.stones[side], last) & around.inside | around.edges[side];
        let between = turned(own, 1) & turned(own, 5);
        let empty = !ring(state.stones[0] | state.stones[1], last) & around.inside;
        let mut mends = between & empty;
        if mends == 0 {
            return None;
        }
        for _ in 0..rng.below(mends.count_ones()) {
            mends &= mends - 1;
        }
        let (right, down) = RING[mends.trailing_zeros() as usize];
        Some((isize::from(last) + down * STRIDE as isize + right) as u8)
    }
}

fn turned(ring: u8, steps: u32) -> u8 {
    (ring << steps | ring >> (6 - steps)) & 0b11_1111
}

/// The cells of a set around a cell, with a bit for each step of [`RING`]; bits beyond the board
/// are arbitrary.
#[inline]
fn ring(set: Cells, cell: u8) -> u8 {
    let (cell, stride) = (u32::from(cell), STRIDE as u32);
    // Shifts the cell above to bit 0, so that all six cells fit into one word.
    let near = match cell.checked_sub(stride) {
        Some(above) => set >> above,
        None => set << (stride - cell),
    } as u32;
    RING.into_iter().enumerate().fold(0, |ring, (step, (right, down))| {
        let bit = stride as isize * (1 + down) + right;
        ring | ((near >> bit & 1) as u8) << step
    })
}

#[cfg(test)]
mod tests {
    use crate::hex::Hex;
    use crate::stones::each;
    use proofwood_game::{DomainKnowledge, Game, Rng};

    fn answers(size: (usize, usize), before: &str, mv: &str) -> Vec<String> {
        let game = Hex::new(size.0, size.1).unwrap();
        let state = game.parse_state(before).unwrap();
        let state = game.after(&state, game.parse_move(&state, mv).unwrap());
        let mut rng = Rng::new(1);
        let answers = (0..100).filter_map(|_| {
            let mv = game.knowledge().rollout_move(&state, &mut Vec::new(), &mut rng)?;
            Some(game.move_text(&state, mv))
        });
        let answers: std::collections::BTreeSet<String> = answers.collect();
        answers.into_iter().collect()
    }

    #[test]
    fn a_bridge_is_mended() {
        // The stones on c2 and b4 form a bridge over b3 and c3.
        assert_eq!(answers((5, 5), "...../..X../...../.X.../..... O", "c3"), ["b3"]);
        assert_eq!(answers((5, 5), "...../..X../...../.X.../..... O", "b3"), ["c3"]);
        assert!(answers((5, 5), "...../.X.../...../...../..... O", "d4").is_empty());
    }

    #[test]
    fn a_bridge_to_an_edge_is_mended_by_its_owner() {
        assert_eq!(answers((5, 5), "...../..X../...../...../..... O", "c1"), ["d1"]);
        assert_eq!(answers((5, 5), "...../..X../...../...../..... O", "d1"), ["c1"]);
        assert!(answers((5, 5), "...../..O../...../...../..... X", "c1").is_empty());
        assert_eq!(answers((5, 5), "...../...../.O.../...../..... X", "a3"), ["a4"]);
    }

    #[test]
    fn any_of_several_bridges_is_mended() {
        assert_eq!(answers((5, 5), "...../..X../...X./.X.../..... O", "c3"), ["b3", "c4", "d2"]);
    }

    #[test]
    fn what_is_mended_touches_two_of_the_sides_own() {
        let game = Hex::new(6, 4).unwrap();
        let mut rng = Rng::new(7);
        let mut mended = 0;
        for _ in 0..300 {
            let mut state = game.initial_state();
            while !state.joined {
                let side = usize::from(state.side);
                let mend = game.knowledge().rollout_move(&state, &mut Vec::new(), &mut rng);
                if let Some(mend) = mend {
                    mended += 1;
                    let touched = game.touching[usize::from(mend)];
                    let own = (touched & state.stones[side]).count_ones();
                    let at_edge = game.edges[side].iter().any(|edge| edge >> mend & 1 == 1);
                    assert!(touched >> state.last & 1 == 1);
                    assert!(own >= 2 || own == 1 && at_edge, "{}", game.state_text(&state));
                }
                let cells: Vec<u8> = each(game.empty(&state)).collect();
                game.play(&mut state, cells[rng.below(cells.len() as u32) as usize]);
            }
        }
        assert!(mended > 300, "{mended}");
    }
}
