//! A game whose tree is drawn from a seed.
//!
//! A position is the hash of the path that leads to it, so the tree needs no memory. All properties
//! of a position (over or not, side to move, number of moves, payoffs) are derived from the hash.
//! Different paths lead to different positions unless paths may merge: then each ply has a limited
//! number of positions, and many paths lead to each position.

use crate::dice::{Dice, branch, mix};
use proofwood::{Game, Outcome, Turn};
use std::ops::RangeInclusive;

/// The rule for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movers {
    /// The players move in turn.
    InTurn,
    /// A random player moves, so a player may move several times in a row.
    Anybody,
    /// The player who moved last usually moves again.
    Streaks,
}

/// The number of moves of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A position has from 1 to this number of moves, with equal probability.
    Bushy(usize),
    /// A position has one move, occasionally two.
    Thin,
}

/// The payoffs of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payoffs {
    /// Zero-sum payoffs of −1, 0 or 1 for two players; the field is the percentage of draws.
    Wins(usize),
    /// Zero-sum payoffs from −K to K for two players.
    Scores(i32),
    /// Zero-sum payoffs for two players: any payoff whose negation fits in an `i32`.
    Extreme,
    /// One of N players receives N − 1 and each of the others pays 1; or the game is a draw.
    OneWinner,
    /// Payoffs from −K to K, drawn for each player independently.
    General(i32),
    /// Any `i32`, drawn for each player independently, including the least and the greatest.
    GeneralExtreme,
}

impl Payoffs {
    fn zero_sum(self) -> bool {
        matches!(self, Payoffs::Wins(_) | Payoffs::Scores(_) | Payoffs::Extreme)
    }

    fn bound(self, players: usize) -> RangeInclusive<i32> {
        match self {
            Payoffs::Wins(_) => -1..=1,
            Payoffs::Scores(most) | Payoffs::General(most) => -most..=most,
            Payoffs::Extreme => -i32::MAX..=i32::MAX,
            Payoffs::OneWinner => -1..=players.max(2) as i32 - 1,
            Payoffs::GeneralExtreme => i32::MIN..=i32::MAX,
        }
    }
}

/// A game whose tree is drawn from a seed.
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// The seed from which the tree is drawn.
    pub seed: u64,
    /// The number of players of the game.
    pub players: usize,
    /// The rule for the number of moves of a position.
    pub shape: Shape,
    /// The depth at which every game is over.
    pub depth: u16,
    /// The percentage of positions above that depth in which the game is over.
    pub early: u64,
    /// The rule for the side to move.
    pub movers: Movers,
    /// The rule for the payoffs when the game is over.
    pub payoffs: Payoffs,
    /// Whether the game declares its range of payoffs.
    pub tight: bool,
    /// The least payoffs with which player 0 draws and wins; if `None`, the payoff's sign decides.
    pub cuts: Option<(i32, i32)>,
    /// The number of positions in each ply, if paths merge.
    pub merging: Option<u64>,
    /// The percentage of positions that are chance nodes.
    pub chance: u64,
    /// The list from which the weight of each outcome is drawn.
    pub weights: &'static [u32],
    /// The percentage of positions with a key.
    pub hashed: u64,
}

/// A position of a random game: the hash of the path to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Path {
    key: u64,
    depth: u16,
    mover: u8,
}

/// Names of independent random properties of a position.
#[derive(Clone, Copy)]
enum Trait {
    Ends = 1 << 20,
    Mover,
    Width,
    Payoff,
    Hash,
    Chance,
    Weight,
}

impl RandomGame {
    /// Draws a game with random properties. The tree has a few thousand positions at most.
    pub fn new(seed: u64) -> RandomGame {
        let mut dice = Dice::new(seed);
        let players = dice.pick(&[2, 2, 2, 2, 3, 3, 4, 1]);
        RandomGame::with_players(seed, players)
    }

