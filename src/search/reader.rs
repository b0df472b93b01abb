//! The tree below the root, to be read while no search runs.

use super::report::{bounds, expected, mean_within, prior, probability, value};
use crate::bounds::{Bounds, Expected, ProofNumber, Value};
use crate::game::Game;
use crate::tree::{Facts, MoveTree, ROOT, Stage, Word};
use parking_lot::MappedRwLockReadGuard;
use std::fmt;

/// Reads the tree of a search at rest, node by node from the root on. It borrows the
/// search ([`Search::tree`](crate::Search::tree)), which cannot run or move on meanwhile.
///
/// Nodes hold no positions: whoever needs them plays the moves on the way.
///
/// # Examples
/// An opening book: for each first move the reply that was searched most.
///
/// ```
/// use proofwood::{Budget, Config, Game, Search, line_text};
/// # use proofwood::Turn;
/// # #[derive(Clone)]
/// # struct Sticks(u32);
/// # impl Game for Sticks {
/// #     type State = (u32, usize);
/// #     type Move = u32;
/// #     fn initial_state(&self) -> (u32, usize) { (self.0, 0) }
/// #     fn turn(&self, &(sticks, mover): &(u32, usize)) -> Turn {
/// #         if sticks == 0 { Turn::Over } else { Turn::Player(mover) }
/// #     }
/// #     fn legal_moves(&self, &(sticks, _): &(u32, usize), moves: &mut Vec<u32>) {
/// #         moves.extend(1..=sticks.min(3));
/// #     }
/// #     fn play(&self, state: &mut (u32, usize), taken: u32) {
/// #         *state = (state.0 - taken, 1 - state.1);
/// #     }
/// #     fn payoff(&self, &(_, mover): &(u32, usize), player: usize) -> i32 {
/// #         if player == mover { -1 } else { 1 }
/// #     }
/// # }
///
/// // The game of sticks from the crate page.
/// let game = Sticks(21);
/// let start = game.initial_state();
/// let mut search = Search::new(game.clone(), start, Config::default().threads(2))?;
/// search.search(&Budget::default().playouts(5_000))?;
///
/// let tree = search.tree()?;
/// let mut book = Vec::new();
/// for first in tree.root().children() {
///     if let Some(reply) = first.children().into_iter().max_by_key(|reply| reply.visits()) {
///         let line: Vec<u32> = [first.mv(), reply.mv()].into_iter().flatten().collect();
///         book.push((line_text(&game, &start, &line).join(" "), reply.visits()));
///     }
/// }
/// assert_eq!(book.len(), 3);
/// assert!(book[1].0.starts_with("2 "));
/// # Ok::<(), proofwood::SearchError>(())
/// ```
pub struct TreeReader<'s, G: Game> {
    tree: MappedRwLockReadGuard<'s, MoveTree<G::Move>>,
    root_player: usize,
}

impl<'s, G: Game> TreeReader<'s, G> {
    pub(crate) fn new(
        tree: MappedRwLockReadGuard<'s, MoveTree<G::Move>>,
        root_player: usize,
    ) -> TreeReader<'s, G> {
        TreeReader { tree, root_player }
    }

    /// The root.
    pub fn root(&self) -> NodeView<'_, G> {
        let player = self.root_player;
        NodeView { reader: self, index: ROOT, mv: None, probability: None, prior: None, player }
    }
}

impl<G: Game> fmt::Debug for TreeReader<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeReader").field("root", &self.root()).finish()
    }
}

/// How far the search has come with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeStage {
    /// No playout has come here.
    New,
    /// Playouts have ended here, and there are no children.
    Leaf,
    /// There are children: a node for each move, visited or not.
    Expanded,
    /// The game is over here.
    Over,
    /// Its value is known without children: it was settled at another node with the
    /// same position, or here before its children were dropped, or the rules foresee it.
    Known,
}

/// A node of a tree at rest.
pub struct NodeView<'t, G: Game> {
    reader: &'t TreeReader<'t, G>,
    index: u32,
    mv: Option<G::Move>,
    probability: Option<f64>,
    prior: Option<f64>,
    player: usize,
}

impl<G: Game> Clone for NodeView<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for NodeView<'_, G> {}

