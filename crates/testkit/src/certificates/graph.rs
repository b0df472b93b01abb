//! Small random games: graphs with or without cycles, for one to three players and chance.

use crate::dice::{Dice, mix};
use proofwood::{Game, TextError, Turn};

/// A game whose positions are numbered nodes.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The number of players of the game.
    pub players: usize,
    /// Whether payoffs sum to zero.
    pub zero_sum: bool,
    /// The nodes by number; node 0 is the start.
    pub nodes: Vec<Node>,
    /// Whether positions have a key.
    pub hashed: bool,
    /// Whether positions have a text.
    pub written: bool,
}

/// A position of a [`Graph`]: a node.
#[derive(Clone, Debug)]
pub struct Node {
    /// The side to move in the position.
    pub turn: Turn,
    /// The moves: the node to which each move leads, and the move's name.
    pub moves: Vec<(usize, char)>,
    /// The players' payoffs if the game ends here.
    pub payoffs: Vec<i32>,
}

impl Graph {
    /// Draws a graph from a seed.
    pub fn new(seed: u64) -> Graph {
        let mut dice = Dice::new(seed);
        let players = dice.pick(&[1, 2, 2, 2, 3]);
        let count = dice.pick(&[2, 5, 12, 30]);
        let circles = dice.chance(70);
        let ends = dice.pick(&[10, 30, 50]);
        let zero_sum = players == 2 && dice.chance(50);
        let chance = if zero_sum { 0 } else { dice.pick(&[0, 0, 10]) };
        let nodes = (0..count).map(|number| {
            let over = number > 0 && (dice.chance(ends) || number + 1 == count);
            let mut letters: Vec<char> = ('a'..='h').collect();
            let width = 1 + dice.below(4);
            // With cycles, a move may lead back to its own position.
            let moves = (0..width).map(|_| {
                let next = match circles {
                    true => dice.below(count),
                    false => number + 1 + dice.below(count.saturating_sub(number + 1).max(1)),
                };
                (next, letters.remove(dice.below(letters.len())))
            });
            let moves = if over { Vec::new() } else { moves.collect() };
            let turn = match over {
                true => Turn::Over,
                false if dice.chance(chance) => Turn::Chance,
                false => Turn::Player(dice.below(players)),
            };
            let mut payoffs: Vec<i32> = (0..players).map(|_| dice.below(5) as i32 - 2).collect();
            if zero_sum {
                payoffs[1] = -payoffs[0];
            }
            Node { turn, moves, payoffs }
        });
        let nodes = nodes.collect();
        let (hashed, written) =
            dice.pick(&[(true, true), (true, true), (true, false), (false, true)]);
        // Without cycles, a proof can be written as a tree, so keys and texts are optional.
        Graph { players, zero_sum, nodes, hashed: hashed || circles, written: written || circles }
    }
}

impl Game for Graph {
    type State = usize;
    type Move = u8;

    fn initial_state(&self) -> usize {
        0
    }

    fn turn(&self, &node: &usize) -> Turn {
        self.nodes[node].turn
    }

    fn legal_moves(&self, &node: &usize, moves: &mut Vec<u8>) {
        moves.extend(0..self.nodes[node].moves.len() as u8);
    }

    fn play(&self, node: &mut usize, mv: u8) {
        *node = self.nodes[*node].moves[usize::from(mv)].0;
    }

    fn payoff(&self, &node: &usize, player: usize) -> i32 {
        self.nodes[node].payoffs[player]
    }

    fn zero_sum(&self) -> bool {
        self.zero_sum
    }

    fn payoff_range(&self, _player: usize) -> std::ops::RangeInclusive<i32> {
        if self.zero_sum { -2..=2 } else { i32::MIN..=i32::MAX }
    }

    fn num_players(&self) -> usize {
        self.players
    }

    fn has_chance(&self) -> bool {
        self.nodes.iter().any(|node| node.turn == Turn::Chance)
    }

    fn key(&self, &node: &usize) -> Option<u64> {
        self.hashed.then(|| mix(node as u64 + 1))
    }

    fn move_text(&self, &node: &usize, mv: u8) -> String {
        self.nodes[node].moves[usize::from(mv)].1.to_string()
    }

    fn state_text(&self, node: &usize) -> String {
        if self.written { format!("node {node}") } else { String::new() }
    }

    fn parse_state(&self, text: &str) -> Result<usize, TextError> {
        let node = text.strip_prefix("node ").and_then(|text| text.parse().ok());
        node.filter(|&node| node < self.nodes.len()).ok_or_else(|| TextError::new("no node"))
    }
}