    /// Draws a game for `players` players.
    pub fn with_players(seed: u64, players: usize) -> RandomGame {
        let mut dice = Dice::new(mix(seed) ^ players as u64);
        let payoffs = match players {
            2 => dice.pick(&[
                Payoffs::Wins(0),
                Payoffs::Wins(30),
                Payoffs::Wins(80),
                Payoffs::Scores(3),
                Payoffs::Scores(64),
                Payoffs::Extreme,
                Payoffs::General(2),
                Payoffs::General(20),
                Payoffs::GeneralExtreme,
                Payoffs::OneWinner,
            ]),
            1 => dice.pick(&[Payoffs::General(1), Payoffs::General(50), Payoffs::GeneralExtreme]),
            _ => dice.pick(&[
                Payoffs::OneWinner,
                Payoffs::OneWinner,
                Payoffs::General(1),
                Payoffs::General(9),
                Payoffs::GeneralExtreme,
            ]),
        };
        let (shape, depth) = dice.pick(&[
            (Shape::Bushy(2), 8),
            (Shape::Bushy(2), 18),
            (Shape::Bushy(3), 10),
            (Shape::Bushy(4), 8),
            (Shape::Bushy(6), 3),
            (Shape::Bushy(6), 6),
            (Shape::Bushy(12), 4),
            (Shape::Bushy(40), 2),
            (Shape::Bushy(30), 1),
            (Shape::Thin, 30),
        ]);
        let cuts = match payoffs {
            Payoffs::Wins(_) | Payoffs::OneWinner => None,
            _ if dice.chance(60) => None,
            // Games without draws or with rare draws, rare wins or rare losses; small payoffs may
            // even exclude a win or a loss.
            _ => Some(dice.pick(&[
                (1, 1),
                (0, 3),
                (-1, 2),
                (3, 3),
                (-2, -1),
                (0, 1000),
                (-1000, 1),
                (-1000, -1000),
            ])),
        };
        let game = RandomGame {
            seed,
            players,
            shape,
            depth,
            early: dice.pick(&[0, 0, 5, 15, 40]),
            movers: dice.pick(&[Movers::InTurn, Movers::Anybody, Movers::Streaks]),
            payoffs,
            tight: dice.chance(60),
            cuts,
            merging: dice.pick(&[None, None, Some(2), Some(5), Some(30)]),
            hashed: dice.pick(&[0, 60, 100, 100]),
            chance: 0,
            weights: &[1],
        };
        game.with_a_question()
    }

    /// Drops the declared range of payoffs if all its payoffs have the same outcome, because a
    /// search for the outcome would then be refused.
    pub fn with_a_question(mut self) -> RandomGame {
        let range = self.payoffs.bound(self.players);
        let ends = [*range.start(), *range.end()].map(|payoff| self.outcome(0, payoff));
        self.tight &= ends[0] != ends[1];
        self
    }

    /// Draws a game in which all nodes or some of them are chance nodes.
    pub fn with_chance(seed: u64) -> RandomGame {
        let mut dice = Dice::new(seed ^ 0xd1ce);
        let mut game = RandomGame::new(seed);
        game.depth = game.depth.min(12);
        game.chance = dice.pick(&[50, 50, 30, 10, 100]);
        game.weights = dice.pick(&[
            &[1],
            &[1, 1, 2, 4],
            &[1, 2, 3, 5, 7],
            &[1, 1_000_000],
            &[u32::MAX, u32::MAX - 1],
        ]);
        if game.zero_sum() && game.payoffs == Payoffs::Extreme {
            game.payoffs = dice.pick(&[Payoffs::Extreme, Payoffs::Scores(9)]);
        }
        game.with_a_question()
    }

    /// Returns whether every sum of weights is a power of two, so that means over the outcomes of a
    /// few nodes are never rounded.
    pub fn weights_are_powers_of_two(&self) -> bool {
        self.weights == [1] && self.shape == Shape::Bushy(2)
    }

    fn draw(state: &Path, what: Trait) -> u64 {
        branch(state.key, what as u64)
    }

    fn position(&self, key: u64, depth: u16, before: u8) -> Path {
        let mut state = Path { key, depth, mover: 0 };
        let players = self.players as u64;
        let any = RandomGame::draw(&state, Trait::Mover);
        state.mover = match self.movers {
            Movers::InTurn => (u64::from(depth) % players) as u8,
            Movers::Streaks if depth > 0 && any >> 32 & 3 != 0 => before,
            _ => (any % players) as u8,
        };
        state
    }

