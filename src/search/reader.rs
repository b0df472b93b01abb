//! Read access to the tree while no search is running.

use super::report::{bounds, expected, mean_within, prior, probability, value};
use crate::bounds::{Bounds, Expected, ProofNumber, Value};
use crate::game::Game;
use crate::tree::{Facts, MoveTree, ROOT, Stage, Word};
use parking_lot::MappedRwLockReadGuard;
use std::fmt;

/// Reads the tree of a search, node by node, beginning with the root. It borrows the search
/// ([`Search::tree`](crate::Search::tree)), which meanwhile can neither run nor advance.
///
/// Nodes contain no positions: to get one, play the moves on the path to the node.
///
/// # Examples
/// An opening book that has the most visited reply to each first move:
///
/// ```
/// use proofwood::{Budget, Config, Game, Search, line_text};
/// # use proofwood_testkit::sticks::Sticks;
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

    /// Returns the root, from which all other nodes can be reached.
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

/// The stage of a node in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeStage {
    /// No playout has visited the node.
    New,
    /// Playouts have visited the node, but it has no children.
    Leaf,
    /// The node has children, one for each move, visited or not.
    Expanded,
    /// The game is over.
    Over,
    /// The value is known without children: it was proven at another node of the same position, or
    /// at this node before its children were dropped, or follows from a static bound.
    Known,
}

/// A node of the tree, which can be inspected while no search is running.
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

    /// Returns the facts about this node; at the root, they include facts from before it became the
    /// root.
    fn facts(&self) -> Facts {
        match self.index {
            ROOT => self.tree().root_facts(),
            index => self.tree().facts(index),
        }
    }

    /// Returns the move, or the outcome of chance, that leads to this node; `None` at the root.
    pub fn mv(&self) -> Option<G::Move> {
        self.mv
    }

    /// Returns the evaluator's prior of the move that leads to this node, from 0 to 1. The result
    /// is `None` if the evaluator has no priors or has not computed them yet, as at the root before
    /// the first search.
    pub fn prior(&self) -> Option<f64> {
        self.prior
    }

    /// Returns the probability of this node's outcome, if chance leads to it.
    pub fn probability(&self) -> Option<f64> {
        self.probability
    }

    /// Returns whether the node is new, a leaf, expanded, over or known.
    pub fn stage(&self) -> NodeStage {
        match self.word().stage() {
            // No thread evaluates or expands a node now.
            Stage::New | Stage::Evaluating => NodeStage::New,
            Stage::Leaf | Stage::Expanding => NodeStage::Leaf,
            Stage::Expanded => NodeStage::Expanded,
            Stage::Terminal => NodeStage::Over,
            Stage::Known => NodeStage::Known,
        }
    }

    /// Returns the player to move; `None` if chance decides, the game is over, or no playout has
    /// visited the node.
    pub fn to_move(&self) -> Option<usize> {
        let word = self.word();
        let looked =
            matches!(self.stage(), NodeStage::Leaf | NodeStage::Expanded | NodeStage::Known);
        (looked && !word.is_chance()).then(|| word.mover())
    }

    /// Returns whether the node has results that do not follow from its children: the children were
    /// dropped when the memory was full (there may be new ones since), or a background prover has
    /// found the results. The tree then lacks the proof.
    pub fn is_pruned(&self) -> bool {
        self.word().is_kept()
    }

    /// Returns the number of finished playouts through this node.
    pub fn visits(&self) -> u64 {
        self.tree().node(self.index).statistics().visits
    }

    /// Returns the player to whom [`mean`](NodeView::mean) applies: the player whose move leads to
    /// this node. Below a chance node this is the player whose move led to that node; at the root
    /// it is [`Report::player`](crate::Report::player).
    pub fn player(&self) -> usize {
        self.player
    }

    /// Returns the mean value of the node's playouts for [`player`](NodeView::player), from −1 to
    /// 1, limited to the proven range; `None` before the first playout.
    pub fn mean(&self) -> Option<f64> {
        mean_within(self.tree(), self.index, &self.facts(), self.player)
    }

    /// Returns the proven value for a player.
    ///
    /// # Panics
    /// Panics if the game has no such player.
    pub fn value(&self, player: usize) -> Value {
        value(self.tree(), &self.facts(), self.checked(player))
    }

    /// Returns bounds on a player's payoff.
    ///
    /// # Panics
    /// Panics if the game has no such player.
    pub fn bounds(&self, player: usize) -> Bounds {
        bounds(self.tree(), self.facts().intervals[self.checked(player)])
    }

    /// Returns bounds on a player's expected payoff, in a game with chance.
    ///
    /// # Panics
    /// Panics if the game has no such player.
    pub fn expected(&self, player: usize) -> Option<Expected> {
        expected(self.tree(), self.facts().intervals[self.checked(player)])
    }

    /// Returns every player's proof number.
    pub fn proof_numbers(&self) -> Vec<ProofNumber> {
        self.facts().proof_numbers[..self.tree().logic.players].to_vec()
    }

    fn checked(&self, player: usize) -> usize {
        let players = self.tree().logic.players;
        assert!(
            player < players,
            "there is no player {player}; players are numbered from 0 to {}",
            players - 1
        );
        player
    }

    /// Returns the children in the order of the game's moves. There are none before the node is
    /// expanded or after its children were dropped (see [`stage`](NodeView::stage) and
    /// [`is_pruned`](NodeView::is_pruned)).
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
