//! P-games: complete trees whose leaves are won or lost at random.
//!
//! Pearl's P-game is the synthetic game on which proof number searches were first studied: every
//! position has the same number of moves, the players move alternately, and after a fixed number of
//! moves the game is won or lost by a seeded draw. Plain recursion computes the value, so any
//! solver can be checked against it.
//!
//! # Definition of the tree
//! Every node has a key of 64 bits. The root's key is the first output of SplitMix64 seeded with
//! the game's seed; the key of a node's i-th child, counted from 1, is the i-th output of
//! SplitMix64 seeded with the node's key. In other words, with all sums modulo 2^64 and
//!
//! ```text
//! gamma   = 0x9e3779b97f4a7c15
//! mix(z0) = z2 ^ (z2 >> 31)  where  z1 = (z0 ^ (z0 >> 30)) * 0xbf58476d1ce4e5b9
//!                                   z2 = (z1 ^ (z1 >> 27)) * 0x94d049bb133111eb
//! root    = mix(seed + gamma)
//! child   = mix(parent + i * gamma)
//! ```
//!
//! A node below the root is a leaf at depth d, or earlier if `(low * 100) >> 32 < early` for the
//! low 32 bits of its key. With `high` the other 32 bits, a leaf pays player 0, who moves first, 1
//! if `(high * 100) >> 32 < win` and −1 otherwise, or with `values=K` it pays `((high * (2K + 1))
//! >> 32) - K`. Player 1 receives the opposite.
//!
//! A move is a number from 1 to b; a position is written as the moves that lead to it, such as `2 1
//! 1`, or `root` for the start.

use crate::hash::{GAMMA, mix};
use crate::info::GameInfo;
use crate::options::{Options, SpecError};
use proofwood_game::{Game, Rng, TextError, Turn};
use std::ops::RangeInclusive;

pub(crate) const INFO: GameInfo = GameInfo {
    name: "p-game",
    summary: "a complete tree with random results at its leaves, for testing solvers",
    also: &["pearl"],
    rules: "Every position has the same number of moves, and the players move in turn down to \
            leaves that are won or lost at random. The seed determines the tree, so the same \
            specification always gives the same game.",
    notation: "A move is a number, counted from 1. A position is the list of moves that leads to \
               it, such as 2 1 1, or root at the start.",
    options: &[
        ("B,D", "the number of moves in every position, and the tree's depth"),
        ("seed=S", "the seed of the tree (default 0)"),
        ("win=PERCENT", "the percentage of leaves that the first player wins (default 50)"),
        ("early=PERCENT", "the percentage of positions above depth D that are leaves (default 0)"),
        ("values=K", "leaves pay -K to K instead of -1 or 1"),
    ],
    example: "p-game:2,20,seed=7",
};

pub(crate) fn from_options(options: &mut Options) -> Result<PGame, SpecError> {
    let branching = options.required_number("B, the number of moves", 1..=u16::MAX)?;
    let depth = options.required_number("D, the depth", 1..=u8::MAX)?;
    let seed = options.value("seed", 0..=u64::MAX)?.unwrap_or(0);
    let early = options.value("early", 0..=99)?.unwrap_or(0);
    let win = options.value("win", 0..=100)?;
    let values = options.value("values", 1..=1_000_000)?;
    if win.is_some() && values.is_some() {
        let reason = "win= and values= cannot be combined; give only one of them".to_string();
        return Err(SpecError::Impossible { game: INFO.name, reason });
    }
    let leaves = match values {
        Some(most) => Leaves::Values(most),
        None => Leaves::Won { percent: win.unwrap_or(50) },
    };
    PGame::new(branching, depth, seed, early, leaves)
}

/// The payoffs of player 0 at the leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The payoff is 1 with a probability of `percent` percent, and −1 otherwise.
    Won {
        /// The percentage of won leaves, from 0 to 100.
        percent: u32,
    },
    /// Every payoff from −K to K occurs with equal probability.
    Values(i32),
}

/// The rules of a P-game, which determine the whole tree.
#[derive(Clone, Debug)]
pub struct PGame {
    branching: u16,
    depth: u8,
    seed: u64,
    early: u32,
    leaves: Leaves,
}

/// A position, which is a node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    key: u64,
    /// The moves from the root as digits in base b; the last move is the lowest digit.
    path: u64,
    ply: u8,
    leaf: bool,
}

impl PGame {
    /// Creates the tree of a `seed` with `branching` moves at every node and leaves at `depth`.
    /// Every node between the root and that depth is a leaf with a probability of `early` percent.
    ///
    /// # Errors
    /// Returns an error if there are no moves, the depth is 0, there would be more than 2^64
    /// leaves, a percentage is out of range (`early` must be below 100), or the greatest value of
    /// the leaves is not 1 to 1,000,000.
    pub fn new(
        branching: u16,
        depth: u8,
        seed: u64,
        early: u32,
        leaves: Leaves,
    ) -> Result<PGame, SpecError> {
        let refuse = |reason| Err(SpecError::Impossible { game: INFO.name, reason });
        if branching == 0 || depth == 0 {
            return refuse("the number of moves and the depth must be at least 1".to_string());
        }
        if u128::from(branching).checked_pow(depth.into()).is_none_or(|n| n > 1 << 64) {
            return refuse(format!(
                "a tree with {branching} moves per position and depth {depth} has too many leaves; \
                 the maximum is 2^64"
            ));
        }
        match leaves {
            _ if early > 99 => refuse(format!("early must be 0 to 99 percent, not {early}")),
            Leaves::Won { percent } if percent > 100 => {
                refuse(format!("win must be 0 to 100 percent, not {percent}"))
            }
            Leaves::Values(most) if !(1..=1_000_000).contains(&most) => {
                refuse(format!("the largest value must be between 1 and 1000000, not {most}"))
            }
            _ => Ok(PGame { branching, depth, seed, early, leaves }),
        }
    }

