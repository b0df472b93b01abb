//! Which child a playout enters: UCT-PN.
//!
//! `argmax v + C·sqrt(ln N / n) + C_pn·bias`, where *v* is the mean value for
//! the player who moves, *n* the child's visits and *N* the node's own. An
//! unvisited child competes with a stand-in value and *n* = 1; there is no
//! rule that every child is visited once first. Ties are broken at random.

use crate::config::{FirstPlay, VirtualLoss};
use crate::logarithm::ln;
use crate::proof_number::AtomicProofNumber;
use crate::sync::Ordering;
use crate::tree::{Block, Node, Sides, Stakes, Tree, VALUE_ONE, Word};
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
    numbers: Vec<ProofNumber>,
    order: Vec<(ProofNumber, u16)>,
}

/// Where a playout stands: at an expanded node.
pub(crate) struct Here<'t, M> {
    pub(crate) tree: &'t Tree<M>,
    pub(crate) node: &'t Node,
    pub(crate) word: Word,
    /// The player whose values the node's own statistics hold.
    pub(crate) viewpoint: usize,
    /// The stakes that still matter here.
    pub(crate) window: Stakes,
}

impl<M> Clone for Here<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Here<'_, M> {}

impl<'t, M: Copy> Here<'t, M> {
    #[inline]
    fn children(self) -> Block<'t, M> {
        self.tree.arena.children(self.word)
    }
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

    /// The child to enter from an expanded node.
    #[inline]
    pub(crate) fn select<M: Copy>(
        &self,
        here: Here<'_, M>,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> usize {
        if here.word.may_skip() && here.tree.logic.prunes() {
            self.select_open(here, scratch, rng)
        } else {
            self.best(here, scratch, rng, |_| true).unwrap_or(0)
        }
    }

    /// As `select`, where some children need not be entered any more.
    fn select_open<M: Copy>(
        &self,
        here: Here<'_, M>,
        scratch: &mut Scratch,
        rng: &mut Rng,
    ) -> usize {
        let (logic, children) = (&here.tree.logic, here.children());
        let found = match logic.sides {
            Sides::Versus(player) => {
                let stakes = |i| logic.stakes_at(player, children, i);
                self.best(here, scratch, rng, |i| !stakes(i).within(here.window).are_settled())
            }
            Sides::Free => {
                let wins = |&i: &usize| logic.is_proven_win(here.word.mover(), children, i);
                let win = (0..children.len()).find(wins);
                let nodes = children.nodes();
                win.or_else(|| self.best(here, scratch, rng, |i| !nodes[i].load().is_exact()))
            }
        };
        // None is open where all payoffs are known, and while a proof is still
        // on its way up.
        found.or_else(|| self.best(here, scratch, rng, |_| true)).unwrap_or(0)
    }

    /// The node's share of the scores.
    #[inline]
    fn scores<M: Copy>(&self, here: Here<'_, M>) -> Scores {
        let own = here.node.statistics();
        // The playout that asks is itself in flight here when others may be.
        let others = own.in_flight.saturating_sub(1) as f32 * self.under_way;
        let first_play = match self.first_play {
            FirstPlay::Value(value) => value as f32,
            FirstPlay::Parent => {
                let logic = &here.tree.logic;
                let (sum, visits) = if logic.zero_sum || logic.players == 1 {
                    let sign = if here.word.mover() == here.viewpoint { 1 } else { -1 };
                    (sign * own.value_sum, own.visits)
                } else {
                    sum_of_children(here.children().nodes())
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
    fn best<M: Copy>(
        &self,
        here: Here<'_, M>,
        scratch: &mut Scratch,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let scores = self.scores(here);
        let children = here.children();
        let nodes = children.nodes();
        if self.bias == Bias::None {
            return scores.best(nodes, |_| [0.0; LANES], open, rng);
        }
        let of_mover = || {
            let of_mover = children.proof_numbers()[here.word.mover()..].iter();
            of_mover.step_by(here.tree.logic.players).map(AtomicProofNumber::load)
        };
        if self.bias.sorts() {
            refresh_ranks(self.bias, here.node, here.word, children, &mut scratch.order, of_mover);
            let rank = |i: usize| children.ranks()[i].load(Ordering::Relaxed);
            let greatest = self.bias.greatest_rank((0..nodes.len()).map(rank));
            let scale = self.c_pn / greatest;
            let bias = |first: usize| {
                let mut terms = [0.0; LANES];
                for (term, i) in terms.iter_mut().zip(first..nodes.len()) {
                    *term = scale * (greatest - f32::from(rank(i)));
                }
                terms
            };
            scores.best(nodes, bias, open, rng)
        } else {
            scratch.numbers.clear();
            scratch.numbers.extend(of_mover());
            let numbers = &scratch.numbers[..nodes.len()];
            let scale = self.bias.scale(numbers);
            let bias = |first: usize| {
                let mut terms = [ProofNumber::INFINITE; LANES];
                let chunk = &numbers[first..numbers.len().min(first + LANES)];
                terms[..chunk.len()].copy_from_slice(chunk);
                terms.map(|number| self.c_pn * scale.term(number))
            };
            scores.best(nodes, bias, open, rng)
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
pub(crate) fn refresh_ranks<M, I: Iterator<Item = ProofNumber>>(
    bias: Bias,
    node: &Node,
    word: Word,
    children: Block<'_, M>,
    order: &mut Vec<(ProofNumber, u16)>,
    numbers: impl Fn() -> I,
) {
    if !(word.is_stale() && node.begin_ranking()) {
        return;
    }
    let ranks = children.ranks();
    bias.rank(numbers(), order, |i, rank| ranks[i].store(rank, Ordering::Relaxed));
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
    /// The best of the children that are `open`, ties broken at random; `bias`
    /// answers the terms of the children from a number on.
    #[inline]
    fn best(
        self,
        children: &[Node],
        bias: impl Fn(usize) -> [f32; LANES],
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (mut best, mut best_score, mut ties) = (None, f32::NEG_INFINITY, 0);
        for (chunk, nodes) in children.chunks(LANES).enumerate() {
            let first = chunk * LANES;
            let (mut scores, terms) = (self.score(nodes), bias(first));
            for lane in 0..LANES {
                let counts = lane < nodes.len() && open(first + lane);
                scores[lane] = if counts { scores[lane] + terms[lane] } else { f32::NEG_INFINITY };
            }
            let more = |a: f32, b: f32| if b > a { b } else { a };
            let greatest = scores.iter().copied().fold(f32::NEG_INFINITY, more);
            if greatest < best_score || greatest == f32::NEG_INFINITY {
                continue;
            }
            // The lanes with the greatest score as bits: no branch for each.
            let at =
                scores.iter().rev().fold(0u32, |bits, &s| bits << 1 | u32::from(s == greatest));
            if greatest > best_score {
                (best_score, ties) = (greatest, 0);
            }
            let here = at.count_ones();
            ties += here;
            let draw = if ties > 1 { rng.below(ties) } else { 0 };
            if draw < here {
                best = Some(first + nth_bit(at, draw));
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

/// The place of the `n`-th set bit, counted from 0.
#[inline]
fn nth_bit(mut bits: u32, n: u32) -> usize {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

fn sum_of_children(children: &[Node]) -> (i64, u64) {
    children.iter().map(Node::statistics).fold((0, 0), |(sum, visits), statistics| {
        (sum + statistics.value_sum, visits + statistics.visits)
    })
}
