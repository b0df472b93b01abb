//! Writes outlines as trees of variations, in SGF.

use super::Outline;
use crate::game_file::export::Variations;
use proofwood_any_game::Position;
use proofwood_session::Trouble;

/// Writes outlines that begin at `root`, each as a game tree.
pub fn variations(
    game: &str,
    root: &dyn Position,
    outlines: &[Outline],
) -> Result<String, Trouble> {
    let mut text = String::new();
    for outline in outlines {
        let mut tree = Variations::new(game, root)?;
        // The positions to visit, each with its node in the outline and in the file.
        let mut places = vec![(root.copy(), 0, 0)];
        while let Some((position, number, node)) = places.pop() {
            let shown = &outline.nodes[number];
            let title = (number == 0).then(|| outline.title.clone());
            let comment: Vec<String> =
                title.into_iter().chain(shown.figures()).chain(shown.remarks()).collect();
            if !comment.is_empty() {
                tree.comment(node, &comment.join("\n"));
            }
            if let Some(worth) = shown.worth {
                let black = shown.player != Some(1);
                tree.value(node, if black { worth } else { -worth });
            }
            for &child in &outline.nodes[number].children {
                let mv = &outline.nodes[child].mv;
                let mut after = position.copy();
                after.play(mv).map_err(|error| Trouble::Failed(error.to_string()))?;
                places.push((after, child, tree.add(node, &*position, mv)));
            }
        }
        text.push_str(&tree.text());
    }
    Ok(text)
}
