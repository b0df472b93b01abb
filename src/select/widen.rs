//! Progressive widening: a node looks at few children first, and at more as its visits grow.
//!
//! After *N* visits of a node the first
//!
//! ```text
//! k(N) = max(1, ⌈C · N^α⌉)
//! ```
//!
//! of its children may be entered (Coulom, *Computing Elo Ratings of Move Patterns in the Game
//! of Go*, 2007, has a first form of it; this one is of Couëtoux, Hoock, Sokolovska, Teytaud and
//! Bonnard, *Continuous Upper Confidence Trees*, 2011, where outcomes of chance are widened in
//! the same way). The order is that of the priors, greatest first, and without priors that of
//! the game. A child that has become one of the first is entered at once.
//!
//! All children are in the tree all the time, with what is known of them: nothing. So a node
//! is never proven by those alone that were looked at. A child that need not be entered any
//! more, because it is settled, makes room for the next one.

use super::{AtNode, Formula, Selection, SelectionBuffer};
use crate::math::Rng;
use crate::settings::Config;
use crate::tree::{ROOT, Sides};

/// C and α.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widening {
    c: f64,
    alpha: f64,
}

impl Widening {
    /// Of moves; none where it is off.
    pub(crate) fn of_moves(config: &Config) -> Option<Widening> {
        (config.widen > 0.0).then_some(Widening { c: config.widen, alpha: config.widen_alpha })
    }

    /// Of outcomes of chance; none where it is off.
    pub(crate) fn of_outcomes(config: &Config) -> Option<Widening> {
        let c = config.widen_outcomes;
        (c > 0.0).then_some(Widening { c, alpha: config.widen_alpha })
    }

    /// How many children may be entered after so many visits of the node.
    pub(crate) fn children(self, visits: u64) -> usize {
        (self.c * (visits as f64).powf(self.alpha)).ceil().max(1.0) as usize
    }
}

/// What widening keeps between playouts.
#[derive(Debug, Default)]
pub(super) struct WideningBuffer {
    /// The open children with their priors.
    ordered: Vec<(f32, u16)>,
    /// For each child whether it is among the first.
    first: Vec<bool>,
}

impl Selection {
    /// The child to enter where not all open ones may be; none where all may.
    pub(super) fn widened<F: Formula>(
        &self,
        widening: Widening,
        formula: &F,
        here: AtNode<'_>,
        buffer: &mut SelectionBuffer,
        rng: &mut Rng,
    ) -> Option<usize> {
        if self.gumbel.is_some() && here.index == ROOT {
            return None;
        }
        let children = here.children();
        let own = here.node.statistics();
        let under_way = own.in_flight.saturating_sub(1) as f32 * self.under_way;
        let may_enter = widening.children(own.visits + under_way as u64);
        if may_enter >= children.len() {
            return None;
        }
        let WideningBuffer { mut ordered, mut first } = std::mem::take(&mut buffer.widening);
        self.list_open(here, &mut ordered);
        let chosen = (may_enter < ordered.len()).then(|| {
            // Numbers are different: no two are equal.
            let earlier = |a: &(f32, u16), b: &(f32, u16)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
            ordered.select_nth_unstable_by(may_enter - 1, earlier);
            let allowed = &ordered[..may_enter];
            let new = |&&(_, number): &&(f32, u16)| {
                let statistics = children.nodes()[usize::from(number)].statistics();
                statistics.visits + statistics.in_flight == 0
            };
            if let Some(&(_, number)) = allowed.iter().filter(new).min_by(|a, b| earlier(a, b)) {
                return usize::from(number);
            }
            first.clear();
            first.resize(children.len(), false);
            allowed.iter().for_each(|&(_, number)| first[usize::from(number)] = true);
            formula.best(self, here, buffer, rng, |number| first[number]).unwrap_or(0)
        });
        buffer.widening = WideningBuffer { ordered, first };
        chosen
    }

    /// The children that need be entered, with their priors; none where a win is proven, and
    /// where everybody plays for themselves and something is settled: there the usual choice
    /// knows what to take.
    fn list_open(&self, here: AtNode<'_>, open: &mut Vec<(f32, u16)>) {
        let (logic, children) = (&here.tree.logic, here.children());
        open.clear();
        let player = match (here.word.may_skip() && logic.prunes(), logic.sides) {
            (false, _) => None,
            (true, Sides::Versus(player)) => Some(player),
            (true, Sides::Free) => return,
        };
        let is_open = |number: &usize| {
            player.is_none_or(|player| {
                !logic.stakes_at(player, children, *number).within(here.window).are_settled()
            })
        };
        let has_priors = children.has_priors();
        open.extend((0..children.len()).filter(is_open).map(|number| {
            let prior =
                if has_priors { self.puct.prior(here.index, children, number) } else { 0.0 };
            (prior, number as u16)
        }));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// The paper's k for C = 1 and α = 1/2, and other values by hand.
    #[test]
    fn as_many_children_as_the_formula_says() {
        let children = |c, alpha, visits| Widening { c, alpha }.children(visits);
        let roots = [0, 1, 2, 4, 5, 9, 10, 100, 101].map(|visits| children(1.0, 0.5, visits));
        assert_eq!(roots, [1, 1, 2, 2, 3, 3, 4, 10, 11]);
        assert_eq!([0, 1, 7, 8, 9, 1000].map(|n| children(2.0, 1.0 / 3.0, n)), [1, 2, 4, 4, 5, 20]);
        assert_eq!([0, 1, 1000].map(|n| children(0.5, 0.0, n)), [1, 1, 1]);
        assert_eq!(children(3.0, 1.0, 5), 15);
    }
}
