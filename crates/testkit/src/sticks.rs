//! Small games that a prover solves at once.

use proofwood::{Game, Turn};
use std::ops::RangeInclusive;

/// A pile with this number of sticks. Players take one to three at a time; the player who takes the
/// last stick wins. The documentation's examples use this game.
#[derive(Clone, Debug)]
pub struct Sticks(pub u32);

impl Game for Sticks {
    /// The number of sticks left, and the player to move.
    type State = (u32, usize);
    type Move = u32;

    fn initial_state(&self) -> (u32, usize) {
        (self.0, 0)
    }
    fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
        if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
        moves.extend(1..=sticks.min(3));
    }
    fn play(&self, state: &mut (u32, usize), taken: u32) {
        *state = (state.0 - taken, 1 - state.1);
    }
    fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
        if player == mover { -1 } else { 1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(sticks, mover): &(u32, usize)) -> Option<u64> {
        let number = u64::from(sticks) << 1 | mover as u64;
        Some((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

/// [`Sticks`] in which the side to move may also give up with move 0, which ends the game at once.
#[derive(Clone, Debug)]
pub struct SticksOrForfeit(pub u32);

impl Game for SticksOrForfeit {
    /// The number of sticks left, the player to move, and whether the other player gave up.
    type State = (u32, usize, bool);
    type Move = u32;

    fn initial_state(&self) -> Self::State {
        (self.0, 0, false)
    }
    fn turn(&self, &(sticks, mover, over): &Self::State) -> Turn {
        if sticks == 0 || over { Turn::Over } else { Turn::Player(mover) }
    }
    fn legal_moves(&self, &(sticks, ..): &Self::State, moves: &mut Vec<u32>) {
        moves.extend(0..=sticks.min(3));
    }
    fn play(&self, state: &mut Self::State, taken: u32) {
        *state = (state.0 - taken, 1 - state.1, taken == 0);
    }
    fn payoff(&self, &(_, mover, over): &Self::State, player: usize) -> i32 {
        if (player == mover) == over { 1 } else { -1 }
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -1..=1
    }
    fn zero_sum(&self) -> bool {
        true
    }
    fn key(&self, &(sticks, mover, over): &Self::State) -> Option<u64> {
        let number = u64::from(sticks) << 2 | (mover as u64) << 1 | u64::from(over);
        Some((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}
