//! Whole playouts.
//!
//! A playout spends a third of its time on finding the cell that was drawn, for which newer
//! processors have instructions. So it is compiled twice, and the processor says once which it has.

use super::{Othello, Phase, State};
use crate::bits;
use multiversion::multiversion;
use multiversion::target::match_target;
use proofwood::Rng;

/// Plays random moves until the game is over or `cap` moves are played; answers how many.
#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn play_randomly(game: &Othello, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
    let any = |_: &State, places| places;
    match_target! {
        "x86_64+bmi1+bmi2+lzcnt+popcnt" => {
            game.play_on(state, cap, any, |cells| bits::draw_by_instruction!(cells, rng))
        }
        _ => game.play_on(state, cap, any, |cells| random_disc(cells, rng)),
    }
}

/// The same with the cells that playouts prefer.
#[multiversion(targets("x86_64+bmi1+bmi2+lzcnt+popcnt"))]
pub(super) fn play_informed(game: &Othello, state: &mut State, cap: u32, rng: &mut Rng) -> u32 {
    let wanted = |state: &State, places| game.wanted(state, places);
    match_target! {
        "x86_64+bmi1+bmi2+lzcnt+popcnt" => {
            game.play_on(state, cap, wanted, |cells| bits::draw_by_instruction!(cells, rng))
        }
        _ => game.play_on(state, cap, wanted, |cells| random_disc(cells, rng)),
    }
}

/// Such a disc for every processor.
#[cfg(any(test, not(target_feature = "bmi2")))]
#[inline(always)]
fn random_disc(cells: u64, rng: &mut Rng) -> u64 {
    bits::random_cell(cells, rng).map_or(0, |cell| 1 << cell)
}

impl Othello {
    /// Plays on cells that `draw` draws of those `wanted` among the places.
    #[inline(always)]
    fn play_on(
        &self,
        state: &mut State,
        cap: u32,
        wanted: impl Fn(&State, u64) -> u64,
        mut draw: impl FnMut(u64) -> u64,
    ) -> u32 {
        let mut played = 0;
        while played < cap {
            let State { own, other, side } = *state;
            let (own, other) = match self.phase(state) {
                Phase::Over => break,
                Phase::Pass => (own, other),
                Phase::Place(places) => self.discs_with(state, draw(wanted(state, places))),
            };
            *state = State { own: other, other: own, side: 1 - side };
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
        type AtOnce = fn(&Othello, &mut State, u32, &mut Rng) -> u32;
        let plain: AtOnce = |game, state, cap, rng| {
            game.play_on(state, cap, |_, places| places, |cells| random_disc(cells, rng))
        };
        let ways: [(bool, AtOnce); 4] = [
            (false, plain),
            (false, play_randomly),
            (true, play_informed),
            (true, |game, state, cap, rng| game.insight().play_out(state, cap, rng)),
        ];
        let mut passes = 0;
        for round in 0..600 {
            let game = Othello::new([4, 6, 8][round % 3], false).expect("a board");
            let cap = if round % 4 == 0 { round as u32 % 20 } else { 200 };
            for (informed, at_once) in ways {
                let (mut rng, mut state) = (Rng::new(round as u64), game.initial_state());
                let (mut same, mut ended_at) = (rng.clone(), state);
                let played = at_once(&game, &mut ended_at, cap, &mut same);
                let mut left = cap;
                while left > 0 && game.turn(&state) != Turn::Over {
                    let buffer = &mut Vec::new();
                    let known = match informed {
                        true => game.playout_move(&state, buffer, &mut rng),
                        false => None,
                    };
                    let drawn = known.or_else(|| game.random_move(&state, buffer, &mut rng));
                    let mv = drawn.expect("the game is not over");
                    passes += u32::from(mv == super::super::Move::Pass);
                    game.play(&mut state, mv);
                    left -= 1;
                }
                assert_eq!((ended_at, played), (state, cap - left));
                assert_eq!(same.next_u64(), rng.next_u64());
            }
        }
        assert!(passes > 100, "{passes}");
    }
}
