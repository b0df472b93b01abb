//! A tree of moves as far as it can be shown, and how it is written: [`html`], [`dot`].
//!
//! An outline is made of a search's tree or of a proof, to a depth and a width. It has at
//! most [`MOST_NODES`] nodes, however large that is which it was made of. What is left out is
//! counted where it would stand.

mod dot;
mod html;
pub mod proof;
pub mod tree;
pub mod variations;

pub use dot::dot;
pub use html::html;

use proofwood::Value;

/// The most nodes of an outline, or of all outlines of one file together.
pub const MOST_NODES: usize = 10_000;
/// The same of a graph whose depth nobody has chosen: more cannot be taken in.
pub const MOST_DRAWN: usize = 500;

/// How far an outline goes.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Moves from the root.
    pub depth: usize,
    /// Moves that are shown of one position.
    pub width: usize,
    /// Nodes in all.
    pub nodes: usize,
}

/// A tree of moves.
#[derive(Clone, Debug)]
pub struct Outline {
    /// What it is about, in a sentence.
    pub title: String,
    /// What the players are called.
    pub players: Vec<String>,
    /// Parents come before their children, and the root first.
    pub nodes: Vec<Node>,
}

/// A position, and the move that leads there.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The move, or the outcome of chance; empty at the root.
    pub mv: String,
    /// Who has played it; `None` at the root and for chance.
    pub player: Option<usize>,
    /// What is proven of the position for the player of whom the figures speak.
    pub value: Option<Value>,
    /// Part of the visits of its parent, or of the entries of the parent's proof, which came
    /// here: from 0 to 1.
    pub share: Option<f64>,
    /// The value from −1 to 1 for the player who has played the move, proven or a mean.
    pub worth: Option<f64>,
    /// A figure's name, and the figure.
    pub facts: Vec<(&'static str, String)>,
    /// Why nothing follows here.
    pub note: Option<Note>,
    /// Whose turn it is, or how the game ended.
    pub turn: String,
    /// The drawing.
    pub board: String,
    /// The numbers of its children in [`Outline::nodes`].
    pub children: Vec<usize>,
    /// Moves that are not among the children.
    pub more: usize,
}

/// Why nothing follows a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The outline ends at this depth, and what it shows goes on.
    CutOff(usize),
    /// The position is proven in another variation: at this node, if it is shown.
    Elsewhere(Option<usize>),
    /// The position has come up on the way, at this node: the play may repeat for ever.
    Repeats(usize),
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::CutOff(depth) => write!(f, "Cut off here (--depth {depth})."),
            Note::Repeats(_) => f.write_str("The position repeats."),
            Note::Elsewhere(Some(_)) => f.write_str("Proven in another variation."),
            Note::Elsewhere(None) => {
                f.write_str("Proven in another variation, which is not shown.")
            }
        }
    }
}

impl Outline {
    /// An outline of one position.
    pub fn new(title: String, players: Vec<String>, root: Node) -> Outline {
        Outline { title, players, nodes: vec![root] }
    }

    /// Adds a node after another; answers its number.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let number = self.nodes.len();
        self.nodes.push(node);
        self.nodes[parent].children.push(number);
        number
    }

    /// How many moves lead to each node.
    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            node.children.iter().for_each(|&child| depths[child] = depths[number] + 1);
        }
        depths
    }
}

/// The word for a proven value, which also names its colour.
fn word(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Loss) => "loss",
        Some(Value::Draw) => "draw",
        _ => "open",
    }
}

impl Node {
    /// The proven value and the figures, one text each.
    pub fn figures(&self) -> impl Iterator<Item = String> {
        let value = Some(word(self.value)).filter(|word| *word != "open").map(String::from);
        value.into_iter().chain(self.facts.iter().map(|(name, fact)| format!("{name} {fact}")))
    }

    /// The node that a note refers to.
    pub fn target(&self) -> Option<usize> {
        match self.note {
            Some(Note::Elsewhere(target)) => target,
            Some(Note::Repeats(target)) => Some(target),
            _ => None,
        }
    }

    /// Why nothing follows, and what is left out, a sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        self.note.iter().map(ToString::to_string).chain(self.more_text())
    }

    /// What is left out of it, in words.
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

    /// A tree in which everything has to be escaped.
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
