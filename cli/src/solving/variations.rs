//! A certificate as a tree of variations, to a depth, in SGF.
//!
//! A certificate lists a proof depth first: one move where the favoured side is to move,
//! all moves where the other is. The file was accepted before; here its entries are read
//! again with the game's own texts, and those near the root are kept.

use crate::exit::Failure;
use crate::input::game_file::export::Variations;
use crate::input::positions::find_game;
use flate2::bufread::GzDecoder;
use proofwood::certificate::{Checked, Promise};
use proofwood_any_game::Position;
use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;

/// The lines of a certificate.
type Entries = Lines<BufReader<GzDecoder<BufReader<File>>>>;

/// A position whose moves are being shown, the next one last.
struct Step {
    position: Box<dyn Position>,
    left: Vec<String>,
    /// Its node, while it is not too deep.
    node: Option<usize>,
}

/// The proofs of all claims of an accepted certificate, each as a game tree.
pub(crate) fn variations(path: &Path, checked: &Checked, depth: usize) -> Result<String, Failure> {
    let unreadable = |error: std::io::Error| Failure::reading(path.display(), &error);
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut lines = BufReader::new(GzDecoder::new(file)).lines();
    // What it is about was told by the checker.
    while !next(&mut lines, path)?.is_empty() {}
    let (_, rules) = find_game(&checked.game)?;
    let names = rules.player_names();
    let mut root = match &checked.root.position {
        Some(text) => rules.read(text).map_err(|error| Failure::Failed(error.to_string()))?,
        None => rules.start(),
    };
    for mv in &checked.root.moves {
        root.play(mv).map_err(|error| Failure::Failed(error.to_string()))?;
    }
    let mut text = String::new();
    for shown in &checked.claims {
        let name = &names[shown.claim.player];
        let claim = match shown.claim.promise {
            Promise::AtLeast(payoff) => format!("{name} can make sure of at least {payoff}"),
            Promise::Below(payoff) => format!("{name} can be held below {payoff}"),
        };
        let mut tree = Variations::new(&checked.game, &*root, &format!("Proof: {claim}."))?;
        read_claim(&mut lines, path, &*root, depth, &mut tree)?;
        text.push_str(&tree.text());
    }
    Ok(text)
}

fn next(lines: &mut Entries, path: &Path) -> Result<String, Failure> {
    let ends = || Failure::Failed(format!("{}: it ends early", path.display()));
    let line = lines.next().ok_or_else(ends)?;
    line.map_err(|error| Failure::reading(path.display(), &error))
}

/// Reads the proof of one claim.
fn read_claim(
    lines: &mut Entries,
    path: &Path,
    root: &dyn Position,
    depth: usize,
    tree: &mut Variations,
) -> Result<(), Failure> {
    let mut way: Vec<Step> = Vec::new();
    let mut come = Some((root.copy(), Some(0)));
    loop {
        if let Some((position, node)) = come.take()
            && let Some(left) = moves(lines, path, &*position, node, tree)?
        {
            way.push(Step { position, left, node });
        }
        let deep = way.len() > depth;
        let Some(step) = way.last_mut() else { return Ok(()) };
        let Some(mv) = step.left.pop() else {
            way.pop();
            continue;
        };
        let node = match step.node {
            Some(node) if deep => {
                // Said once, of the first of its moves.
                tree.comment(node, "The proof goes on below.");
                step.node = None;
                None
            }
            Some(node) => Some(tree.add(node, &*step.position, &mv)),
            None => None,
        };
        let mut after = step.position.copy();
        after.play(&mv).map_err(|error| Failure::Failed(error.to_string()))?;
        come = Some((after, node));
    }
}

/// The moves that are shown of a position, the first one last; none where the game is over
/// or the proof stands elsewhere.
fn moves(
    lines: &mut Entries,
    path: &Path,
    position: &dyn Position,
    node: Option<usize>,
    tree: &mut Variations,
) -> Result<Option<Vec<String>>, Failure> {
    if position.turn() == proofwood::Turn::Over {
        return Ok(None);
    }
    loop {
        let entry = next(lines, path)?;
        match entry.split_at_checked(1) {
            Some(("#", _)) => {}
            Some(("!", mv)) => return Ok(Some(vec![mv.to_string()])),
            Some(("?", _)) => {
                let mut moves = position.view().legal_moves;
                moves.sort_unstable_by(|a, b| b.cmp(a));
                return Ok(Some(moves));
            }
            Some(("=", _)) => {
                if let Some(node) = node {
                    tree.comment(node, "This position is proven in another variation.");
                }
                return Ok(None);
            }
            _ => {
                let name = path.display();
                return Err(Failure::Failed(format!("{name}: '{entry}' is no entry")));
            }
        }
    }
}