    fn read_move(&self, text: &str) -> Result<u16, TextError> {
        let mv = text.parse().ok().filter(|mv| (1..=self.branching).contains(mv));
        mv.ok_or_else(|| {
            TextError::new(format!("'{text}' is not a move; the moves are 1 to {}", self.branching))
        })
    }

    fn path(&self, state: &State) -> Vec<u16> {
        let base = u64::from(self.branching);
        let mut path: Vec<u16> = (0..state.ply)
            .scan(state.path, |rest, _| {
                let digit = *rest % base;
                *rest /= base;
                Some(digit as u16 + 1)
            })
            .collect();
        path.reverse();
        path
    }
}

/// A uniform number below `parts`, computed from 32 random bits.
#[inline]
fn part(bits: u32, parts: u32) -> u32 {
    ((u64::from(bits) * u64::from(parts)) >> 32) as u32
}

impl Game for PGame {
    type State = State;
    /// A child's number, counted from 1.
    type Move = u16;

    fn initial_state(&self) -> State {
        State { key: mix(self.seed.wrapping_add(GAMMA)), path: 0, ply: 0, leaf: false }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.leaf {
            true => Turn::Over,
            false => Turn::Player(usize::from(state.ply & 1)),
        }
    }

    fn legal_moves(&self, _state: &State, moves: &mut Vec<u16>) {
        moves.extend(1..=self.branching);
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u16) {
        let key = mix(state.key.wrapping_add(u64::from(mv).wrapping_mul(GAMMA)));
        let ply = state.ply + 1;
        *state = State {
            key,
            path: state.path.wrapping_mul(self.branching.into()) + u64::from(mv - 1),
            ply,
            leaf: ply == self.depth || part(key as u32, 100) < self.early,
        };
    }

    fn payoff(&self, state: &State, player: usize) -> i32 {
        let high = (state.key >> 32) as u32;
        let payoff = match self.leaves {
            Leaves::Won { percent } if part(high, 100) < percent => 1,
            Leaves::Won { .. } => -1,
            Leaves::Values(most) => part(high, 2 * most as u32 + 1) as i32 - most,
        };
        if player == 0 { payoff } else { -payoff }
    }

    fn zero_sum(&self) -> bool {
        true
    }

    fn payoff_range(&self, _player: usize) -> RangeInclusive<i32> {
        match self.leaves {
            Leaves::Won { .. } => -1..=1,
            Leaves::Values(most) => -most..=most,
        }
    }

    #[inline]
    fn random_move(&self, state: &State, _moves: &mut Vec<u16>, rng: &mut Rng) -> Option<u16> {
        (!state.leaf).then(|| rng.below(self.branching.into()) as u16 + 1)
    }

    fn mobility(&self, state: &State, _moves: &mut Vec<u16>) -> usize {
        if state.leaf { 0 } else { self.branching.into() }
    }

    #[inline]
    fn key(&self, state: &State) -> Option<u64> {
        Some(state.key)
    }

    fn move_text(&self, _state: &State, mv: u16) -> String {
        mv.to_string()
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<u16, TextError> {
        if state.leaf {
            return Err(TextError::new(format!("the game is over before the move '{text}'")));
        }
        self.read_move(text)
    }

    fn state_text(&self, state: &State) -> String {
        match state.ply {
            0 => "root".to_string(),
            _ => self.path(state).iter().map(u16::to_string).collect::<Vec<_>>().join(" "),
        }
    }

    fn parse_state(&self, text: &str) -> Result<State, TextError> {
        let mut state = self.initial_state();
        if matches!(text.trim().to_ascii_lowercase().as_str(), "" | "root") {
            return Ok(state);
        }
        for (ply, text) in self.split_moves(text).into_iter().enumerate() {
            let wrong = |what: String| Err(TextError::new(format!("move {}: {what}", ply + 1)));
            if state.leaf {
                return wrong(format!("the path ends in a leaf after {ply} moves"));
            }
            match self.read_move(text) {
                Ok(mv) => self.play(&mut state, mv),
                Err(error) => return wrong(error.to_string()),
            }
        }
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        let end = match state.leaf {
            true => format!("a leaf that pays player 0 {}", self.payoff(state, 0)),
            false => format!("{} moves, leaves at depth {}", self.branching, self.depth),
        };
        format!("{}\ndepth {}: {end}\n", self.state_text(state), state.ply)
    }
}
