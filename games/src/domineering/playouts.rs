//! Whole playouts: compiled twice, the second time for processors that find the drawn cell by an
//! instruction.

use super::reserve::touched;
use super::{Domineering, State};
use crate::bits;
use multiversion::multiversion;
use multiversion::target::match_target;
use proofwood::Rng;

/// Plays on cells that the other side could cover, too, and elsewhere where there are none, until the
/// game is over or `cap` moves are played; answers how many.
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
    /// The same with `draw`, which draws a cell of a set that is not empty.
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
    use proofwood::{Game, Insight, Turn};

    /// A playout at once is the one that asks for each move, and draws the same random numbers,
    /// whatever the processor has.
    #[test]
    fn playouts_at_once_play_the_same() {
        type AtOnce = fn(&Domineering, &mut State, u32, &mut Rng) -> u32;
        let plain: AtOnce = |game, state, cap, rng| {
            game.play_on(state, cap, |cells| 1 << bits::random_cell(cells, rng).expect("a cell"))
        };
        let at_once: AtOnce = |game, state, cap, rng| game.insight().play_out(state, cap, rng);
        let game = Domineering::default();
        for round in 0..300 {
            let cap = if round % 3 == 0 { round % 9 } else { 100 };
            let (mut rng, mut state) = (Rng::new(round.into()), game.initial_state());
            let ended_at = [plain, at_once].map(|play| {
                let (mut state, mut same) = (state, rng.clone());
                (play(&game, &mut state, cap, &mut same), state, same.next_u64())
            });
            let mut played = 0;
            while played < cap && game.turn(&state) != Turn::Over {
                let buffer = &mut Vec::new();
                let known = game.playout_move(&state, buffer, &mut rng);
                let mv = known.or_else(|| game.random_move(&state, buffer, &mut rng));
                game.play(&mut state, mv.expect("the game is not over"));
                played += 1;
            }
            assert_eq!(ended_at, [(played, state, rng.next_u64()); 2]);
        }
    }
}
