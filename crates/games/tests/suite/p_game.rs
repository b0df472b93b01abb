//! Recomputes the trees of P-games from their description.

use crate::oracle::Oracle;
use proofwood::{Game, Turn};
use proofwood_games::PGame;
use proofwood_games::p_game::Leaves;

/// SplitMix64 as published: it advances a state by gamma and returns the mixed state.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A tree, computed as the documentation describes.
struct Tree {
    branching: u64,
    depth: u32,
    early: u64,
    win: u64,
    values: Option<u64>,
}

impl Tree {
    fn minimax(&self, key: u64, depth: u32) -> i64 {
        let (low, high) = (key & 0xffff_ffff, key >> 32);
        if depth == self.depth || depth > 0 && (low * 100) >> 32 < self.early {
            return match self.values {
                Some(most) => ((high * (2 * most + 1)) >> 32) as i64 - most as i64,
                None if (high * 100) >> 32 < self.win => 1,
                None => -1,
            };
        }
        let mut keys = SplitMix64(key);
        let values = (0..self.branching).map(|_| self.minimax(keys.next(), depth + 1));
        if depth.is_multiple_of(2) { values.max() } else { values.min() }.unwrap()
    }
}

#[test]
fn splitmix_is_the_published_one() {
    let mut rng = SplitMix64(1_234_567);
    assert_eq!(rng.next(), 6_457_827_717_110_365_317);
    assert_eq!(rng.next(), 3_203_168_211_198_807_973);
}

#[test]
fn values_are_those_of_the_described_tree() {
    let mut seen = [0; 2];
    for seed in 0..60 {
        for (branching, depth, early, win, values) in [
            (2, 10, 0, 50, None),
            (2, 11, 20, 38, None),
            (3, 6, 10, 60, None),
            (4, 5, 0, 50, Some(10)),
            (2, 9, 30, 50, Some(1)),
        ] {
            let leaves = match values {
                None => Leaves::Won { percent: win },
                Some(most) => Leaves::Values(most),
            };
            let game = PGame::new(branching, depth, seed, early, leaves).unwrap();
            let tree = Tree {
                branching: branching.into(),
                depth: depth.into(),
                early: early.into(),
                win: win.into(),
                values: values.map(|most| most as u64),
            };
            let expected = tree.minimax(SplitMix64(seed).next(), 0);
            let value = Oracle::new(&game, 0).solve().0;
            assert_eq!(i64::from(value), expected, "{game:?}");
            seen[usize::from(value > 0)] += 1;
        }
    }
    assert!(seen.iter().all(|&games| games > 50), "{seen:?}");
}

/// Checks that the definition has not changed, because a change would alter published trees.
#[test]
fn a_known_leaf() {
    let game = PGame::new(2, 4, 7, 0, Leaves::Values(1000)).unwrap();
    let state = game.parse_state("2 1 1 2").unwrap();
    assert_eq!(game.turn(&state), Turn::Over);
    let mut key = SplitMix64(7).next();
    for mv in [2, 1, 1, 2] {
        let mut keys = SplitMix64(key);
        key = (0..mv).map(|_| keys.next()).last().unwrap();
    }
    assert_eq!(game.payoff(&state, 0), (((key >> 32) * 2001) >> 32) as i32 - 1000);
}
