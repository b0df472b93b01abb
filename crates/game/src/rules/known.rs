//! The positions that a check has visited, by key, and the paths to them.

use super::fault::RulesFault;
use super::futures::{Hashes, futures_differ};
use super::position::FUTURE;
use crate::{Game, Rng};
use std::collections::HashMap;

pub(super) const START: u32 = 0;
const MOST: usize = 1 << 17;
/// The number of times that a position's future is compared with the futures of positions with the
/// same key.
const COMPARISONS: u8 = 4;

/// Positions by key, and all paths so far; each path extends an earlier one by a move.
pub(super) struct KnownPositions<G: Game> {
    steps: Vec<(u32, G::Move)>,
    positions: HashMap<u64, Met<G>>,
    /// For each text, the key of the position that has it.
    texts: HashMap<String, u64>,
    /// The number of compared futures.
    pub(super) compared: u64,
}

struct Met<G: Game> {
    state: G::State,
    text: String,
    way: u32,
    comparisons: u8,
}

impl<G: Game> Default for KnownPositions<G> {
    fn default() -> Self {
        KnownPositions {
            steps: Vec::new(),
            positions: HashMap::new(),
            texts: HashMap::new(),
            compared: 0,
        }
    }
}

impl<G: Game> KnownPositions<G> {
    pub(super) fn hashes(&self) -> usize {
        self.positions.len()
    }

    pub(super) fn step(&mut self, from: u32, mv: G::Move) -> u32 {
        self.steps.push((from, mv));
        self.steps.len() as u32
    }

    /// The path without its last move.
    pub(super) fn before(&self, way: u32) -> u32 {
        self.steps[way as usize - 1].0
    }

    fn moves(&self, mut way: u32) -> Vec<G::Move> {
        let mut moves = Vec::new();
        while way != START {
            let (before, mv) = self.steps[way as usize - 1];
            moves.push(mv);
            way = before;
        }
        moves.reverse();
        moves
    }

    /// The moves of a path as texts, and the position that they lead to.
    pub(super) fn way(&self, game: &G, way: u32) -> (Vec<String>, G::State) {
        let mut state = game.initial_state();
        let write = |mv| {
            let text = game.move_text(&state, mv);
            game.play(&mut state, mv);
            text
        };
        let moves = self.moves(way).into_iter().map(write).collect();
        (moves, state)
    }

    /// Compares a position with the one stored under its key; stores it if there is none.
    pub(super) fn meet(
        &mut self,
        game: &G,
        state: &G::State,
        hash: u64,
        way: u32,
        rng: &mut Rng,
    ) -> Result<(), RulesFault> {
        let text = game.state_text(state);
        let room = self.positions.len() < MOST;
        let Some(met) = self.positions.get_mut(&hash) else {
            if room {
                let (kept, comparisons) = (state.clone(), 0);
                self.positions
                    .insert(hash, Met { state: kept, text: text.clone(), way, comparisons });
                return self.meet_text(game, state, hash, text, rng);
            }
            return Ok(());
        };
        if met.way == way {
            return Ok(());
        }
        // The position itself is always compared, but its future only a few times.
        let plies = if met.comparisons < COMPARISONS { FUTURE } else { 0 };
        met.comparisons = met.comparisons.saturating_add(1);
        self.compared += 1;
        match futures_differ(game, state, &met.state, rng, plies, Hashes::Same) {
            None => Ok(()),
            Some(difference) => {
                let (position, way) = (met.text.clone(), met.way);
                let (moves, _) = self.way(game, way);
                let difference = Box::new(difference);
                Err(RulesFault::OneKey { key: hash, position, moves, difference })
            }
        }
    }

    /// Compares a position whose key is new with the stored position that has the same text.
    fn meet_text(
        &mut self,
        game: &G,
        state: &G::State,
        hash: u64,
        text: String,
        rng: &mut Rng,
    ) -> Result<(), RulesFault> {
        if text.is_empty() {
            return Ok(());
        }
        let Some(other) = self.texts.get(&text).and_then(|hash| self.positions.get(hash)) else {
            self.texts.insert(text, hash);
            return Ok(());
        };
        // The keys differ, which is harmless if the futures are equal.
        match futures_differ(game, state, &other.state, rng, FUTURE, Hashes::MayDiffer) {
            None => Ok(()),
            Some(difference) => {
                let (moves, _) = self.way(game, other.way);
                let difference = Box::new(difference);
                Err(RulesFault::OneText { text, moves, difference })
            }
        }
    }
}
