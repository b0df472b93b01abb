//! Writes games and trees of moves as SGF.

use super::facts::{GAME, POSITION};
use super::points;
use super::sgf::{Collection, Node};
use proofwood::Turn;
use proofwood_any_game::Position;
use proofwood_session::Trouble;

/// The games that have a number in SGF. The flag is true if SGF writes their cells as two letters;
/// the other games keep their own coordinates.
const NUMBERS: [(&str, u8, bool); 9] = [
    ("atari-go", 1, true),
    ("nogo", 1, true),
    ("othello", 2, true),
    ("mnk", 4, true),
    ("tic-tac-toe", 4, true),
    ("loa7", 9, false),
    ("loa8", 9, false),
    ("ataxx", 10, false),
    ("hex", 11, false),
];

/// A tree of moves to be written as SGF.
pub struct Variations {
    all: Collection,
    in_letters: bool,
}

impl Variations {
    /// Starts a tree at this position of a two-player game.
    pub fn new(game: &str, position: &dyn Position) -> Result<Variations, Trouble> {
        if position.player_names().len() != 2 || position.has_chance() {
            return Err(Trouble::Input(format!(
                "{game}: SGF supports only two-player games without chance"
            )));
        }
        let name = proofwood_games::spelled(game);
        let name = name.split(':').next().unwrap_or_default();
        let number = NUMBERS.iter().find(|(known, ..)| *known == name);
        let mut root = Node::default();
        root.set("FF", "4");
        root.set("CA", "UTF-8");
        root.set("AP", concat!("Proofwood:", env!("CARGO_PKG_VERSION")));
        root.set("GM", number.map_or(0, |&(_, number, _)| number).to_string());
        if let Some(size) = points::size(position) {
            root.set("SZ", size);
        }
        root.set(GAME, game);
        let text = position.text();
        if !text.is_empty() {
            root.set(POSITION, text);
        }
        let in_letters = number.is_some_and(|&(_, _, in_letters)| in_letters);
        Ok(Variations { all: Collection::new(root), in_letters })
    }

    /// Adds a move after the node `parent`, whose position is `before`; returns the index of the
    /// new node. The root is node 0.
    pub fn add(&mut self, parent: usize, before: &dyn Position, mv: &str) -> usize {
        let colour = if before.turn() == Turn::Player(1) { "W" } else { "B" };
        let text = match self.in_letters {
            true if mv == "pass" => String::new(),
            true => points::in_letters(before, mv),
            false => mv.to_string(),
        };
        let mut node = Node::default();
        node.set(colour, text);
        self.all.add(parent, node)
    }

    /// Sets the comment of a node.
    pub fn comment(&mut self, node: usize, text: &str) {
        self.all.nodes[node].set("C", text);
    }

    /// Sets the value of a node, from −1 to 1; positive values are good for Black.
    pub fn value(&mut self, node: usize, value: f64) {
        self.all.nodes[node].set("V", format!("{value:.3}"));
    }

    /// Returns the tree as SGF text.
    pub fn text(&self) -> String {
        self.all.text()
    }
}
