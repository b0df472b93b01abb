//! Which child a playout enters: UCT-PN.
//!
//! `argmax v + C·sqrt(ln N / n) + C_pn·bias`, where *v* is the mean value for
//! the player who moves, *n* the child's visits and *N* the node's own. An
//! unvisited child competes with a stand-in value and *n* = 1; there is no
//! rule that every child is visited once first. Ties are broken at random.

use crate::config::{FirstPlay, VirtualLoss};
use crate::logarithm::ln;
use crate::sync::Ordering;
use crate::tree::{Block, Node, Sides, Tree, VALUE_ONE, Word};
use crate::{Bias, Config, ProofNumber, Rng};

/// The part of the configuration that selection reads, in the form it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
    c: f32,
    c_pn: f32,
    bias: Bias,
    first_play: FirstPlay,
    /// How much a playout under way counts as a visit, and as a lost one.
    under_way: f32,
    lost: f32,
}

/// Buffers that a worker keeps between playouts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    order: Vec<(ProofNumber, u16)>,
}

impl Selection {
    pub(crate) fn new(config: &Config) -> Selection {
        let (under_way, lost) = match config.virtual_loss {
            VirtualLoss::Unobserved => (1.0, 0.0),
            VirtualLoss::Classic(weight) => (weight as f32, weight as f32),
            VirtualLoss::None => (0.0, 0.0),
        };
        Selection {
            c: config.c as f32,
            c_pn: config.c_pn as f32,
            // A weight of 0 needs no terms; the numbers are kept all the same.
            bias: if config.c_pn == 0.0 { Bias::None } else { config.bias },
            first_play: config.first_play,
            under_way,
            lost,
        }
    }

    /// The child to enter from an expanded node. `viewpoint` is the player
    /// whose values the node's own statistics hold.
    #[inline]
    pub(crate) fn select<M: Copy>(
        &self,
        tree: &Tree<M>,
        node: &Node,
        word: Word,
        viewpoint: usize,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> usize {
        let children = tree.arena.children(word);
        if !(word.may_skip() && tree.logic.prunes()) {
            let scores = self.scores(tree, node, word, viewpoint);
            let all = |_| true;
            return self.best(tree, node, word, scores, scratch, rng, all).unwrap_or(0);
        }
        self.select_open(tree, node, word, viewpoint, children, scratch, rng)
    }

    /// As `select`, where some children need not be entered any more.
    #[allow(clippy::too_many_arguments)]
    fn select_open<M: Copy>(
        &self,
        tree: &Tree<M>,
        node: &Node,
        word: Word,
        viewpoint: usize,
        children: Block<'_, M>,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> usize {
        let (logic, mover) = (&tree.logic, word.mover());
        let scores = self.scores(tree, node, word, viewpoint);
        match logic.sides {
            Sides::Versus(player) => {
                let secured = logic.secured(player, mover, children);
                let open = |i| !logic.is_decided(player, mover, secured, children, i);
                self.best(tree, node, word, scores, scratch, rng, open).unwrap_or_else(|| {
                    // All are decided: the one that decided them.
                    let holds = |&i: &usize| {
                        let (low, high) = logic.child_stakes(player, children, i);
                        secured == if mover == player { low } else { high }
                    };
                    (0..children.len()).find(holds).unwrap_or(0)
                })
            }
            Sides::Free => {
                let wins = |&i: &usize| logic.is_proven_win(mover, children, i);
                if let Some(win) = (0..children.len()).find(wins) {
                    return win;
                }
                let open = |i: usize| !children.nodes()[i].load().is_exact();
                self.best(tree, node, word, scores, scratch, rng, open)
                    .or_else(|| self.best(tree, node, word, scores, scratch, rng, |_| true))
                    .unwrap_or(0)
            }
        }
    }

    /// The node's share of the scores.
    #[inline]
    fn scores<M: Copy>(&self, tree: &Tree<M>, node: &Node, word: Word, viewpoint: usize) -> Scores {
        let own = node.statistics();
        // The playout that asks is itself in flight here when others may be.
        let others = own.in_flight.saturating_sub(1) as f32 * self.under_way;
        let first_play = match self.first_play {
            FirstPlay::Value(value) => value as f32,
            FirstPlay::Parent => {
                let (sum, visits) = if tree.logic.zero_sum || tree.logic.players == 1 {
                    let sign = if word.mover() == viewpoint { 1 } else { -1 };
                    (sign * own.value_sum, own.visits)
                } else {
                    sum_of_children(tree.arena.children(word).nodes())
                };
                sum as f32 / (visits.max(1) as f32 * VALUE_ONE as f32)
            }
        };
        Scores {
            exploration: self.c * ln(own.visits + others as u64).sqrt(),
            first_play,
            under_way: self.under_way,
            lost: self.lost,
        }
    }

    /// The best of the children that are `open`, by the configured formula.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn best<M: Copy>(
        &self,
        tree: &Tree<M>,
        node: &Node,
        word: Word,
        scores: Scores,
        scratch: &mut Scratch,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let children = tree.arena.children(word);
        let nodes = children.nodes();
        if self.bias == Bias::None {
            return scores.best(nodes, |_| 0.0, open, rng);
        }
        let players = tree.logic.players;
        let of_mover = &children.proof_numbers()[word.mover()..];
        let number = |i: usize| of_mover[i * players].load();
        let numbers = (0..nodes.len()).map(number);
        if self.bias.sorts() {
            refresh_ranks(self.bias, node, word, children, numbers, scratch);
            let rank = |i: usize| children.ranks()[i].load(Ordering::Relaxed);
            let greatest = self.bias.greatest_rank((0..nodes.len()).map(rank));
            let scale = self.c_pn / greatest;
            scores.best(nodes, |i| scale * (greatest - f32::from(rank(i))), open, rng)
        } else {
            let scale = self.bias.scale(numbers);
            scores.best(nodes, |i| self.c_pn * scale.term(number(i)), open, rng)
        }
    }
}

