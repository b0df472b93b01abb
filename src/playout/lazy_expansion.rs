//! The second visit to a leaf, where it can do without children: it tries a move.
//!
//! What a leaf remembers of it, and what becomes of that: `tree/tried.rs`. The search is the
//! same as with children at the second visit where a choice among new children is a draw, and
//! where nothing above the leaf looks at how many children it has. So a move is tried only
//!
//! - where playouts value leaves, by UCT alone: priors, rules of the user's own and proof
//!   numbers that count tell new children apart;
//! - where no child is one at which the game is over or its end is known: such a child is worth
//!   a node at once;
//! - by the first thread that comes for the second time: another one wants the children now.

use super::leaves::LeafEvaluation;
use super::worker::{LazyMove, Worker};
use crate::error::SearchError;
use crate::game::{Game, Turn};
use crate::rules::{check_chance, check_mobility, check_mover};
use crate::select::Selection;
use crate::settings::{Bias, Config};
use crate::tree::{Logic, Node, SeenChild, Tried, Word};

/// Whether a search by playouts tries moves before it makes children.
pub(crate) fn expands_lazily(config: &Config, selection: &Selection, logic: &Logic) -> bool {
    let by_uct_alone = selection.bias == Bias::None;
    by_uct_alone && !logic.chance && config.look_ahead
}

impl<G: Game, L: LeafEvaluation<G>> Worker<'_, G, L> {
    /// At a leaf whose moves were listed: whether the playout ends at one of them, which is
    /// played.
    pub(super) fn plays_lazily(&mut self, leaf: &Node, word: Word, state: &mut G::State) -> bool {
        let statistics = leaf.statistics();
        // The playout that asks is under way here itself, where any are counted.
        let alone = statistics.in_flight <= 1;
        let moves = self.moves.len();
        let due = statistics.visits == self.shared.expands_after();
        let may = due && alone && self.ended.is_empty();
        if !may || moves > Tried::MOVES {
            return false;
        }
        // As among new children: a draw where there are several.
        let number = if moves == 1 { 0 } else { self.rng.below(moves as u32) };
        self.shared.game.play(state, self.moves[number as usize]);
        self.lazy_move = Some(LazyMove { number: number as u16, mover: word.mover() });
        true
    }

    /// Lists the moves of a leaf at which one was tried, and looks at the child that it leads
    /// to. No child ends the game or is known: with such a one no move is tried.
    pub(super) fn list_after_try(
        &mut self,
        tried: Tried,
        state: &G::State,
    ) -> Result<Option<(Tried, SeenChild)>, SearchError> {
        let (game, logic) = (&self.shared.game, &self.shared.tree.logic);
        let Worker { moves, ended, static_bound, .. } = self;
        moves.clear();
        ended.clear();
        game.legal_moves(state, moves);
        check_mobility(moves.len())?;
        let Some(&mv) = moves.get(usize::from(tried.number)) else { return Ok(None) };
        let next = game.after(state, mv);
        let mover = match game.turn(&next) {
            Turn::Over => return Ok(None),
            Turn::Player(mover) => check_mover(mover, logic.players)?,
            Turn::Chance => check_chance(&**game)?,
        };
        let mut mobility = 1;
        if logic.proof_numbers {
            static_bound.clear();
            mobility = game.mobility(&next, static_bound);
            check_mobility(mobility)?;
        }
        Ok(Some((tried, SeenChild::open(mover, logic.leaf(mover, mobility)))))
    }
}
