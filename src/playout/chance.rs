//! Draws the outcome that a playout enters at a chance node, and accounts for the other outcomes.

use super::shared::SharedSearch;
use crate::error::SearchError;
use crate::game::{Game, MAX_PLAYERS};
use crate::math::Rng;
use crate::rules::read_weight;
use crate::sync::{AtomicU32, Ordering};
use crate::tree::{Block, Trail, Word, in_units};

/// The adjustment of a playout's values at a chance node.
///
/// A solved outcome need not be entered: its value is known, and counts with its weight in every
/// playout through the node. So what a playout adds to the nodes above is the mean over all
/// outcomes, with the value found below its own outcome in place of the values of all open
/// outcomes. Otherwise the mean would drift towards the outcomes that are hard to settle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    /// The number of steps from the root to the node, including the node.
    pub(crate) depth: usize,
    open: f32,
    /// The weighted sum of the values of the solved outcomes.
    solved: [f32; MAX_PLAYERS],
}

impl Mix {
    /// Converts the values below the node to those above it.
    pub(crate) fn apply(&self, values: &mut [f32; MAX_PLAYERS]) {
        for (value, solved) in values.iter_mut().zip(self.solved) {
            *value = solved + self.open * *value;
        }
    }
}

#[derive(Debug)]
pub(crate) struct Draw {
    pub(crate) number: usize,
    pub(crate) mix: Option<Mix>,
}

/// Draws an outcome of a node that is `depth` steps from the root. If `skip` is set, solved
/// outcomes are left out; `worth` returns their values, if they are known. `open` is scratch space.
///
/// A finished game whose value is not known is not left out: a playout that reaches it gets the
/// payoffs from the rules. An outcome that is solved only against a coalition is left out, and its
/// weight does not count.
pub(crate) fn draw(
    outcomes: Block<'_>,
    rng: &mut Rng,
    depth: usize,
    skip: bool,
    open: &mut Vec<u32>,
    worth: impl Fn(u32) -> Option<[f32; MAX_PLAYERS]>,
) -> Draw {
    let (nodes, weights) = (outcomes.nodes(), outcomes.weights());
    let any = |rng| choose(nodes.len(), rng, total(weights), |number| load(&weights[number]));
    if !skip {
        return Draw { number: any(rng), mix: None };
    }
    // Each word is read once: an outcome may be solved meanwhile.
    open.clear();
    let (mut left, mut known, mut sums) = (0u64, 0u64, [0.0f32; MAX_PLAYERS]);
    for (number, weight) in weights.iter().enumerate() {
        let (weight, word) = (load(weight), nodes[number].load());
        let values = if word.is_solved() { worth(outcomes.index(number)) } else { None };
        if let Some(values) = values {
            known += weight;
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += weight as f32 * value;
            }
        }
        let is_open = !word.is_solved() || values.is_none() && word.is_exact();
        open.push(if is_open { weight as u32 } else { 0 });
        left += if is_open { weight } else { 0 };
    }
    if left == 0 {
        // All outcomes are solved, but the proof has not reached this node yet: any will do.
        return Draw { number: any(rng), mix: None };
    }
    let number = choose(nodes.len(), rng, left, |number| open[number].into());
    let all = (left + known) as f32;
    let mix = Mix { depth, open: left as f32 / all, solved: sums.map(|sum| sum / all) };
    Draw { number, mix: (known > 0).then_some(mix) }
}

impl<G: Game, L> SharedSearch<G, L> {
    /// Draws the outcome to take at a chance node, `depth` steps from the root.
    pub(super) fn draw(
        &self,
        word: Word,
        depth: usize,
        rng: &mut Rng,
        open: &mut Vec<u32>,
    ) -> Draw {
        let tree = &self.tree;
        let skip = word.may_skip() && tree.logic.prunes();
        draw(tree.arena.children(word), rng, depth, skip, open, |index| self.known_worth(index))
    }
}

/// Adds a playout's values to every node of its trail from depth `from` on; returns the values for
/// the nodes above, in fixed point. `mixes` lists the adjustments at chance nodes, deepest last.
#[inline]
pub(super) fn finish(
    trail: &mut Trail<'_>,
    from: usize,
    values: &[f32; MAX_PLAYERS],
    mixes: &[Mix],
) -> [i64; MAX_PLAYERS] {
    let (mut values, mut end) = (*values, trail.path.len());
    for mix in mixes.iter().rev() {
        trail.add(mix.depth..end, &in_units(&values));
        mix.apply(&mut values);
        end = mix.depth;
    }
    trail.finish(from..end, &values)
}

/// Loads a weight. Relaxed: the weight was written before the children were published.
fn load(weight: &AtomicU32) -> u64 {
    weight.load(Ordering::Relaxed).into()
}

fn total(weights: &[AtomicU32]) -> u64 {
    // This cannot overflow: there are at most 65,535 weights of 32 bits.
    weights.iter().map(load).sum()
}

/// Draws an outcome's number in proportion to the weights, which add up to `total`.
fn choose(outcomes: usize, rng: &mut Rng, total: u64, weight: impl Fn(usize) -> u64) -> usize {
    let mut left = rng.below_u64(total);
    let drawn = (0..outcomes).find(|&number| {
        let weight = weight(number);
        let found = left < weight;
        left = left.saturating_sub(weight);
        found
    });
    drawn.unwrap_or(0)
}

/// Reads and checks the weights of the outcomes at a chance node.
pub(crate) fn read_weights<G: Game>(
    game: &G,
    state: &G::State,
    outcomes: &[G::Move],
    weights: &mut Vec<u32>,
) -> Result<(), SearchError> {
    weights.clear();
    for &outcome in outcomes {
        weights.push(read_weight(game, state, outcome)?);
    }
    Ok(())
}
