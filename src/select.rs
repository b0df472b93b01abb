//! Which child a playout enters: UCT-PN.
//!
//! `argmax v + C·sqrt(ln N / n) + C_pn·bias`, where *v* is the mean value for
//! the player who moves, *n* the child's visits and *N* the node's own. An
//! unvisited child competes with a stand-in value and *n* = 1; there is no
//! rule that every child is visited once first. Ties are broken at random.

use crate::config::{FirstPlay, VirtualLoss};
use crate::logarithm::ln;
use crate::sync::{Fault, Ordering, broken};
use crate::tree::{Block, Node, Sides, Tree, VALUE_ONE, Word};
use crate::{Bias, Config, ProofNumber, Rng};

/// The part of the configuration that selection reads, in the form it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
    c: f32,
    c_pn: f32,
    bias: Bias,
    first_play: FirstPlay,
    virtual_loss: VirtualLoss,
}

/// Buffers that a worker keeps between playouts.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    order: Vec<(ProofNumber, u16)>,
}

/// How proof numbers enter one selection.
enum Term<'t> {
    None,
    Scaled(crate::bias::Scale, &'t [crate::proof_number::AtomicProofNumber], usize),
    Ranked(f32, &'t [crate::sync::AtomicU16]),
}

impl Selection {
    pub(crate) fn new(config: &Config) -> Selection {
        Selection {
            c: config.c as f32,
            c_pn: config.c_pn as f32,
            // A weight of 0 needs no terms; the numbers are kept all the same.
            bias: if config.c_pn == 0.0 { Bias::None } else { config.bias },
            first_play: config.first_play,
            virtual_loss: config.virtual_loss,
        }
    }

    /// The child to enter from an expanded node. `viewpoint` is the player
    /// whose values the node's own statistics hold.
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
        let term = self.term(tree, node, word, children, scratch);
        let scores = Scores { selection: self, term, ..self.scores(tree, node, word, viewpoint) };
        if !(word.may_skip() && tree.logic.prunes()) {
            return scores.best(children.nodes(), |_| true, rng).unwrap_or(0);
        }
        match tree.logic.sides {
            Sides::Versus(player) => {
                let logic = &tree.logic;
                let secured = logic.secured(player, word.mover(), children);
                let open = |i| !logic.is_decided(player, word.mover(), secured, children, i);
                scores.best(children.nodes(), open, rng).unwrap_or_else(|| {
                    // All are decided: the one that decided them.
                    let holds = |&i: &usize| {
                        let (low, high) = logic.child_stakes(player, children, i);
                        secured == if word.mover() == player { low } else { high }
                    };
                    (0..children.len()).find(holds).unwrap_or(0)
                })
            }
            Sides::Free => {
                let wins = |i| tree.logic.is_proven_win(word.mover(), children, i);
                if let Some(win) = (0..children.len()).find(|&i| wins(i)) {
                    return win;
                }
                let open = |i: usize| !children.nodes()[i].load().is_exact();
                scores
                    .best(children.nodes(), open, rng)
                    .or_else(|| scores.best(children.nodes(), |_| true, rng))
                    .unwrap_or(0)
            }
        }
    }

    /// The node's share of the scores.
    fn scores<'t, M: Copy>(
        &'t self,
        tree: &Tree<M>,
        node: &Node,
        word: Word,
        viewpoint: usize,
    ) -> Scores<'t> {
        let own = node.statistics();
        // The playout that asks is itself in flight here when others may be.
        let under_way = match self.virtual_loss {
            VirtualLoss::None => 0,
            _ => own.in_flight.saturating_sub(1),
        };
        let exploration = self.c * ln(own.visits + under_way).sqrt();
        let first_play = match self.first_play {
            FirstPlay::Value(value) => value as f32,
            FirstPlay::Parent => {
                let (sum, visits) = if tree.logic.zero_sum || tree.logic.players == 1 {
                    let sign = if word.mover() == viewpoint { 1 } else { -1 };
                    (sign * own.value_sum, own.visits)
                } else {
                    sum_of_children(tree.arena.children(word).nodes())
                };
                mean(sum, visits as f32)
            }
        };
        Scores { selection: self, exploration, first_play, term: Term::None }
    }

    fn term<'t, M: Copy>(
        &self,
        tree: &Tree<M>,
        node: &Node,
        word: Word,
        children: Block<'t, M>,
        scratch: &mut Scratch,
    ) -> Term<'t> {
        if self.bias == Bias::None {
            return Term::None;
        }
        let players = tree.logic.players;
        let numbers = children.proof_numbers();
        let mover = word.mover();
        let of_mover = || numbers[mover..].iter().step_by(players).map(|n| n.load());
        if self.bias.sorts() {
            refresh_ranks(self.bias, node, word, children, of_mover(), scratch);
            let ranks = children.ranks();
            let greatest =
                self.bias.greatest_rank(ranks.iter().map(|rank| rank.load(Ordering::Relaxed)));
            Term::Ranked(greatest, ranks)
        } else {
            Term::Scaled(self.bias.scale(of_mover()), &numbers[mover..], players)
        }
    }
}

