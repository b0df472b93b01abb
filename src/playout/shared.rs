//! The state that all workers share, and the results that are known without a search.
//!
//! A position that is reached by two orders of moves has two nodes. A proof at one of them also
//! holds for the other. So workers keep a table of solved positions by key, and a node whose
//! position is in the table is solved at its first visit.

use super::background::BackgroundProver;
use super::context::Utility;
use super::solved::SolvedTable;
use crate::error::SearchError;
use crate::game::{DomainKnowledge, Game, MAX_PLAYERS, Outcome, StaticBound, Turn};
use crate::rules::{Audited, check_mobility, check_static_bound};
use crate::select::Selection;
use crate::settings::{Config, Goal, SettingInForce};
use crate::threads::{Control, Counted, Event, count};
use crate::tree::{MoveTree, ROOT, Sides, Solved, Step};
use std::sync::Arc;

/// The values of a playout for each player, −1 to 1.
pub(crate) type Values = [f32; MAX_PLAYERS];

/// The state that all workers of a search share.
pub(crate) struct SharedSearch<G: Game, L> {
    pub(crate) game: Arc<G>,
    pub(crate) root: G::State,
    pub(crate) root_turn: Turn,
    /// The player from whose perspective the root's values are stored.
    pub(crate) root_player: usize,
    /// The number of moves played since the position with which the search began.
    pub(crate) moves_played: u64,
    pub(crate) tree: MoveTree<G::Move>,
    /// The number of prunings because the memory was full.
    pub(crate) prunes: u64,
    pub(crate) solved: Option<SolvedTable>,
    pub(crate) background: Option<BackgroundProver>,
    /// The stored positions by key, if the search is audited.
    pub(crate) audited: Option<Audited<G>>,
    pub(crate) leaves: L,
    pub(crate) utility: Utility,
    pub(crate) selection: Selection,
    /// The number of visits before a leaf is expanded; 1 in a tree of fewer than `small` nodes.
    pub(crate) expand_after: u64,
    pub(crate) small: u64,
    /// Whether the visit that is due to expand a leaf tries one of its moves first.
    pub(crate) expands_lazily: bool,
    pub(crate) config: Config,
    /// The settings in force, in the order of the options.
    pub(crate) settings: Arc<[SettingInForce]>,
    pub(crate) control: Arc<Control>,
    pub(crate) counted: Counted,
}

impl<G: Game, L> SharedSearch<G, L> {
    #[inline]
    pub(crate) fn expands_after(&self) -> u64 {
        if self.tree.arena.len() < self.small { 1 } else { self.expand_after }
    }

    /// Returns the first step of every playout.
    #[inline]
    pub(crate) fn root_step(&self) -> Step<'_> {
        let chosen_by = self.root_player as u32;
        Step { node: self.tree.node(ROOT), index: ROOT, chosen_by }
    }

    /// Returns whether the question is answered at the root. If everybody plays for themselves,
    /// guarantees against a coalition do not settle it.
    pub(crate) fn is_solved(&self) -> bool {
        let logic = &self.tree.logic;
        let root = self.tree.arena.single(ROOT);
        logic.prunes() && logic.window_in_play(self.root_player, root, 0).is_closed()
    }

    /// Returns a position's number of moves if leaves' proof numbers depend on it, else 1.
    #[inline]
    pub(super) fn mobility(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<usize, SearchError> {
        if !self.tree.logic.proof_numbers {
            return Ok(1);
        }
        buffer.clear();
        let mobility = self.game.mobility(state, buffer);
        check_mobility(mobility)?;
        Ok(mobility)
    }

    /// If the search is audited, checks that no other position has the key of this one.
    #[inline]
    pub(crate) fn check_hash(&self, state: &G::State) -> Result<(), SearchError> {
        match &self.audited {
            None => Ok(()),
            Some(audited) => Ok(audited.meet(&self.game, state)?),
        }
    }

    /// Returns the position's key in the table of solved positions; 0 without a key or a table.
    #[inline]
    pub(crate) fn key(&self, state: &G::State) -> u64 {
        if self.solved.is_none() {
            return 0;
        }
        self.game.key(state).unwrap_or(0)
    }

    /// Returns a position's answer from the table of solved positions or a static bound, if any.
    #[inline]
    pub(crate) fn known(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<Option<Solved>, SearchError> {
        match self.recall(self.key(state)) {
            None => self.foresee(state, buffer),
            known => Ok(known),
        }
    }

    /// Looks up a key. All positions without a key share the key 0, which is never found.
    #[inline]
    fn recall(&self, key: u64) -> Option<Solved> {
        let table = self.solved.as_ref().filter(|_| key != 0)?;
        count(Event::TableLookup);
        table.get(key).inspect(|_| count(Event::TableHit))
    }

    #[inline]
    fn foresee(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<Option<Solved>, SearchError> {
        let logic = &self.tree.logic;
        // Static bounds apply to payoffs, not to expected payoffs.
        if !self.config.foresight || logic.chance || !logic.can_carry() {
            return Ok(None);
        }
        buffer.clear();
        let static_bound = self.game.knowledge().static_bound(state, buffer);
        check_static_bound(static_bound, logic.ranges[0])?;
        let StaticBound::Payoff(payoff) = static_bound else { return Ok(None) };
        Ok(Some(match logic.goal {
            Goal::Outcome => Solved::from_value(self.game.outcome(0, payoff).value()),
            Goal::Score => Solved::from_value(payoff),
        }))
    }

    /// Stores the answer at a node that was just solved, for other nodes with the same key.
    pub(super) fn remember(&self, index: u32, key: u64) {
        let Some(table) = &self.solved else { return };
        if let Some(answer) = self.tree.solved(index) {
            table.put(key, answer);
        }
    }

    /// Stores the answers at the solved nodes of a path from depth `highest` on. Replays the moves,
    /// so that playouts need not compute keys of the nodes on their path. Called only when this
    /// thread has no duties left in the tree, since it runs the game's code.
    #[inline(never)]
    pub(super) fn remember_from(&self, highest: usize, path: &[Step<'_>]) {
        if self.solved.is_none() {
            return;
        }
        let mut state = self.root.clone();
        for (depth, steps) in path.windows(2).enumerate() {
            if depth >= highest && steps[0].node.load().is_solved() {
                self.remember(steps[0].index, self.key(&state));
            }
            self.game.play(&mut state, self.tree.move_between(steps[0], steps[1]));
        }
    }

    /// Returns a solved node's value for each player; `None` if the position must be evaluated,
    /// because only guarantees against a coalition are known.
    pub(crate) fn known_worth(&self, index: u32) -> Option<Values> {
        let SharedSearch { tree, utility, .. } = self;
        let logic = &tree.logic;
        let two_sided = logic.zero_sum || logic.players == 1;
        if logic.goal == Goal::Score || !two_sided || !matches!(logic.sides, Sides::Versus(_)) {
            return self.known_payoffs(index);
        }
        let outcome = tree.prospect(index, 0).worst;
        if outcome != Outcome::Win && logic.is_blind() {
            return None;
        }
        let mut values = [0.0; MAX_PLAYERS];
        values[0] = utility.of_outcome(outcome);
        values[1] = utility.of_outcome(outcome.reversed());
        Some(values)
    }
}
