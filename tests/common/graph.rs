//! Small games on random graphs: play may go round for ever.
//!
//! The truth comes from retrograde analysis: starting from the positions where
//! the game is over, a position is secured by a player as soon as one of its
//! moves (where the player chooses) or all of them (where others do) lead to
//! secured positions. Whatever is never reached by this is not secured.

use super::dice::{Dice, mix};
use proofwood::{Game, Turn};
use std::ops::RangeInclusive;

/// A position of the graph.
#[derive(Clone, Debug)]
enum Node {
    Over(Vec<i32>),
    Open { mover: usize, moves: Vec<u16> },
}

/// A game whose positions are the nodes of a graph.
#[derive(Clone, Debug)]
pub struct GraphGame {
    players: usize,
    nodes: Vec<Node>,
}

impl GraphGame {
    /// The graph of a seed: 2 to 30 nodes, 2 or 3 players.
    pub fn new(seed: u64) -> GraphGame {
        let mut dice = Dice::new(mix(seed) ^ 0x6aaf);
        let (players, size) = (dice.pick(&[2, 2, 2, 3]), 2 + dice.below(29));
        let (ends, width) = (dice.pick(&[5, 15, 30, 50]), 1 + dice.below(4));
        let mut nodes: Vec<Node> = Vec::new();
        for number in 0..size {
            let over = number > 0 && dice.chance(ends);
            nodes.push(match over {
                true => Node::Over((0..players).map(|_| dice.below(3) as i32 - 1).collect()),
                false => Node::Open {
                    mover: dice.below(players),
                    moves: (0..1 + dice.below(width)).map(|_| dice.below(size) as u16).collect(),
                },
            });
        }
        GraphGame { players, nodes }
    }

    /// The number of positions.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Where `player` can make sure of at least `at_least` in a finite number
    /// of moves.
    pub fn secured(&self, player: usize, at_least: i32) -> Vec<bool> {
        let mut secured = vec![false; self.nodes.len()];
        loop {
            let before = secured.clone();
            for (number, node) in self.nodes.iter().enumerate() {
                secured[number] = match node {
                    Node::Over(payoffs) => payoffs[player] >= at_least,
                    Node::Open { mover, moves } => {
                        let mut ends = moves.iter().map(|&to| before[usize::from(to)]);
                        if *mover == player { ends.any(|s| s) } else { ends.all(|s| s) }
                    }
                };
            }
            if secured == before {
                return secured;
            }
        }
    }
}

impl Game for GraphGame {
    type State = u16;
    type Move = u16;

    fn initial_state(&self) -> u16 {
        0
    }

    fn turn(&self, &state: &u16) -> Turn {
        match &self.nodes[usize::from(state)] {
            Node::Over(_) => Turn::Over,
            Node::Open { mover, .. } => Turn::Player(*mover),
        }
    }

    fn legal_moves(&self, &state: &u16, list: &mut Vec<u16>) {
        if let Node::Open { moves, .. } = &self.nodes[usize::from(state)] {
            list.extend(moves);
        }
    }

    fn play(&self, state: &mut u16, to: u16) {
        *state = to;
    }

    fn payoff(&self, &state: &u16, player: usize) -> i32 {
        match &self.nodes[usize::from(state)] {
            Node::Over(payoffs) => payoffs[player],
            Node::Open { .. } => 0,
        }
    }

    fn num_players(&self) -> usize {
        self.players
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        -1..=1
    }

    fn hash(&self, &state: &u16) -> Option<u64> {
        Some(mix(state.into()))
    }
}
