//! Creates outlines of certificates.
//!
//! A certificate lists a proof depth-first: one move if the side that the claim favours is to move,
//! all moves if the other side is. The checker has already accepted the file; here its entries are
//! read again with the texts of the moves, to extract the part near the root.

use super::tree::turn_text;
use super::{Extent, Node, Note, Outline};
use flate2::bufread::GzDecoder;
use proofwood::Turn;
use proofwood::certificate::{Checked, Promise};
use proofwood_any_game::Position;
use proofwood_session::Trouble;
use proofwood_session::input::spec::find_game;
use proofwood_session::words::numbers;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;

type Entries = Lines<BufReader<GzDecoder<BufReader<File>>>>;

/// A position whose moves are being read. The last move in `left` is read next.
struct Step {
    position: Box<dyn Position>,
    left: Vec<String>,
    /// The node of the position in the outline, unless it is too deep.
    node: Option<usize>,
    /// Whether the position would have a node in an outline of unlimited depth.
    wide: bool,
    /// The number of moves of the position that were read.
    played: usize,
    /// The number of positions listed before this one.
    before: u64,
}

/// A reader of a certificate that has been accepted.
struct Reader<'f> {
    path: &'f Path,
    lines: Entries,
    extent: Extent,
    /// The number of positions listed so far.
    listed: u64,
    /// The number of labels read in this claim, and the nodes of the labels that are shown.
    labels: u64,
    labelled: HashMap<u64, usize>,
    /// The number of moves at each depth, for all claims together.
    levels: Vec<usize>,
}

/// Returns an outline of the proof of each claim.
pub fn outlines(
    path: &Path,
    checked: &Checked,
    extent: Extent,
) -> Result<(Box<dyn Position>, Vec<Outline>), Trouble> {
    let (root, _) = root_of(checked)?;
    let (outlines, _) = read(path, checked, extent)?;
    Ok((root, outlines))
}

/// Returns the greatest depth, at least 1, at which an outline has at most `extent.nodes` nodes.
pub fn depth_of(path: &Path, checked: &Checked, extent: Extent) -> Result<usize, Trouble> {
    let (_, levels) = read(path, checked, Extent { depth: 0, ..extent })?;
    let mut nodes = checked.claims.len();
    let fits = levels.iter().take_while(|&&moves| {
        nodes += moves;
        nodes <= extent.nodes
    });
    Ok(fits.count().max(1))
}

/// Returns the position that a certificate is about, and the names of the players.
pub fn root_of(checked: &Checked) -> Result<(Box<dyn Position>, Vec<String>), Trouble> {
    let (_, rules) = find_game(&checked.game)?;
    let mut root = match &checked.root.position {
        Some(text) => rules.read(text).map_err(|error| Trouble::Failed(error.to_string()))?,
        None => rules.start(),
    };
    for mv in &checked.root.moves {
        root.play(mv).map_err(|error| Trouble::Failed(error.to_string()))?;
    }
    Ok((root, rules.player_names()))
}

/// Returns the outlines, and the number of moves at each depth.
fn read(
    path: &Path,
    checked: &Checked,
    extent: Extent,
) -> Result<(Vec<Outline>, Vec<usize>), Trouble> {
    let unreadable = |error: std::io::Error| Trouble::reading(path.display(), &error);
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let (labelled, levels) = (HashMap::new(), Vec::new());
    let mut reader = Reader { path, lines, extent, listed: 0, labels: 0, labelled, levels };
    // Skip the header, which the checker has already read.
    while !reader.next()?.is_empty() {}
    let (root, names) = root_of(checked)?;
    let mut outlines = Vec::new();
    for shown in &checked.claims {
        let name = &names[shown.claim.player];
        let claim = match shown.claim.promise {
            Promise::AtLeast(payoff) => format!("{name} can secure at least {payoff}"),
            Promise::Below(payoff) => format!("{name} can be held below {payoff}"),
        };
        let mut outline =
            Outline::new(format!("Proof: {claim}."), names.clone(), node(String::new(), &*root));
        reader.claim(&*root, &mut outline)?;
        reader.extent.nodes = reader.extent.nodes.saturating_sub(outline.nodes.len());
        outlines.push(outline);
    }
    Ok((outlines, reader.levels))
}

