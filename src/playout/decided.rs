//! Stopping early: when no other move can become the best one any more.

use super::final_move::{final_move, is_drawn};
use super::shared::SharedSearch;
use crate::game::Game;
use crate::threads::Limits;
use crate::tree::{ROOT, Stage};

/// Whether the move to play has so many more visits than any other that these
/// cannot catch up before the search ends. A proof that is found in what is left
/// of the search could still change the choice. Where the move is drawn, only one that
/// is alone is decided.
pub(crate) fn is_decided<G: Game, L>(shared: &SharedSearch<G, L>, limits: &Limits) -> bool {
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
    let ahead = most - second > left && !is_drawn(shared);
    alone || ahead && final_move(shared, word) == Some(leader)
}