/// Recomputes the cached ranks of the children if a number changed since (the
/// paper's needRecalc, section 3.2.5).
///
/// The flag is cleared before the numbers are read: a change that comes later
/// sets it again, so no change is lost. Two threads that store ranks at once
/// may leave a mixture behind; if a number changed in between, the flag is set
/// and the next visit mends it.
pub(crate) fn refresh_ranks<M>(
    bias: Bias,
    node: &Node,
    word: Word,
    children: Block<'_, M>,
    numbers: impl Iterator<Item = ProofNumber>,
    scratch: &mut Scratch,
) {
    if !word.is_stale() {
        return;
    }
    let late = broken(Fault::LateRankFlag);
    if !late && !node.take_stale() {
        return;
    }
    let ranks = children.ranks();
    bias.rank(numbers, &mut scratch.order, |i, rank| ranks[i].store(rank, Ordering::Relaxed));
    if late {
        node.take_stale();
    }
}

/// Everything but the child in `v + C·sqrt(ln N / n) + C_pn·bias`.
struct Scores<'t> {
    selection: &'t Selection,
    exploration: f32,
    first_play: f32,
    term: Term<'t>,
}

impl Scores<'_> {
    /// The best of the children that are `open`, ties broken at random.
    #[inline]
    fn best(
        &self,
        children: &[Node],
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (mut best, mut best_score, mut ties) = (None, f32::NEG_INFINITY, 1);
        for (i, child) in children.iter().enumerate() {
            let score = self.score(i, child);
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
        best
    }

    #[inline]
    fn score(&self, i: usize, child: &Node) -> f32 {
        let statistics = child.statistics();
        let (mut sum, mut visits) = (statistics.value_sum, statistics.visits as f32);
        let tried = match self.selection.virtual_loss {
            VirtualLoss::Unobserved => visits + statistics.in_flight as f32,
            VirtualLoss::None => visits,
            VirtualLoss::Classic(weight) => {
                let lost = weight as f32 * statistics.in_flight as f32;
                visits += lost;
                sum -= (lost * VALUE_ONE as f32) as i64;
                visits
            }
        };
        let value = if visits > 0.0 { mean(sum, visits) } else { self.first_play };
        let bias = match self.term {
            Term::None => 0.0,
            Term::Scaled(scale, numbers, stride) => {
                self.selection.c_pn * scale.term(numbers[i * stride].load())
            }
            Term::Ranked(greatest, ranks) => {
                let rank = f32::from(ranks[i].load(Ordering::Relaxed));
                self.selection.c_pn * (greatest - rank) / greatest
            }
        };
        value + self.exploration / tried.max(1.0).sqrt() + bias
    }
}

/// The mean of a fixed-point sum; 0 of nothing.
#[inline]
fn mean(sum: i64, visits: f32) -> f32 {
    sum as f32 / (visits.max(1.0) * VALUE_ONE as f32)
}

fn sum_of_children(children: &[Node]) -> (i64, u64) {
    children.iter().map(Node::statistics).fold((0, 0), |(sum, visits), statistics| {
        (sum + statistics.value_sum, visits + statistics.visits)
    })
}
