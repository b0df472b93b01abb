//! What all workers of a search share, and what can be asked of it.

use super::background::BackgroundProver;
use super::context::Utility;
use super::evaluation::NoValue;
use super::settled::SettledTable;
use crate::error::SearchError;
use crate::game::{DomainKnowledge, Game, MAX_PLAYERS, Outcome, StaticBound, Turn};
use crate::rules::{Audited, check_static_bound};
use crate::select::Selection;
use crate::settings::{Config, Goal, SettingInForce};
use crate::threads::{Control, Counted, Event, count};
use crate::tree::{MoveTree, ROOT, Settled, Sides, Step};
use std::sync::Arc;

/// What all workers of a search share.
pub(crate) struct SharedSearch<G: Game, L> {
    pub(crate) game: Arc<G>,
    pub(crate) root: G::State,
    pub(crate) root_turn: Turn,
    /// Moves that were played since the position that the search began with.
    pub(crate) moves_played: u64,
    /// The player whose values the root's statistics hold.
    pub(crate) root_player: usize,
    pub(crate) tree: MoveTree<G::Move>,
    /// How often the tree was pruned because the memory was full.
    pub(crate) prunes: u64,
    pub(crate) settled: Option<SettledTable>,
    /// Where a prover takes turns with the playouts.
    pub(crate) background: Option<BackgroundProver>,
    /// The positions beside their hashes, where the search is audited.
    pub(crate) audited: Option<Audited<G>>,
    pub(crate) leaves: L,
    pub(crate) utility: Utility,
    pub(crate) selection: Selection,
    /// Visits of a leaf before the next one expands it, in a tree that is not small.
    pub(crate) expand_after: u64,
    /// Nodes from which on a tree is not small.
    pub(crate) small: u64,
    /// Whether the visit that expands a leaf tries one of its moves first.
    pub(crate) expands_lazily: bool,
    pub(crate) config: Config,
    /// The settings in force, in the order of the options.
    pub(crate) settings: Arc<[SettingInForce]>,
    pub(crate) control: Arc<Control>,
    pub(crate) counted: Counted,
}

impl<G: Game, L> SharedSearch<G, L> {
    /// Whether an evaluator had a value; not where it gave up because the search is to stop.
    #[inline]
    pub(crate) fn has_value(&self, valued: Result<(), NoValue>) -> Result<bool, SearchError> {
        match valued {
            Ok(()) => Ok(true),
            // Once raised in a search, the flag stays up: what the evaluator saw, this
            // thread sees.
            Err(NoValue::Stopped) if self.control.stopped() => Ok(false),
            Err(no_value) => Err(no_value.unasked()),
        }
    }

    /// Visits of a leaf before the next one expands it.
    #[inline]
    pub(crate) fn expands_after(&self) -> u64 {
        if self.tree.arena.len() < self.small { 1 } else { self.expand_after }
    }

    /// The first step of every playout.
    #[inline]
    pub(crate) fn root_step(&self) -> Step<'_> {
        let chosen_by = self.root_player as u32;
        Step { node: self.tree.node(ROOT), index: ROOT, chosen_by }
    }

    /// The position's key in the table of settled positions; 0 without one.
    #[inline]
    pub(crate) fn key(&self, state: &G::State) -> u64 {
        if self.settled.is_none() {
            return 0;
        }
        self.game.key(state).unwrap_or(0)
    }

    /// The answer for a position that was settled before; none for key 0, which
    /// all positions without a hash share.
    #[inline]
    fn recall(&self, key: u64) -> Option<Settled> {
        let table = self.settled.as_ref().filter(|_| key != 0)?;
        count(Event::TableLookup);
        table.get(key).inspect(|_| count(Event::TableHit))
    }

    /// What is known of a position without searching it: because it was settled before, or
    /// because the rules foresee its end.
    #[inline]
    pub(crate) fn known(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<Option<Settled>, SearchError> {
        match self.recall(self.key(state)) {
            None => self.foresee(state, buffer),
            known => Ok(known),
        }
    }

    /// What a settled node is worth to each player, if that is known. Against a coalition only
    /// guarantees are known.
    pub(crate) fn known_worth(&self, index: u32) -> Option<[f32; MAX_PLAYERS]> {
        let SharedSearch { tree, utility, .. } = self;
        let logic = &tree.logic;
        let two_sided = logic.zero_sum || logic.players == 1;
        let mut values = [0.0; MAX_PLAYERS];
        if logic.goal == Goal::Outcome && two_sided && matches!(logic.sides, Sides::Versus(_)) {
            let outcome = tree.prospect(index, 0).worst;
            if outcome != Outcome::Win && logic.is_blind() {
                return None;
            }
            values[0] = utility.of_outcome(outcome);
            values[1] = utility.of_outcome(outcome.reversed());
            return Some(values);
        }
        // Without intervals the tree holds no payoffs.
        let is_exact = || tree.node(index).load().is_exact();
        if !logic.score_bounds || !two_sided && !is_exact() {
            return None;
        }
        for (player, value) in values[..logic.players].iter_mut().enumerate() {
            *value = utility.of_mean(player, tree.span(index, player).lower);
        }
        Some(values)
    }

    /// Where the search is audited: holds the position to what its hash says.
    #[inline]
    pub(crate) fn check_hash(&self, state: &G::State) -> Result<(), SearchError> {
        match &self.audited {
            None => Ok(()),
            Some(audited) => Ok(audited.meet(&self.game, state)?),
        }
    }

    #[inline]
    fn foresee(
        &self,
        state: &G::State,
        buffer: &mut Vec<G::Move>,
    ) -> Result<Option<Settled>, SearchError> {
        let logic = &self.tree.logic;
        // What the rules foresee is a payoff, and not one that is expected.
        if !self.config.foresight || logic.chance || !logic.can_carry() {
            return Ok(None);
        }
        buffer.clear();
        let static_bound = self.game.knowledge().static_bound(state, buffer);
        check_static_bound(static_bound, logic.ranges[0])?;
        let StaticBound::Payoff(payoff) = static_bound else { return Ok(None) };
        Ok(Some(match logic.goal {
            Goal::Outcome => Settled::from_value(self.game.outcome(0, payoff).value()),
            Goal::Score => Settled::from_value(payoff),
        }))
    }

    /// Whether the question is settled at the root. Where everybody plays for
    /// themselves it is not by what a coalition could do.
    pub(crate) fn is_settled(&self) -> bool {
        let logic = &self.tree.logic;
        let root = self.tree.arena.single(ROOT);
        logic.prunes() && logic.window_in_play(self.root_player, root, 0).are_settled()
    }
}