/// Recomputes the cached ranks of the children if a number changed since (the
/// paper's needRecalc, section 3.2.5).
///
/// The mark is cleared before the numbers are read: a change that comes later
/// sets it again, so no change is lost. One thread ranks at a time; others go on
/// with the ranks that are there, which may be old or a mixture and are no worse
/// for that than any other estimate. At rest the mark is set or the ranks are
/// those of the numbers.
pub(crate) fn refresh_ranks<M>(
    bias: Bias,
    node: &Node,
    word: Word,
    children: Block<'_, M>,
    numbers: impl Iterator<Item = ProofNumber>,
    scratch: &mut Scratch,
) {
    if !(word.is_stale() && node.begin_ranking()) {
        return;
    }
    let ranks = children.ranks();
    bias.rank(numbers, &mut scratch.order, |i, rank| ranks[i].store(rank, Ordering::Relaxed));
    node.end_ranking();
}

/// Everything but the child in `v + C·sqrt(ln N / n) + C_pn·bias`.
#[derive(Clone, Copy, Debug)]
struct Scores {
    exploration: f32,
    first_play: f32,
    under_way: f32,
    lost: f32,
}

/// Children that are scored together: as many as two vector registers hold.
const LANES: usize = 8;

impl Scores {
    /// The best of the children that are `open`, ties broken at random.
    #[inline]
    fn best(
        self,
        children: &[Node],
        bias: impl Fn(usize) -> f32,
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (mut best, mut best_score, mut ties) = (None, f32::NEG_INFINITY, 1);
        for (chunk, nodes) in children.chunks(LANES).enumerate() {
            let scores = self.score(nodes);
            for (lane, &score) in scores[..nodes.len()].iter().enumerate() {
                let i = chunk * LANES + lane;
                let score = score + bias(i);
                if score < best_score || !open(i) {
                    continue;
                }
                if score > best_score {
                    (best, best_score, ties) = (Some(i), score, 1);
                } else {
                    ties += 1;
                    if rng.below(ties) == 0 {
                        best = Some(i);
                    }
                }
            }
        }
        best
    }

    /// `v + C·sqrt(ln N / n)` of up to [`LANES`] children. Gathered first and
    /// computed afterwards, so that roots and divisions run side by side.
    #[inline]
    fn score(self, nodes: &[Node]) -> [f32; LANES] {
        let mut sums = [0.0f32; LANES];
        let mut visits = [0.0f32; LANES];
        let mut under_way = [0.0f32; LANES];
        for (lane, node) in nodes.iter().enumerate().take(LANES) {
            let statistics = node.statistics();
            // Signed conversions are a single instruction; 48 bits fit.
            sums[lane] = statistics.value_sum as f32;
            visits[lane] = statistics.visits as i64 as f32;
            under_way[lane] = statistics.in_flight as i32 as f32;
        }
        let mut scores = [0.0f32; LANES];
        for lane in 0..LANES {
            let lost = under_way[lane] * self.lost;
            let counted = visits[lane] + lost;
            let tried = visits[lane] + under_way[lane] * self.under_way;
            let sum = sums[lane] - lost * VALUE_ONE as f32;
            let mean = sum / (counted.max(1.0) * VALUE_ONE as f32);
            let value = if counted > 0.0 { mean } else { self.first_play };
            scores[lane] = value + self.exploration / tried.max(1.0).sqrt();
        }
        scores
    }
}

fn sum_of_children(children: &[Node]) -> (i64, u64) {
    children.iter().map(Node::statistics).fold((0, 0), |(sum, visits), statistics| {
        (sum + statistics.value_sum, visits + statistics.visits)
    })
}
