//! Whole playouts of Connect Four.
//!
//! A move changes only its own side's set of cells that would complete a line. A playout that
//! updates this set after each move therefore does half the work of a playout that computes the
//! sets of both sides. The playout is compiled twice, because newer processors have instructions
//! that find the drawn cell; the processor is detected once.

use super::threats::Choice;
use super::{ConnectFour, State};
use crate::bits;
use multiversion::multiversion;
use multiversion::target::match_target;
use proofwood_game::Rng;

/// Plays decisive moves, or random ones if all moves lose, until the game is over or `cap` moves
/// have been played. Returns the number of moves.
#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn play_decisively(
    game: &ConnectFour,
    state: &mut State,
    cap: u32,
    rng: &mut Rng,
) -> u32 {
    match_target! {
        "x86_64+bmi1+bmi2+lzcnt+popcnt" => game.play_on(state, cap, rng, |cells, rng| {
            (cells != 0).then(|| bits::draw_by_instruction!(cells, rng).trailing_zeros() as u8)
        }),
        _ => game.play_on(state, cap, rng, bits::random_cell),
    }
}

impl ConnectFour {
    /// The generic form of [`play_decisively`]; `draw` returns `None` for an empty set.
    #[inline(always)]
    fn play_on(
        &self,
        state: &mut State,
        cap: u32,
        rng: &mut Rng,
        draw: impl Fn(u64, &mut Rng) -> Option<u8>,
    ) -> u32 {
        let State { mut own, mut stones } = *state;
        if self.has_line(own ^ stones) {
            return 0;
        }
        let mut lines = [own, own ^ stones].map(|side| self.completing(side));
        let (mut played, mut over) = (0, false);
        while played < cap && !over && stones != self.board {
            let disc = match self.choose(stones, lines[0], lines[1], |cells| draw(cells, rng)) {
                Choice::Wins(cell) => {
                    over = true;
                    1 << cell
                }
                Choice::Plays(cell) => 1 << cell,
                Choice::Loses => self.landing(stones, self.random_column(stones, rng)),
            };
            lines = [lines[1], self.completing(own | disc)];
            (own, stones) = (own ^ stones, stones | disc);
            played += 1;
        }
        *state = State { own, stones };
        played
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::at_once::plays_the_same;
    use proofwood_game::{DomainKnowledge, Game, Turn};

    #[test]
    fn playouts_at_once_play_the_same() {
        let mut lost = 0;
        for (width, height, k) in [(7, 6, 4), (6, 5, 3), (9, 6, 4), (4, 4, 2), (2, 2, 2)] {
            let game = ConnectFour::new(width, height, k).expect("a board");
            let mut rng = Rng::new(3);
            for round in 0..1000 {
                let mut state = game.initial_state();
                for _ in 0..round % 12 {
                    match game.random_move(&state, &mut Vec::new(), &mut rng) {
                        Some(mv) if game.turn(&state) != Turn::Over => game.play(&mut state, mv),
                        _ => break,
                    }
                }
                let cap = if round % 3 == 0 { round as u32 % 10 } else { 100 };
                let from = (&state, cap, &rng);
                let known = |state: &_, _: &mut _, rng: &mut _| game.decisive_move(state, rng);
                let plain = |state: &mut _, cap, rng: &mut _| {
                    game.play_on(state, cap, rng, bits::random_cell)
                };
                plays_the_same(&game, from, plain, known);
                let at_once =
                    |state: &mut _, cap, rng: &mut _| game.knowledge().rollout(state, cap, rng);
                lost += plays_the_same(&game, from, at_once, known);
            }
        }
        assert!(lost > 100, "{lost}");
    }
}
