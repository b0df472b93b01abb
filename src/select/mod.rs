//! Which child a playout enters: UCT-PN.
//!
//! `argmax v + C·sqrt(ln N / n) + C_pn·bias`, where *v* is the mean value for
//! the player who moves, *n* the child's visits and *N* the node's own. An
//! unvisited child competes with a stand-in value and *n* = 1; there is no
//! rule that every child is visited once first. Ties are broken at random.
//!
//! Where the evaluator has priors, PUCT's term takes the place of C·sqrt(ln N / n)
//! (`puct.rs`); proofs, bounds and the bias are the same.

mod diversify;
mod fast;
mod node;
mod noise;
mod puct;
mod reuse;
mod score;
mod weight;

pub(crate) use node::AtNode;
pub(crate) use noise::{noisy, uniform};
pub(crate) use reuse::ReuseRule;
pub(crate) use weight::Weight;

use crate::bounds::{NumberCell, ProofNumber};
use crate::math::{LANES, Rng, f32x8, ln};
use crate::settings::{Bias, Config, Extent, Goal, INFINITE, Resolved, VirtualLoss};
use crate::sync::Ordering;
use crate::threads::{Event, count};
use crate::tree::{Block, Node, Sides, Statistics, VALUE_ONE, Word};
use diversify::Diversify;
use puct::Puct;
use score::Scores;

/// The part of the configuration that selection reads, in the form it needs.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) c: f32,
    pub(crate) weight: Weight,
    pub(crate) bias: Bias,
    /// How much a playout under way counts as a visit.
    pub(crate) under_way: f32,
    pub(crate) reuse: ReuseRule,
    /// Nodes with fewer visits count playouts in flight.
    pub(crate) count_below: u64,
    diversify: Diversify,
    pub(crate) puct: Puct,
    /// Whether one in [`HOPEFUL`] visits of a node goes to [`Selection::hopeful`].
    disprove_rest: bool,
}

/// Visits of a node among which one is for bounds, where they are asked for: at 8 the
/// bounds of Pig are six times narrower.
const HOPEFUL: u32 = 8;

/// A child to enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selected {
    /// Its number among the children.
    pub(crate) child: usize,
    /// How many playouts the selection serves, this one included: a power of two.
    pub(crate) serves: u64,
}

impl Selected {
    /// A child for this playout alone.
    #[inline]
    pub(crate) fn once(child: usize) -> Selected {
        Selected { child, serves: 1 }
    }
}

/// Buffers that a worker keeps between playouts.
#[derive(Debug, Default)]
pub(crate) struct SelectionBuffer {
    order: Vec<(ProofNumber, u16)>,
}

impl Selection {
    /// With `chance` every visit selects: there bounds close by visits to every outcome, and
    /// nobody has measured selections there that serve several playouts. So it does with
    /// `priors`, where an evaluation takes far longer than a selection, and with `batches`, where
    /// a thread has many playouts under way and all nodes count them.
    pub(crate) fn new(
        config: &Config,
        resolved: &Resolved,
        chance: bool,
        priors: bool,
        batches: bool,
    ) -> Selection {
        let under_way = match config.virtual_loss {
            VirtualLoss::Unobserved => 1.0,
            VirtualLoss::None => 0.0,
        };
        let disprove_rest = config.disprove_rest && chance && config.goal == Goal::Score;
        let (c, weight) = (resolved.c.value, Weight::of(resolved.c_pn));
        let attentive = chance || priors || batches;
        let reuse = ReuseRule::new(if attentive { 0 } else { config.keep_choice }, config.threads);
        Selection {
            c: c as f32,
            weight,
            // A weight of 0 needs no terms; the numbers are kept all the same.
            bias: if weight.c_pn == 0.0 { Bias::None } else { config.bias },
            under_way,
            reuse,
            count_below: if batches { u64::MAX } else { reuse.count_below(config.threads) },
            diversify: Diversify::new(c, config.threads),
            puct: Puct::new(c),
            disprove_rest,
        }
    }

    /// Forgets the noise that was drawn for the root's moves, which will be others.
    pub(crate) fn forget_root(&mut self) {
        self.puct.set_noisy(Box::default());
    }

    /// The child to enter from an expanded node, by UCT-PN, with PUCT's term where there are
    /// `PRIORS`.
    #[inline(never)]
    pub(crate) fn select<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Selected {
        if self.disprove_rest
            && let Some(child) = self.hopeful::<PRIORS>(here, buffer, rng)
        {
            return Selected::once(child);
        }
        if here.word.may_skip() && here.tree.logic.prunes() {
            return self.select_open::<PRIORS>(here, buffer, rng);
        }
        let few = !PRIORS && self.are_few(here);
        let few = if few { self.best_of_few(here, None, rng) } else { None };
        let child = few.or_else(|| self.best::<PRIORS>(here, buffer, rng, |_| true)).unwrap_or(0);
        self.selected(here, child)
    }

