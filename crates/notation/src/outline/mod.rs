//! Excerpts of trees of moves, and the formats in which they can be written: [`html`], [`dot`],
//! [`variations`].
//!
//! An outline is created from a search's tree or a proof, up to a given depth and width. It has at
//! most [`MOST_NODES`] nodes, however large its source is. If moves are left out, their number is
//! shown.

mod dot;
mod html;
pub mod proof;
pub mod tree;
pub mod variations;

pub use dot::dot;
pub use html::html;

use proofwood::Value;

/// The maximum total number of nodes in the outlines of one file.
pub const MOST_NODES: usize = 10_000;
/// The maximum number of nodes in a graph of default depth, so that it stays readable.
pub const MOST_DRAWN: usize = 500;

/// The limits of an outline.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The maximum number of moves from the root.
    pub depth: usize,
    /// The maximum number of moves shown for one position.
    pub width: usize,
    /// The maximum total number of nodes.
    pub nodes: usize,
}

/// A tree of moves to be shown.
#[derive(Clone, Debug)]
pub struct Outline {
    /// A sentence that describes the contents.
    pub title: String,
    /// The names of the players.
    pub players: Vec<String>,
    /// The nodes: the root is first, and parents come before their children.
    pub nodes: Vec<Node>,
}

/// A position, and the move that leads to it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The move, or the outcome of chance; empty at the root.
    pub mv: String,
    /// The player who makes the move; `None` at the root and for chance.
    pub player: Option<usize>,
    /// The proven value of the position, for the player to whom the figures refer.
    pub value: Option<Value>,
    /// The move's share of the visits to its parent's children, from 0 to 1; `None` in proofs.
    pub share: Option<f64>,
    /// The proven or mean value for the player who makes the move, from −1 to 1.
    pub worth: Option<f64>,
    /// The figures, each with its name.
    pub facts: Vec<(&'static str, String)>,
    /// The reason why no moves follow, if there is one.
    pub note: Option<Note>,
    /// The player to move, or the result of the game, in words.
    pub turn: String,
    /// The drawing of the position.
    pub board: String,
    /// The indices of the children in [`Outline::nodes`].
    pub children: Vec<usize>,
    /// The number of further moves that are not shown.
    pub more: usize,
}

/// The reason why no moves follow a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The outline ends at this depth, but its source continues.
    CutOff(usize),
    /// The position is proven in another variation, at this node if that is shown.
    Elsewhere(Option<usize>),
    /// The position repeats the one at this node, so play may go on forever.
    Repeats(usize),
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::CutOff(depth) => write!(f, "Cut off here (--depth {depth})."),
            Note::Repeats(_) => f.write_str("The position repeats."),
            Note::Elsewhere(Some(_)) => f.write_str("Proven in another variation."),
            Note::Elsewhere(None) => f.write_str("Proven in a variation that is not shown."),
        }
    }
}

impl Outline {
    /// Creates an outline that only contains the root.
    pub fn new(title: String, players: Vec<String>, root: Node) -> Outline {
        Outline { title, players, nodes: vec![root] }
    }

    /// Adds a child to a node; returns its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(number);
        number
    }

    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            node.children.iter().for_each(|&child| depths[child] = depths[number] + 1);
        }
        depths
    }
}

/// Returns the word for a proven value. The colour of a node is chosen by this word, too.
fn word(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Loss) => "loss",
        Some(Value::Draw) => "draw",
        _ => "open",
    }
}

impl Node {
    /// Returns the proven value and the figures as texts.
    pub fn figures(&self) -> impl Iterator<Item = String> {
        let value = Some(word(self.value)).filter(|word| *word != "open").map(String::from);
        value.into_iter().chain(self.facts.iter().map(|(name, fact)| format!("{name} {fact}")))
    }

    /// Returns the node to which the note refers, if any.
    pub fn target(&self) -> Option<usize> {
        match self.note {
            Some(Note::Elsewhere(target)) => target,
            Some(Note::Repeats(target)) => Some(target),
            _ => None,
        }
    }

    /// Returns the note and the number of moves left out, as sentences.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.note.iter().map(ToString::to_string).chain(self.more_text())
    }

    /// Returns a sentence on the moves left out.
    pub fn more_text(&self) -> Option<String> {
        match self.more {
            0 => None,
            1 => Some("1 more move is not shown.".into()),
            more => Some(format!("{more} more moves are not shown.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an outline in which all texts must be escaped.
    pub fn outline() -> Outline {
        let board = "<b>&\n\"x\" \\".to_string();
        let root = Node { board, turn: "x to move".into(), ..Node::default() };
        let mut outline = Outline::new(
            "A game of <script>alert('x')</script> & \"y\"".into(),
            vec!["<x>".into(), "o".into()],
            root,
        );
        for (mv, value) in [("a<b", Some(Value::Win)), ("c\"d\\", None)] {
            let facts = vec![("visits", "12".to_string()), ("points", "<50 %".into())];
            let node = Node { mv: mv.into(), player: Some(0), value, facts, ..Node::default() };
            let child = outline.add(0, Node { share: Some(0.5), ..node });
            let note = Some(Note::Elsewhere((child > 1).then_some(1)));
            outline
                .add(child, Node { mv: "pass".into(), player: Some(1), note, ..Node::default() });
        }
        outline.nodes[0].more = 3;
        outline
    }
}
