//! How soon a proven win ends the game, as far as the tree itself shows it.

use crate::tree::{Sides, Stage, Tree};

/// Nodes that are looked at before a proof counts as too large to be told in plies. A
/// report asks for each move of its line, so that this bounds what a look while somebody
/// waits may take.
const PATIENCE: u32 = 4096;

/// In how many plies from a node the game is over at the latest, when a player who is
/// proven to win plays what the tree shows. None where the win is not proven, where the
/// tree has the result and not the reason (it was proven at another node with the same
/// position, or its children were dropped), and where the proof is too large.
///
/// Only proof numbers are read, each once, so workers may go on meanwhile: what is proven
/// stays proven, and a child that is not proven yet is left out.
pub(crate) fn plies_to_win(tree: &Tree, index: u32, winner: usize) -> Option<u32> {
    let logic = &tree.logic;
    // Of one player against the other: nobody else's moves, no dice.
    let told = matches!(logic.sides, Sides::Versus(_)) && logic.zero_sum && !logic.chance;
    (told && logic.solver).then(|| plies(tree, index, winner, &mut PATIENCE.clone())).flatten()
}

fn plies(tree: &Tree, index: u32, winner: usize, left: &mut u32) -> Option<u32> {
    *left = left.checked_sub(1)?;
    if !tree.proof_number(index, winner).is_proven() {
        return None;
    }
    let word = tree.node(index).load();
    match word.stage() {
        Stage::Terminal => return Some(0),
        Stage::Expanded => {}
        _ => return None,
    }
    let first = word.first_child();
    let children = (first..).take(word.num_children());
    let after = match word.mover() == winner {
        true => children.filter_map(|child| plies(tree, child, winner, left)).min()?,
        false => {
            let mut longest = 0;
            for child in children {
                longest = longest.max(plies(tree, child, winner, left)?);
            }
            longest
        }
    };
    Some(after + 1)
}