impl<'t, G: Game> NodeView<'t, G> {
    fn tree(&self) -> &'t MoveTree<G::Move> {
        &self.reader.tree
    }

    fn word(&self) -> Word {
        self.tree().node(self.index).load()
    }

    /// What is known here; at the root also what was proven before it was the root.
    fn facts(&self) -> Facts {
        match self.index {
            ROOT => self.tree().root_facts(),
            index => self.tree().facts(index),
        }
    }

    /// The move, or the outcome of chance, that leads here; `None` at the root.
    pub fn mv(&self) -> Option<G::Move> {
        self.mv
    }

    /// The evaluator's prior of the move that leads here, a share of one; `None` where it has
    /// none, and where it was not asked yet, as at the root before the first search.
    pub fn prior(&self) -> Option<f64> {
        self.prior
    }

    /// The probability of this outcome, where chance leads here.
    pub fn probability(&self) -> Option<f64> {
        self.probability
    }

    /// How far the search has come here.
    pub fn stage(&self) -> NodeStage {
        match self.word().stage() {
            // At rest nobody evaluates or expands.
            Stage::New | Stage::Evaluating => NodeStage::New,
            Stage::Leaf | Stage::Expanding => NodeStage::Leaf,
            Stage::Expanded => NodeStage::Expanded,
            Stage::Terminal => NodeStage::Over,
            Stage::Known => NodeStage::Known,
        }
    }

    /// The player to move here; `None` where chance decides, where the game is over and
    /// where no playout has looked.
    pub fn to_move(&self) -> Option<usize> {
        let word = self.word();
        let looked =
            matches!(self.stage(), NodeStage::Leaf | NodeStage::Expanded | NodeStage::Known);
        (looked && !word.is_chance()).then(|| word.mover())
    }

    /// The node knows more than its children say: they were dropped because the memory was
    /// full, and there may be new ones since; or a prover beside the search has told it. How the
    /// proof goes is not in the tree.
    pub fn is_pruned(&self) -> bool {
        self.word().is_kept()
    }

    /// Playouts that have passed.
    pub fn visits(&self) -> u64 {
        self.tree().node(self.index).statistics().visits
    }

    /// The player of whom [`mean`](NodeView::mean) speaks: the one whose move leads here.
    /// Below chance it is the player whose move led to the dice, and at the root the one
    /// of [`Report::player`](crate::Report::player).
    pub fn player(&self) -> usize {
        self.player
    }

    /// Mean value of these playouts for [`player`](NodeView::player), −1 to 1, held to what is
    /// proven here; `None` before the first.
    pub fn mean(&self) -> Option<f64> {
        mean_within(self.tree(), self.index, &self.facts(), self.player)
    }

    /// What is proven for a player.
    ///
    /// # Panics
    /// When the game has no such player.
    pub fn value(&self, player: usize) -> Value {
        value(self.tree(), &self.facts(), self.checked(player))
    }

    /// Bounds on a player's payoff.
    ///
    /// # Panics
    /// When the game has no such player.
    pub fn bounds(&self, player: usize) -> Bounds {
        bounds(self.tree(), self.facts().intervals[self.checked(player)])
    }

    /// Bounds on a player's expected payoff, in games with chance.
    ///
    /// # Panics
    /// When the game has no such player.
    pub fn expected(&self, player: usize) -> Option<Expected> {
        expected(self.tree(), self.facts().intervals[self.checked(player)])
    }

    /// Every player's proof number.
    pub fn proof_numbers(&self) -> Vec<ProofNumber> {
        self.facts().proof_numbers[..self.tree().logic.players].to_vec()
    }

    fn checked(&self, player: usize) -> usize {
        let players = self.tree().logic.players;
        assert!(player < players, "the game has {players} players, counted from 0: no {player}");
        player
    }

    /// The children, in the order of the game's moves; none where there are none yet,
    /// or any more ([`stage`](NodeView::stage), [`is_pruned`](NodeView::is_pruned)).
    pub fn children(&self) -> Vec<NodeView<'t, G>> {
        let (tree, word) = (self.tree(), self.word());
        let count = if word.is_expanded() { word.num_children() } else { 0 };
        let child = |number| NodeView {
            reader: self.reader,
            index: word.first_child() + number as u32,
            mv: Some(tree.child_move(word, number)),
            probability: word.is_chance().then(|| probability(tree, word, number)),
            prior: prior(tree, word, number),
            player: if word.is_chance() { self.player } else { word.mover() },
        };
        (0..count).map(child).collect()
    }
}

impl<G: Game> fmt::Debug for NodeView<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeView")
            .field("mv", &self.mv)
            .field("stage", &self.stage())
            .field("visits", &self.visits())
            .field("mean", &self.mean())
            .finish_non_exhaustive()
    }
}
