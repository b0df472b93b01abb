//! Creates outlines of a search's tree.

use super::{Extent, Node, Outline};
use proofwood::{Turn, Value};
use proofwood_any_game::{Branch, Position, Searching};
use proofwood_session::Trouble;
use proofwood_session::words::{numbers, players};
use std::collections::VecDeque;

/// Returns an outline of the tree of a search that is not running. It is built level by level from
/// the root, with the most visited moves of each position.
pub fn outline(
    search: &dyn Searching,
    root: &dyn Position,
    extent: Extent,
) -> Result<Outline, Trouble> {
    let view = root.view();
    let first = Node { turn: turn_text(root), board: view.board, ..Node::default() };
    let title = "Search tree.".to_string();
    let mut outline = Outline::new(title, view.players, first);
    let mut places = VecDeque::from([(0, Vec::new(), root.copy())]);
    while let Some((number, path, position)) = places.pop_front() {
        let Branch { children, more, .. } = search.tree(&path, 1, extent.width)?;
        let (room, deep) =
            (extent.nodes.saturating_sub(outline.nodes.len()), path.len() >= extent.depth);
        let shown = if deep { 0 } else { children.len().min(room) };
        outline.nodes[number].more = more + children.len() - shown;
        let visits: u64 = children.iter().map(|child| child.visits).sum();
        let player = match position.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        };
        for child in children.into_iter().take(shown) {
            let Some(mv) = child.text.clone() else { continue };
            let mut after = position.copy();
            after.play(&mv).map_err(|error| Trouble::Failed(error.to_string()))?;
            let node = Node {
                player,
                share: Some(child.visits as f64 / visits.max(1) as f64),
                turn: turn_text(&*after),
                board: after.view().board,
                ..node(&child, mv.clone())
            };
            let number = outline.add(number, node);
            let mut path = path.clone();
            path.push(mv);
            places.push_back((number, path, after));
        }
    }
    Ok(outline)
}

fn node(branch: &Branch, mv: String) -> Node {
    let mut facts = vec![("visits", numbers::count(branch.visits as f64))];
    let solved = matches!(branch.proven, Value::Win | Value::Draw | Value::Loss);
    let mean = branch.mean.filter(|_| !solved);
    facts.extend(mean.map(|mean| ("points", numbers::share(mean))));
    let bounds = if branch.expected.is_some() { "expected payoff" } else { "bounds" };
    facts.push((bounds, numbers::payoff(branch.bounds, branch.expected)));
    // If proof numbers are not counted, each is 1.
    if branch.proof_numbers.iter().any(|number| number.get() != Some(1)) {
        facts.push(("proof numbers", numbers::proof_numbers(&branch.proof_numbers)));
    }
    let worth = match branch.proven {
        Value::Win => Some(1.0),
        Value::Draw => Some(0.0),
        Value::Loss => Some(-1.0),
        _ => branch.mean,
    };
    Node { mv, value: Some(branch.proven), worth, facts, ..Node::default() }
}

/// Describes the player to move, or the result of the game.
pub(super) fn turn_text(position: &dyn Position) -> String {
    let view = position.view();
    match &view.payoffs {
        Some(payoffs) => format!("Game over: {}", players::result(&view.players, payoffs)),
        None => players::to_move(&view).trim_end().to_string(),
    }
}