    /// A child, and how many playouts its selection serves.
    #[inline(always)]
    fn selected(&self, here: AtNode<'_>, child: usize) -> Selected {
        if self.reuse.visits().is_none() {
            return Selected { child, serves: 1 };
        }
        let chosen = here.children().nodes()[child].statistics().visits;
        Selected { child, serves: self.reuse.playouts(here.node.statistics().visits, chosen) }
    }

    /// Now and then, the best of the children that may still be worth most to the mover.
    ///
    /// What keeps a node's interval wide is often a move that looks bad: its upper bound
    /// is the node's as long as nobody looks, and UCT hardly does. B* calls it to
    /// disprove the rest (Berliner, *The B\* Tree Search Algorithm*, 1979).
    #[inline(never)]
    fn hopeful<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (logic, children) = (&here.tree.logic, here.children());
        let Sides::Versus(player) = logic.sides else { return None };
        // By lot: where threads count visits, several may find the same number, and add
        // many at once, which may miss the multiples or meet them all.
        if rng.below(HOPEFUL) != 0 {
            return None;
        }
        let hope = |i: usize| {
            let local_window = logic.window_at(player, children, i).within(here.window);
            let most =
                if here.word.mover() == player { local_window.high } else { !local_window.low };
            (!local_window.are_settled()).then_some(most)
        };
        let most = (0..children.len()).filter_map(hope).max()?;
        self.best::<PRIORS>(here, buffer, rng, |i| hope(i) == Some(most))
    }

    /// As `select`, where some children need not be entered any more.
    fn select_open<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Selected {
        let (logic, children) = (&here.tree.logic, here.children());
        let found = match logic.sides {
            Sides::Versus(player) => {
                let local_window = |i| logic.window_at(player, children, i);
                let open = |i| !local_window(i).within(here.window).are_settled();
                let few = match !PRIORS && logic.has_numbers_only() && self.are_few(here) {
                    true => self.best_of_few(here, Some(player), rng),
                    false => None,
                };
                let found = few.or_else(|| self.best::<PRIORS>(here, buffer, rng, open));
                found.map(|child| self.selected(here, child))
            }
            Sides::Free => {
                let wins = |&i: &usize| logic.is_proven_win(here.word.mover(), children, i);
                let win = (0..children.len()).find(wins);
                win.or_else(|| self.best_of_known::<PRIORS>(here, buffer, rng)).map(Selected::once)
            }
        };
        // None is open where all payoffs are known, and while a proof is still
        // on its way up.
        found.unwrap_or_else(|| {
            Selected::once(self.best::<PRIORS>(here, buffer, rng, |_| true).unwrap_or(0))
        })
    }

    /// The best child where everybody plays for themselves. Of the children whose
    /// payoffs are known only the best for the mover stands against the others: it may
    /// be what the mover will take.
    fn best_of_known<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        let (logic, children, mover) = (&here.tree.logic, here.children(), here.word.mover());
        // Without intervals a payoff is not known, only that there is just one.
        let payoff = |i: usize| {
            let known = logic.score_bounds && children.nodes()[i].load().is_exact();
            known.then(|| logic.span(mover, children, i).lower)
        };
        let most = (0..children.len()).filter_map(payoff).max();
        self.best::<PRIORS>(here, buffer, rng, |i| {
            payoff(i).is_none_or(|payoff| Some(payoff) == most)
        })
    }

    /// The node's share of the scores.
    #[inline(always)]
    pub(crate) fn scores(&self, here: AtNode<'_>) -> Scores {
        let own = here.node.statistics();
        // The playout that asks is itself in flight here when others may be.
        let others = match own.in_flight {
            0 | 1 => 0,
            in_flight => ((in_flight - 1) as f32 * self.under_way) as u64,
        };
        let mut scores = self.scores_after(own.visits, others, parent_of(here, own));
        if self.diversify.applies(own.visits) {
            scores.exploration *= self.diversify.factors(here.thread, here.word);
        }
        scores
    }

    /// The same for a score without an exploration term.
    fn scores_without_exploration(&self, here: AtNode<'_>) -> Scores {
        let own = here.node.statistics();
        let scores = self.scores_after(own.visits, 0, parent_of(here, own));
        Scores { exploration: f32x8::splat(0.0), ..scores }
    }

    /// What is common to the scores of moves that were tried so often together, and are
    /// by as many playouts under way as count. `parent` says after how many visits the
    /// values for the mover add up to what.
    #[inline(always)]
    fn scores_after(&self, visits: u64, under_way: u64, parent: (u64, i64)) -> Scores {
        let (all, sum) = parent;
        let exploration = f32x8::splat(self.c * ln(visits + under_way).sqrt());
        Scores {
            exploration,
            first_play: sum as f32 / (all.max(1) as i64 as f32 * VALUE_ONE as f32),
            under_way: self.under_way,
            fading: self.weight.fading(visits),
        }
    }

    /// The best of the children that are `open`, by the configured formula.
    #[inline]
    pub(crate) fn best<const PRIORS: bool>(
        &self,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        count(Event::ChoiceMade);
        if PRIORS {
            let exploration = self.puct.exploration_at(here, self.under_way);
            let mut scores = self.scores_without_exploration(here);
            scores.first_play -= exploration.reduction;
            let terms = |chunk| self.puct.terms(here, exploration, self.under_way, chunk * LANES);
            return self
                .best_with(scores, here, buffer, rng, open, |bias, chunk| bias + terms(chunk));
        }
        let scores = self.scores(here);
        self.best_with(scores, here, buffer, rng, open, |bias, _| bias)
    }

    /// The best of the children that are `open`, by their scores and what `add` makes of
    /// the bias of eight of them.
    #[inline(always)]
    fn best_with(
        &self,
        scores: Scores,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
        open: impl Fn(usize) -> bool,
        add: impl Fn(f32x8, usize) -> f32x8,
    ) -> Option<usize> {
        let children = here.children();
        let nodes = children.nodes();
        if self.bias == Bias::None {
            return scores.best(nodes, |chunk| add(f32x8::splat(0.0), chunk), open, rng);
        }
        let players = here.tree.logic.players;
        let of_mover = &children.proof_numbers()[here.word.mover()..];
        let number = |i: usize| of_mover[i * players].load();
        let lanes = |chunk: usize| {
            let mut lanes = [INFINITE; LANES];
            for (lane, i) in lanes.iter_mut().zip(chunk * LANES..nodes.len()) {
                *lane = number(i).as_f32();
            }
            f32x8::new(lanes)
        };
        if !self.bias.sorts() {
            return self.biased(scores, nodes, lanes, open, rng, add);
        }
        let numbers = || (0..nodes.len()).map(number);
        refresh_ranks(self.bias, here.node, here.word, children, &mut buffer.order, numbers);
        let ranks = |chunk: usize| {
            let mut lanes = [INFINITE; LANES];
            for (lane, rank) in lanes.iter_mut().zip(&children.ranks()[chunk * LANES..]) {
                *lane = f32::from(rank.load(Ordering::Relaxed));
            }
            f32x8::new(lanes)
        };
        self.biased(scores, nodes, ranks, open, rng, add)
    }

    /// The best of the children with the bias that the formula gives to the
    /// numbers in `lanes`.
    #[inline]
    fn biased(
        &self,
        scores: Scores,
        nodes: &[Node],
        lanes: impl Fn(usize) -> f32x8,
        open: impl Fn(usize) -> bool,
        rng: &mut Rng,
        add: impl Fn(f32x8, usize) -> f32x8,
    ) -> Option<usize> {
        let first = lanes(0);
        let mut extent = Extent::of(self.bias, first);
        for chunk in 1..nodes.len().div_ceil(LANES) {
            extent.add(self.bias, lanes(chunk));
        }
        let bias = extent.scale(self.bias, nodes.len()).weighted(self.weight.c_pn, scores.fading);
        let bias = |chunk| bias(if chunk == 0 { first } else { lanes(chunk) });
        scores.best(nodes, |chunk| add(bias(chunk), chunk), open, rng)
    }
}

/// After how many visits of a node the values for its mover add up to what.
#[inline(always)]
pub(crate) fn parent_of(here: AtNode<'_>, own: Statistics) -> (u64, i64) {
    let logic = &here.tree.logic;
    if logic.zero_sum || logic.players == 1 {
        let sign = if here.word.mover() == here.viewpoint { 1 } else { -1 };
        (own.visits, sign * own.value_sum)
    } else {
        here.children().statistics()
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
pub(crate) fn refresh_ranks<I: Iterator<Item = ProofNumber>>(
    bias: Bias,
    node: &Node,
    word: Word,
    children: Block<'_>,
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
