//! A game on a random graph with cycles, and retrograde analysis that solves it.

use crate::dice::Dice;
use proofwood::{Game, Turn};
use std::ops::RangeInclusive;

/// A game on a graph of positions.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The number of players of the game.
    pub players: usize,
    /// Whether payoffs sum to zero.
    pub zero_sum: bool,
    /// The greatest payoff; the least is −`most`.
    pub most: i32,
    /// The positions; play starts at the first one.
    pub positions: Vec<Position>,
    salt: u64,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct Position {
    /// The player to move in the position.
    pub mover: usize,
    /// The positions to which the moves lead; empty if the game is over.
    pub moves: Vec<usize>,
    /// The players' payoffs if the game is over here.
    pub payoffs: Vec<i32>,
}

impl Position {
    /// Returns whether the game is over here.
    pub fn is_over(&self) -> bool {
        self.moves.is_empty()
    }
}

impl Graph {
    /// Draws a graph of four to 21 positions from a seed.
    pub fn new(seed: u64) -> Graph {
        let mut dice = Dice::new(seed);
        let players = dice.pick(&[2, 2, 2, 3, 1]);
        let zero_sum = players == 2 && dice.chance(80);
        let most = dice.pick(&[1, 1, 2, 9]);
        let most_more = dice.pick(&[5, 12, 18]);
        let count = 4 + dice.below(most_more);
        let widest = dice.pick(&[2, 3, 5]);
        let over = dice.pick(&[10, 25, 40]);
        let in_turn = dice.chance(50);
        let position = |number: usize| {
            let ends = number > 0 && (number == count - 1 || dice.chance(over));
            let width = if ends { 0 } else { 1 + dice.below(widest) };
            let mut payoffs: Vec<i32> =
                (0..players).map(|_| dice.below(2 * most as usize + 1) as i32 - most).collect();
            if zero_sum {
                payoffs[1] = -payoffs[0];
            }
            Position {
                mover: if in_turn { number % players } else { dice.below(players) },
                moves: (0..width).map(|_| dice.below(count)).collect(),
                payoffs,
            }
        };
        let positions = (0..count).map(position).collect();
        Graph { players, zero_sum, most, positions, salt: seed.wrapping_mul(0x9e37_79b9) }
    }

    /// Returns the key of position `number`.
    pub fn key(&self, number: usize) -> u64 {
        self.salt ^ number as u64
    }

    /// Returns the positions from which `player` can force at least `at_least` in a finite number
    /// of moves, by retrograde analysis.
    pub fn secures(&self, player: usize, at_least: i32) -> Vec<bool> {
        let mut secured = vec![false; self.positions.len()];
        loop {
            let mut changed = false;
            for (number, position) in self.positions.iter().enumerate() {
                let now = match position.is_over() {
                    true => position.payoffs[player] >= at_least,
                    false if position.mover == player => {
                        position.moves.iter().any(|&to| secured[to])
                    }
                    false => position.moves.iter().all(|&to| secured[to]),
                };
                changed |= now != secured[number];
                secured[number] = now;
            }
            if !changed {
                return secured;
            }
        }
    }
}

impl Game for Graph {
    type State = usize;
    type Move = usize;

    fn initial_state(&self) -> usize {
        0
    }
    fn turn(&self, &state: &usize) -> Turn {
        let position = &self.positions[state];
        if position.is_over() { Turn::Over } else { Turn::Player(position.mover) }
    }
    fn legal_moves(&self, &state: &usize, moves: &mut Vec<usize>) {
        moves.extend(&self.positions[state].moves);
    }
    fn play(&self, state: &mut usize, to: usize) {
        *state = to;
    }
    fn payoff(&self, &state: &usize, player: usize) -> i32 {
        self.positions[state].payoffs[player]
    }
    fn num_players(&self) -> usize {
        self.players
    }
    fn zero_sum(&self) -> bool {
        self.zero_sum
    }
    fn payoff_range(&self, _: usize) -> RangeInclusive<i32> {
        -self.most..=self.most
    }
    fn key(&self, &state: &usize) -> Option<u64> {
        Some(self.key(state))
    }
}
