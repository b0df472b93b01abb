//! A rule and an observer for searches with parts of one's own.

use proofwood::{Game, NodeData, Observer, Passed, RuleChild, RuleNode, SelectionRule};
use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Chooses by a number that has nothing to do with the game; now and then it is none.
#[derive(Clone, Copy, Debug)]
pub struct AnyRule;

impl<G: Game> SelectionRule<G> for AnyRule {
    fn score(&self, node: &RuleNode, child: &RuleChild<G::Move>) -> f64 {
        let drawn = (child.node.wrapping_mul(0x9e37_79b9) >> 20) as f64;
        match drawn as u32 % 50 {
            0 => f64::NAN,
            1 => f64::INFINITY,
            _ => (node.tried as f64 + drawn) / (1.0 + child.tried as f64),
        }
    }
}

/// The visits of each node, and the sum of its values in millionths.
pub struct Visits(pub NodeData<(AtomicU64, AtomicI64)>);

impl<G: Game> Observer<G> for Visits {
    fn backed_up(&self, steps: &[Passed<G::Move>]) {
        assert!(steps[0].mv.is_none() && steps[1..].iter().all(|step| step.mv.is_some()));
        for step in steps {
            let (visits, sum) = self.0.get(step.node);
            visits.fetch_add(1, Ordering::Relaxed);
            sum.fetch_add((step.value * 1e6) as i64, Ordering::Relaxed);
        }
    }

    fn made(&self, nodes: Range<u32>) {
        for (visits, sum) in nodes.map(|node| self.0.get(node)) {
            visits.store(0, Ordering::Relaxed);
            sum.store(0, Ordering::Relaxed);
        }
    }

    fn moved(&self, from: u32, to: u32) {
        let (from, to) = (self.0.get(from), self.0.get(to));
        to.0.store(from.0.load(Ordering::Relaxed), Ordering::Relaxed);
        to.1.store(from.1.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}