fn node(mv: String, position: &dyn Position) -> Node {
    Node { mv, turn: turn_text(position), board: position.view().board, ..Node::default() }
}

impl Reader<'_> {
    fn next(&mut self) -> Result<String, Trouble> {
        let ends =
            || Trouble::Failed(format!("{}: the certificate is truncated", self.path.display()));
        let line = self.lines.next().ok_or_else(ends)?;
        line.map_err(|error| Trouble::reading(self.path.display(), &error))
    }

    fn claim(&mut self, root: &dyn Position, outline: &mut Outline) -> Result<(), Trouble> {
        let mut way: Vec<Step> = Vec::new();
        let mut come = Some((root.copy(), Some(0), true));
        (self.labels, self.labelled) = (0, HashMap::new());
        loop {
            if let Some((position, node, wide)) = come.take()
                && let Some(left) = self.moves(&*position, node, &way, outline)?
            {
                way.push(Step { position, left, node, wide, played: 0, before: self.listed });
                self.listed += 1;
            }
            let depth = way.len();
            let deep = depth > self.extent.depth;
            let Some(step) = way.last_mut() else { return Ok(()) };
            let Some(mv) = step.left.pop() else {
                if let Some(node) = step.node {
                    let positions = numbers::count((self.listed - step.before) as f64);
                    outline.nodes[node].facts.push(("positions", positions));
                }
                way.pop();
                continue;
            };
            let mut after = step.position.copy();
            after.play(&mv).map_err(|error| Trouble::Failed(error.to_string()))?;
            let wide = step.wide && step.played < self.extent.width;
            step.played += 1;
            if wide {
                self.levels.resize(self.levels.len().max(depth), 0);
                self.levels[depth - 1] += 1;
            }
            let node = match step.node {
                Some(parent) if deep => {
                    outline.nodes[parent].note = Some(Note::CutOff(self.extent.depth));
                    None
                }
                Some(parent) if !wide || outline.nodes.len() >= self.extent.nodes => {
                    outline.nodes[parent].more += 1;
                    None
                }
                Some(parent) => {
                    let player = match step.position.turn() {
                        Turn::Player(player) => Some(player),
                        _ => None,
                    };
                    Some(outline.add(parent, Node { player, ..node(mv, &*after) }))
                }
                None => None,
            };
            come = Some((after, node, wide));
        }
    }

    /// Returns the moves that the proof shows for a position, in reverse order. Returns `None` if
    /// the game is over or the entry is a reference.
    fn moves(
        &mut self,
        position: &dyn Position,
        node: Option<usize>,
        way: &[Step],
        outline: &mut Outline,
    ) -> Result<Option<Vec<String>>, Trouble> {
        if position.turn() == Turn::Over {
            return Ok(None);
        }
        loop {
            let entry = self.next()?;
            match entry.split_at_checked(1) {
                Some(("#", _)) => {
                    self.labelled.extend(node.map(|node| (self.labels, node)));
                    self.labels += 1;
                }
                Some(("!", mv)) => return Ok(Some(vec![mv.to_string()])),
                Some(("?", _)) => {
                    let mut moves = position.view().legal_moves;
                    moves.sort_unstable_by(|a, b| b.cmp(a));
                    return Ok(Some(moves));
                }
                Some(("=", label)) => {
                    if let Some(node) = node {
                        let there = label.parse().ok().and_then(|label| self.labelled.get(&label));
                        let repeats =
                            there.filter(|&&node| way.iter().any(|s| s.node == Some(node)));
                        outline.nodes[node].note = Some(match repeats {
                            Some(&node) => Note::Repeats(node),
                            None => Note::Elsewhere(there.copied()),
                        });
                    }
                    return Ok(None);
                }
                _ => {
                    let name = self.path.display();
                    return Err(Trouble::Failed(format!("{name}: '{entry}' is not a valid entry")));
                }
            }
        }
    }
}
