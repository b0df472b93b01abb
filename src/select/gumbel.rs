//! Which moves of the root a search tries, where it has priors and few playouts.
//!
//! Gumbel AlphaZero (Danihelka, Guez, Schrittwieser, Silver, *Policy improvement by planning
//! with Gumbel*, ICLR 2022) draws a Gumbel variate g(a) for each move, takes the `moves` with
//! the greatest g(a) + logits(a), the logarithms of the priors, and halves their number in
//! rounds with as many playouts for each of those that are left (Karnin, Koren and Somekh's
//! sequential halving; the paper's Algorithm 2). Those with the greatest
//! g(a) + logits(a) + σ(q̂(a)) stay, and the best of the last ones is played:
//!
//! ```text
//! σ(q̂(a)) = (c_visit + max_b N(b)) · c_scale · q̂(a)      (equation 8), q̂ from 0 to 1
//! ```
//!
//! Which round it is, each choice reads from the visits: how many each move should have by
//! now follows from how many there are together. So threads share the rounds as they share
//! the tree, and those under way count. Below the root PUCT chooses.

use super::noise::uniform;
use crate::math::Rng;
use crate::tree::{Block, VALUE_ONE};

const C_VISIT: f64 = 50.0;
const C_SCALE: f64 = 1.0;

/// The plan of one run.
#[derive(Clone, Debug)]
pub(crate) struct Gumbel {
    /// g(a) + logits(a).
    drawn: Box<[f64]>,
    /// The visits that the moves had before the run.
    before: Box<[u64]>,
    /// After so many playouts, the visits that the move has which is next.
    schedule: Box<[u32]>,
}

impl Gumbel {
    /// A plan for this many playouts, in which so many of the moves take part.
    pub(crate) fn new(children: Block<'_>, moves: usize, playouts: u64, rng: &mut Rng) -> Gumbel {
        let count = children.len();
        let drawn = (0..count).map(|number| {
            let prior = children.prior(number).unwrap_or(1.0);
            // −ln(−ln u) is a standard Gumbel variate.
            f64::from(prior).ln() - (-uniform(rng).ln()).max(f64::MIN_POSITIVE).ln()
        });
        let before = children.nodes().iter().map(|node| node.statistics().visits);
        Gumbel {
            drawn: drawn.collect(),
            before: before.collect(),
            schedule: schedule(moves.clamp(1, count), playouts),
        }
    }

    /// The move to try, of those that are `open`.
    pub(crate) fn choose(
        &self,
        children: Block<'_>,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let tried = |number: usize| self.tried(children, number);
        let most = (0..children.len()).map(tried).max().unwrap_or(0);
        let done = (0..children.len()).map(tried).sum::<u64>() as usize;
        let due = u64::from(self.schedule.get(done).or(self.schedule.last()).copied()?);
        // Threads, and moves that are settled, take the visits off the plan: the nearest.
        let distance = |number: usize| tried(number).abs_diff(due);
        let score = |number: usize| self.score(children, number, most);
        (0..children.len())
            .filter(|&number| open(number))
            .min_by(|&a, &b| distance(a).cmp(&distance(b)).then(score(b).total_cmp(&score(a))))
    }

    /// The move to play: the best of those that were tried most in this run.
    pub(crate) fn best(&self, children: Block<'_>, among: impl Fn(usize) -> bool) -> Option<usize> {
        let tried = |number: usize| self.tried(children, number);
        let numbers = || (0..children.len()).filter(|&number| among(number));
        let most = numbers().map(tried).max()?;
        let last = numbers().filter(|&number| tried(number) == most);
        let score = |number: usize| self.score(children, number, most);
        last.max_by(|&a, &b| score(a).total_cmp(&score(b)))
    }

    /// The visits of a move in this run, those under way included.
    fn tried(&self, children: Block<'_>, number: usize) -> u64 {
        let statistics = children.nodes()[number].statistics();
        (statistics.visits + statistics.in_flight).saturating_sub(self.before[number])
    }

    /// g(a) + logits(a) + σ(q̂(a)); without a visit σ is that of an even game.
    fn score(&self, children: Block<'_>, number: usize, most: u64) -> f64 {
        let statistics = children.nodes()[number].statistics();
        let sum = statistics.value_sum as f64 / VALUE_ONE as f64;
        let q = if statistics.visits == 0 { 0.0 } else { sum / statistics.visits as f64 };
        self.drawn[number] + sigma(q, most)
    }
}

/// σ of a value from −1 to 1, where the most tried move has so many visits.
pub(crate) fn sigma(value: f64, most: u64) -> f64 {
    (C_VISIT + most as f64) * C_SCALE * (value + 1.0) / 2.0
}

/// For each of so many playouts the visits of the move that is tried next: in each round the
/// moves that are left have one visit after the other, and then half of them go.
fn schedule(moves: usize, playouts: u64) -> Box<[u32]> {
    /// So long a plan is for nobody: later playouts go to the moves of the last round.
    const LONGEST: u64 = 1 << 20;
    let playouts = playouts.min(LONGEST) as usize;
    let rounds = moves.next_power_of_two().ilog2().max(1) as usize;
    let (mut plan, mut left, mut visits) = (Vec::with_capacity(playouts), moves, 0);
    while plan.len() < playouts {
        let each = (playouts / (rounds * left)).max(1);
        for _ in 0..each {
            plan.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = (left / 2).max(2).min(moves);
    }
    plan.truncate(playouts);
    plan.into()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Figure 1 of the paper: 200 playouts, 16 moves.
    #[test]
    fn rounds_halve_the_moves_and_share_the_playouts() {
        let plan = schedule(16, 200);
        let at = |visits| plan.iter().filter(|&&visit| visit == visits).count();
        // 3 for each of 16, 6 for each of 8, 12 for each of 4, and the rest for the last two.
        assert_eq!((at(0), at(2), at(3), at(8), at(9), at(20)), (16, 16, 8, 8, 4, 4));
        assert_eq!((at(21), plan.len()), (2, 200));
        assert_eq!(&*schedule(1, 3), &[0, 1, 2]);
        assert_eq!(&*schedule(4, 2), &[0, 0]);
    }
}
