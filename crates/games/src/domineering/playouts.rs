//! Whole playouts of Domineering. They are compiled a second time for processors with an
//! instruction that finds the drawn cell.

use super::reserve::touched;
use super::{Domineering, State};
use crate::bits;
use multiversion::multiversion;
use multiversion::target::match_target;
use proofwood_game::Rng;

/// Plays until the game is over or `cap` moves have been played, preferring cells that the other
/// side could also cover. Returns the number of moves.
#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn play_informed(game: &Domineering, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
    match_target! {
        "x86_64+bmi1+bmi2+lzcnt+popcnt" => {
            game.play_on(state, cap, |cells| bits::draw_by_instruction!(cells, rng))
        }
        _ => game.play_on(state, cap, |cells| 1 << bits::random_cell(cells, rng).unwrap_or(0)),
    }
}

impl Domineering {
    /// The generic form of [`play_informed`]; `draw` draws a cell of a set that is not empty.
    #[inline(always)]
    fn play_on(&self, state: &mut State, cap: u32, mut draw: impl FnMut(u64) -> u64) -> u32 {
        let mut played = 0;
        while played < cap {
            let [(own, step), other] = self.sides(state);
            if own == 0 {
                break;
            }
            let touched = touched(other);
            let contested = own & (touched | touched >> step);
            let cell = draw(if contested != 0 { contested } else { own });
            *state = State { empty: state.empty & !(cell | cell << step), mover: 1 - state.mover };
            played += 1;
        }
        played
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::at_once::plays_the_same;
    use proofwood_game::{DomainKnowledge, Game};

    #[test]
    fn playouts_at_once_play_the_same() {
        let game = Domineering::default();
        for round in 0..300 {
            let cap = if round % 3 == 0 { round % 9 } else { 100 };
            let (state, rng) = (game.initial_state(), Rng::new(round.into()));
            let known =
                |state: &_, buffer: &mut _, rng: &mut _| game.rollout_move(state, buffer, rng);
            let plain = |state: &mut _, cap, rng: &mut Rng| {
                game.play_on(state, cap, |cells| {
                    1 << bits::random_cell(cells, rng).expect("a cell")
                })
            };
            plays_the_same(&game, (&state, cap, &rng), plain, known);
            let at_once =
                |state: &mut _, cap, rng: &mut _| game.knowledge().rollout(state, cap, rng);
            plays_the_same(&game, (&state, cap, &rng), at_once, known);
        }
    }
}