    fn cuts_of(&self, player: usize) -> (i32, i32) {
        match self.cuts {
            None => (0, 1),
            Some((draw, win)) if player == 1 && self.zero_sum() => (1 - win, 1 - draw),
            Some(cuts) => cuts,
        }
    }
}

fn within(draw: u64, most: i32) -> i32 {
    (draw % (2 * most as u64 + 1)) as i32 - most
}

impl Game for RandomGame {
    type State = Path;
    type Move = u8;

    fn initial_state(&self) -> Path {
        self.position(mix(self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d)), 0, 0)
    }

    fn turn(&self, state: &Path) -> Turn {
        let ends = RandomGame::draw(state, Trait::Ends) % 100 < self.early;
        if state.depth >= self.depth || state.depth > 0 && ends {
            Turn::Over
        } else if RandomGame::draw(state, Trait::Chance) % 100 < self.chance {
            Turn::Chance
        } else {
            Turn::Player(usize::from(state.mover))
        }
    }

    fn legal_moves(&self, state: &Path, moves: &mut Vec<u8>) {
        let draw = RandomGame::draw(state, Trait::Width);
        let width = match self.shape {
            Shape::Bushy(most) => 1 + draw % most as u64,
            Shape::Thin => 1 + u64::from(draw.is_multiple_of(4)),
        };
        moves.extend(0..width as u8);
    }

    fn play(&self, state: &mut Path, mv: u8) {
        let (path, depth) = (branch(state.key, mv.into()), state.depth + 1);
        let key = self.merging.map_or(path, |most| {
            let ply = branch(self.seed, u64::from(depth));
            branch(ply, path % most)
        });
        *state = self.position(key, depth, state.mover);
    }

    fn payoff(&self, state: &Path, player: usize) -> i32 {
        let common = RandomGame::draw(state, Trait::Payoff);
        let own = branch(common, player as u64);
        let sign = if player == 0 { 1 } else { -1 };
        match self.payoffs {
            Payoffs::Wins(draws) if common % 100 < draws as u64 => 0,
            Payoffs::Wins(_) => sign * if common >> 32 & 1 == 0 { 1 } else { -1 },
            Payoffs::Scores(most) => sign * within(common, most),
            Payoffs::Extreme => sign * [-i32::MAX, -1, 0, 1, i32::MAX][(common % 5) as usize],
            Payoffs::OneWinner => match common % (self.players as u64 + 1) {
                winner if winner == player as u64 => self.players.max(2) as i32 - 1,
                winner if winner < self.players as u64 => -1,
                _ => 0,
            },
            Payoffs::General(most) => within(own, most),
            Payoffs::GeneralExtreme => [i32::MIN, -2, 0, 3, i32::MAX][(own % 5) as usize],
        }
    }

    fn num_players(&self) -> usize {
        self.players
    }

    fn zero_sum(&self) -> bool {
        self.payoffs.zero_sum()
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        match self.tight {
            true => self.payoffs.bound(self.players),
            false => i32::MIN..=i32::MAX,
        }
    }

    fn has_chance(&self) -> bool {
        self.chance > 0
    }

    fn chance_weight(&self, state: &Path, outcome: u8) -> u32 {
        let draw = branch(RandomGame::draw(state, Trait::Weight), outcome.into());
        self.weights[(draw % self.weights.len() as u64) as usize]
    }

    fn key(&self, state: &Path) -> Option<u64> {
        let told = state.depth == 0 || RandomGame::draw(state, Trait::Hash) % 100 < self.hashed;
        let hash = mix(state.key ^ u64::from(state.mover)).wrapping_add(state.depth.into());
        (told && self.hashed > 0).then_some(hash)
    }

    fn outcome(&self, player: usize, payoff: i32) -> Outcome {
        let (draw, win) = self.cuts_of(player);
        if payoff >= win {
            Outcome::Win
        } else if payoff >= draw {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }
}
