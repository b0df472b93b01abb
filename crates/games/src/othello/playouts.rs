//! Whole playouts of Othello.
//!
//! A playout spends a third of its time on finding a randomly drawn cell in a set of cells. Newer
//! processors have instructions for this, so the playout is compiled twice, with and without these
//! instructions, and the processor is detected once.

use super::{Othello, Phase, State};
use crate::bits;
use multiversion::multiversion;
use multiversion::target::match_target;
use proofwood_game::Rng;

/// Plays random moves until the end or until `cap` moves have been played; returns their number.
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

/// Plays like [`play_randomly`], but only on the preferred cells.
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

#[cfg(any(test, not(target_feature = "bmi2")))]
#[inline(always)]
fn random_disc(cells: u64, rng: &mut Rng) -> u64 {
    bits::random_cell(cells, rng).map_or(0, |cell| 1 << cell)
}

impl Othello {
    /// Plays on cells that `draw` draws from the legal cells selected by `wanted`.
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
    use super::super::Move;
    use super::*;
    use crate::at_once::plays_the_same;
    use proofwood_game::{DomainKnowledge, Game};

    #[test]
    fn playouts_at_once_play_the_same() {
        let mut random = 0;
        for round in 0..600 {
            let game = Othello::new([4, 6, 8][round % 3], false).expect("a board");
            let cap = if round % 4 == 0 { round as u32 % 20 } else { 200 };
            let (state, rng) = (game.initial_state(), Rng::new(round as u64));
            let from = (&state, cap, &rng);
            let none = |_: &State, _: &mut Vec<Move>, _: &mut Rng| None;
            let plain = |state: &mut State, cap, rng: &mut Rng| {
                game.play_on(state, cap, |_, places| places, |cells| random_disc(cells, rng))
            };
            plays_the_same(&game, from, plain, none);
            plays_the_same(
                &game,
                from,
                |state, cap, rng| play_randomly(&game, state, cap, rng),
                none,
            );
            let known =
                |state: &_, buffer: &mut _, rng: &mut _| game.rollout_move(state, buffer, rng);
            let plain = |state: &mut State, cap, rng: &mut Rng| {
                let wanted = |state: &State, places| game.wanted(state, places);
                game.play_on(state, cap, wanted, |cells| random_disc(cells, rng))
            };
            plays_the_same(&game, from, plain, known);
            let at_once =
                |state: &mut _, cap, rng: &mut _| game.knowledge().rollout(state, cap, rng);
            random += plays_the_same(&game, from, at_once, known);
        }
        assert!(random > 100, "a pass is no informed move: {random}");
    }
}
