//! Stopping early: when no other move can become the best one any more.

use crate::game::Game;
use crate::report::final_move;
use crate::shared::Shared;
use crate::tree::{ROOT, Stage};
use std::time::Instant;

/// What a search has to go by, for the workers to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
    pub(crate) playouts: Option<u64>,
    /// The root's visits when the search started.
    pub(crate) visits_before: u64,
}

impl Limits {
    /// No limits, from now on: for the models.
    #[cfg(loom)]
    pub(crate) fn none() -> Limits {
        Limits { started: Instant::now(), deadline: None, playouts: None, visits_before: 0 }
    }

    /// Playouts that may still come after `done` were made, at the pace so far
    /// and a quarter more; `None` without a limit.
    fn left(&self, done: u64) -> Option<u64> {
        const HASTE: f64 = 1.25;
        let by_time = self.deadline.map(|deadline| {
            let now = Instant::now();
            let elapsed = now.saturating_duration_since(self.started).as_secs_f64();
            let left = deadline.saturating_duration_since(now).as_secs_f64();
            // Saturates where nothing was done or no time has passed.
            (HASTE * left * done.max(1) as f64 / elapsed) as u64
        });
        let by_count = self.playouts.map(|playouts| playouts.saturating_sub(done));
        by_time.into_iter().chain(by_count).min()
    }
}

/// Whether the move to play has so many more visits than any other that these
/// cannot catch up before the search ends. A proof that is found in what is left
/// of the search could still change the choice.
pub(crate) fn is_decided<G: Game, E>(shared: &Shared<G, E>, limits: &Limits) -> bool {
    let word = shared.tree.node(ROOT).load();
    if word.stage() != Stage::Expanded {
        return false;
    }
    let (mut total, mut most, mut second, mut leader) = (0, 0, 0, 0);
    for (number, node) in shared.tree.arena.children(word).nodes().iter().enumerate() {
        let visits = node.statistics().visits;
        total += visits;
        if visits > most {
            (most, second, leader) = (visits, most, number);
        } else {
            second = second.max(visits);
        }
    }
    let done = total.saturating_sub(limits.visits_before);
    let Some(left) = limits.left(done) else { return false };
    let alone = word.num_children() == 1 && done > 0;
    // The choice is asked for last: it allocates.
    alone || most - second > left && final_move(shared, word) == Some(leader)
}
