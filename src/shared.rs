//! What all workers of a search share, and what can be asked of it.

use crate::control::Control;
use crate::evaluate::Utility;
use crate::game::{Game, Turn};
use crate::select::Selection;
use crate::settled::SettledTable;
use crate::tree::{ROOT, Settled, Tree};
use crate::{Chance, Config};

/// What all workers of a search share.
pub(crate) struct Shared<G: Game, E> {
    pub(crate) game: G,
    pub(crate) root: G::State,
    pub(crate) root_turn: Turn,
    pub(crate) tree: Tree<G::Move>,
    pub(crate) settled: Option<SettledTable>,
    pub(crate) evaluator: E,
    pub(crate) utility: Utility,
    pub(crate) selection: Selection,
    pub(crate) config: Config,
    pub(crate) control: Control,
}

impl<G: Game, E> Shared<G, E> {
    /// The position's key in the table of settled positions; 0 without one.
    #[inline]
    pub(crate) fn key(&self, state: &G::State) -> u64 {
        if self.settled.is_some() { self.game.hash(state).unwrap_or(0) } else { 0 }
    }

    /// The answer for a position that was settled before; none for key 0, which
    /// all positions without a hash share.
    #[inline]
    pub(crate) fn recall(&self, key: u64) -> Option<Settled> {
        self.settled.as_ref().filter(|_| key != 0)?.get(key)
    }

    /// Bytes of the budget that are left for nodes.
    pub(crate) fn tree_memory(&self) -> u64 {
        self.config.memory - self.settled.as_ref().map_or(0, SettledTable::bytes)
    }

    /// Whether outcomes of chance have no nodes.
    pub(crate) fn is_open_loop(&self) -> bool {
        self.config.chance == Chance::Open
    }

    /// The player whose values the root's statistics hold.
    pub(crate) fn root_player(&self) -> usize {
        match self.root_turn {
            Turn::Player(player) => player,
            _ => 0,
        }
    }

    /// Whether the question is settled at the root.
    pub(crate) fn is_settled(&self) -> bool {
        let logic = &self.tree.logic;
        let root = self.tree.arena.single(ROOT);
        logic.prunes() && logic.stakes_at(self.root_player(), root, 0).are_settled()
    }
}
