//! Playouts in open loop: outcomes of chance have no nodes.
//!
//! A node stands for the moves that the players made to come here. Every playout
//! rolls its own dice, so the same node is another position each time: other
//! moves may be legal, another player may be to move, or the game may be over.
//! What the tree says of a node is a mean over the dice, and proves nothing.
//!
//! All children of a node are made at once, for the moves that are legal at that
//! moment. For moves that turn up later each block has one child more than
//! moves, the *rest*. It stands for the same node: its children are the moves
//! that were missing when it was expanded, and a rest again. A block belongs to
//! one player; moves of another player are missing from it. So blocks are made,
//! claimed and published as in closed loop, and nothing about them ever changes.
//!
//! A playout chooses among the moves that are legal for its own dice, as in
//! Cowling, Powley and Whitehouse (Information Set Monte Carlo Tree Search,
//! 2012): N in UCT counts the visits of these moves and not of the node.

use super::evaluate::Evaluator;
use super::worker::{Ending, Worker};
use crate::error::{GameError, SearchError};
use crate::game::{Game, Turn};
use crate::math::{LANES, Rng};
use crate::rules::{check_mobility, check_mover, random_outcome};
use crate::tree::{Listing, Stage, Statistics, Step, Trail, Word};

/// A child that a playout may enter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenCandidate {
    /// The word of the block's node.
    word: Word,
    number: usize,
    /// How many rests lie between the node and the block.
    rests: usize,
    statistics: Statistics,
}

/// Adds the rest to the moves of a block. Its own move is never played.
pub(crate) fn add_rest<M: Copy>(moves: &mut Vec<M>) -> Result<(), SearchError> {
    check_mobility(moves.len() + 1)?;
    moves.push(moves[0]);
    Ok(())
}

impl<'s, G: Game, E: Evaluator<G>> Worker<'s, G, E> {
    /// Goes down to where the playout ends, and expands on the way.
    pub(crate) fn descend_open(
        &mut self,
        trail: &mut Trail<'s>,
        state: &mut G::State,
    ) -> Result<Ending, SearchError> {
        let game = &self.shared.game;
        loop {
            let mover = loop {
                match game.turn(state) {
                    Turn::Player(mover) => {
                        break check_mover(mover, self.shared.tree.logic.players)?;
                    }
                    Turn::Over => return self.payoff_values(state).map(Ending::Known),
                    Turn::Chance => {
                        let outcome = random_outcome(game, state, &mut self.moves, &mut self.rng);
                        let Some(outcome) = outcome else {
                            return Err(GameError::NoOutcome.into());
                        };
                        game.play(state, outcome);
                    }
                }
            };
            self.moves.clear();
            game.legal_moves(state, &mut self.moves);
            check_mobility(self.moves.len())?;
            if !self.gather(trail, mover) {
                return Ok(Ending::Evaluate);
            }
            let Some(chosen) = self.best() else { return Ok(Ending::Evaluate) };
            self.enter_rests(trail, chosen.rests, mover);
            let (_, mv) = self.shared.tree.child(chosen.word, chosen.number);
            trail.enter(self.step(chosen.word, chosen.number, mover));
            game.play(state, mv);
        }
    }

    /// Goes from a node to one of the rests that stand for it.
    fn enter_rests(&self, trail: &mut Trail<'s>, rests: usize, mover: usize) {
        for _ in 0..rests {
            let word = trail.last().node.load();
            trail.enter(self.step(word, word.num_children() - 1, mover));
        }
    }

    fn step(&self, word: Word, number: usize, mover: usize) -> Step<'s> {
        let (node, _) = self.shared.tree.child(word, number);
        let index = word.first_child() + number as u32;
        Step { node, index, chosen_by: mover as u32 }
    }

    /// Finds the children of the legal moves, and makes those that are missing.
    /// Returns whether there is one for each; otherwise the playout ends at the
    /// last step.
    fn gather(&mut self, trail: &mut Trail<'s>, mover: usize) -> bool {
        let shared = self.shared;
        let tree = &shared.tree;
        self.candidates.clear();
        self.missing.clear();
        self.missing.extend_from_slice(&self.moves);
        let (mut at, mut rests) = (trail.last(), 0);
        let complete = loop {
            let mut word = at.node.load();
            match word.stage() {
                Stage::New => {
                    if let Some(claim) = tree.claim_evaluation(at.node) {
                        tree.set_leaf(claim, at.index, mover, 1);
                    }
                    break false;
                }
                Stage::Leaf if word.mover() == mover => {
                    let due = at.node.statistics().visits >= shared.expands_after();
                    if !due || shared.control.frozen() || add_rest(&mut self.missing).is_err() {
                        break false;
                    }
                    let Some(block) = self.reserve(self.missing.len()) else { break false };
                    let Some(claim) = tree.claim_expansion(at.node) else {
                        tree.arena.give_up(&mut self.slab, block);
                        break false;
                    };
                    word = tree.expand(claim, tree.fill(block, &self.missing), Listing::default());
                    let _ = tree.finish_expansion(at.index, word);
                }
                Stage::Expanded => {}
                _ => break false,
            }
            let block = tree.arena.children(word);
            let rest = word.num_children() - 1;
            if word.mover() == mover {
                self.pairing.compare((self.missing.len(), rest), |missing, number| {
                    self.missing[missing] == tree.child_move(word, number)
                });
                self.candidates.extend(self.pairing.shared.iter().map(|&number| {
                    let statistics = block.nodes()[number].statistics();
                    OpenCandidate { word, number, rests, statistics }
                }));
                for (place, &missing) in self.pairing.missing.iter().enumerate() {
                    self.missing[place] = self.missing[missing];
                }
                self.missing.truncate(self.pairing.missing.len());
            }
            if self.candidates.len() == self.moves.len() {
                break true;
            }
            at = self.step(word, rest, mover);
            rests += 1;
        };
        if !complete {
            self.enter_rests(trail, rests, mover);
        }
        complete
    }

    /// The best of the candidates by UCT, ties broken at random.
    fn best(&mut self) -> Option<OpenCandidate> {
        let selection = &self.shared.selection;
        let all = |of: fn(&Statistics) -> i64| -> i64 {
            self.candidates.iter().map(|c| of(&c.statistics)).sum()
        };
        let visits = all(|s| s.visits as i64) as u64;
        let under_way = (all(|s| s.in_flight as i64) as f32 * selection.under_way) as u64;
        let parent = || (visits, all(|s| s.value_sum));
        let scores = selection.scores_after(visits, under_way, parent);
        let mut best: Option<(f32, OpenCandidate)> = None;
        let mut ties = 0;
        for candidates in self.candidates.chunks(LANES) {
            let scores = scores.of_statistics(candidates.iter().map(|c| c.statistics));
            for (candidate, score) in candidates.iter().zip(scores) {
                match best {
                    Some((most, _)) if score < most => {}
                    Some((most, _)) if score == most => {
                        ties += 1;
                        if Rng::below(&mut self.rng, ties) == 0 {
                            best = Some((score, *candidate));
                        }
                    }
                    _ => (best, ties) = (Some((score, *candidate)), 1),
                }
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}
